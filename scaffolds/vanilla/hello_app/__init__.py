"""How long the day is, as an MCP server with an interactive View."""
