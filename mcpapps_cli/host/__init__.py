"""The host half of MCP Apps as a state machine without I/O."""
