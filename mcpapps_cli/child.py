"""Run in the user's interpreter: serve the MCP server object of a file over stdio.

Usage: `python child.py FILE [OBJECT]`. Knows mcp 1.x, mcp 2.x and FastMCP; needs only the
standard library, since the user's environment does not have this package.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

_NAMES = ("mcp", "server", "app")


def _load(file: Path) -> ModuleType:
    # The folder of the file comes first on the path, where `python file.py` does it.
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = str(file.parent)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        _stop(f'"{file}" is not a Python file')
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def _find(module: ModuleType, name: str | None, file: Path) -> Any:
    if name is not None:
        value: Any = module
        for part in name.split("."):
            if not hasattr(value, part):
                _stop(f'"{file.name}" has no "{name}"')
            value = getattr(value, part)
        return value
    for candidate in _NAMES:
        value = getattr(module, candidate, None)
        if _serves(value):
            return value
    found = [key for key, value in vars(module).items() if _serves(value)]
    if len(found) == 1:
        return getattr(module, found[0])
    if found:
        _stop(f'"{file.name}" has several servers: {", ".join(found)}; name one as FILE:OBJECT')
    _stop(f'"{file.name}" has no server: no object called {", ".join(_NAMES)} and no main block')


def _serves(value: object) -> bool:
    return value is not None and not isinstance(value, type) and _kind(value) is not None


def _kind(value: object) -> str | None:
    module = type(value).__module__.split(".")[0]
    if module not in ("mcp", "fastmcp") and not any(
        base.__module__.split(".")[0] in ("mcp", "fastmcp") for base in type(value).__mro__
    ):
        return None
    if hasattr(value, "create_initialization_options"):
        return "lowlevel"
    if callable(getattr(value, "run", None)) and hasattr(value, "list_tools"):
        return "highlevel"
    return None


def _serve(server: Any) -> None:
    if callable(server) and _kind(server) is None:
        server = server()  # a factory
    kind = _kind(server)
    if kind == "highlevel":
        if type(server).__module__.startswith("fastmcp"):
            server.run("stdio", show_banner=False)
        else:
            server.run("stdio")
    elif kind == "lowlevel":
        import anyio
        from mcp.server.stdio import stdio_server

        async def main() -> None:
            async with stdio_server() as (read, write):
                await server.run(read, write, server.create_initialization_options())

        anyio.run(main)
    else:
        _stop(f"{type(server).__name__} is no MCP server object")


def _stop(message: str) -> NoReturn:
    sys.stderr.write(message + "\n")
    raise SystemExit(2)


def main() -> None:
    """Load the file, find the object, serve it."""
    file = Path(sys.argv[1])
    name = sys.argv[2] if len(sys.argv) > 2 else None
    sys.argv = [str(file)]
    _serve(_find(_load(file), name, file))


if __name__ == "__main__":
    main()
