"""Rhythms that spread their beats evenly, as an MCP server with a View in Svelte."""
