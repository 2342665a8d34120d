"""Figures from a model, as an MCP server that draws them."""
