"""The project file here; in `target` what a command means by TARGET, in `companions` more servers.

Those two are not imported with it: most of what they need is of no use without a server.
"""

from mcpapps_cli.config.project import find_root, read_project

__all__ = ["find_root", "read_project"]
