"""The developer toolchain for MCP Apps in Python."""

__version__ = "0.1.0"
