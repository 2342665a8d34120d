"""Meeting rooms, as an MCP server whose View asks a person before it writes."""
