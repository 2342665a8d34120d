"""Colours that go together, as an MCP server with a View in React."""
