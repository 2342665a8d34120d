"""The project file, the TARGET of a command and the interpreter that runs it."""

from mcpapps_cli.config.companions import resolve_servers
from mcpapps_cli.config.project import find_root, read_project
from mcpapps_cli.config.target import resolve_target

__all__ = ["find_root", "read_project", "resolve_servers", "resolve_target"]
