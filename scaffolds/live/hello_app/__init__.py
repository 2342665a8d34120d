"""A long computation, as an MCP server whose View shows how far it is."""
