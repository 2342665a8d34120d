"""Server entries that other MCP clients keep in a project: `.mcp.json` and `.vscode/mcp.json`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcpapps_cli.config.options import expand
from mcpapps_cli.errors import ConfigError
from mcpapps_cli.model import ServerSpec

_FILES = ((".mcp.json", "mcpServers"), (".vscode/mcp.json", "servers"))


def find_entry(name: str, folder: Path, environ: Mapping[str, str]) -> ServerSpec | None:
    """Return the server that an entry called `name` describes, looking upwards from `folder`.

    Raises:
        ConfigError: A file is not JSON, or the entry is malformed or needs an unset variable.
    """
    for root in (folder, *folder.parents):
        for file_name, key in _FILES:
            file = root / file_name
            if not file.is_file():
                continue
            entry = _entries(file, key).get(name)
            if entry is not None:
                return _spec(name, entry, file, root, environ)
    return None


def _entries(file: Path, key: str) -> Mapping[str, Any]:
    try:
        document = json.loads(file.read_text(encoding="utf-8-sig"))
    except (ValueError, OSError) as exc:
        raise ConfigError(f'"{file}" is not valid JSON: {exc}', help="correct the file") from exc
    table = document.get(key) if isinstance(document, dict) else None
    return table if isinstance(table, dict) else {}


def _spec(name: str, entry: Any, file: Path, root: Path, environ: Mapping[str, str]) -> ServerSpec:
    if not isinstance(entry, dict):
        raise ConfigError(f'entry "{name}" of "{file.name}" is not an object', help=f"see {file}")
    faults: list[str] = []
    variables = {**environ, "workspaceFolder": str(root)}

    def text(value: Any, where: str) -> str:
        if isinstance(value, str):
            return expand(value, variables, faults, where)
        faults.append(f"{where}: {value!r} is not a string")
        return ""

    def table(key: str) -> dict[str, str]:
        values = entry.get(key, {})
        if isinstance(values, dict):
            return {str(k): text(v, f"{key}.{k}") for k, v in values.items()}
        faults.append(f"{key}: is not an object")
        return {}

    args = entry.get("args", [])
    if not isinstance(args, list):
        faults.append("args: is not a list")
        args = []
    url = entry.get("url")
    command = () if url else (entry.get("command"), *args)
    spec = ServerSpec(
        command=tuple(text(word, "command") for word in command),
        cwd=root / text(entry.get("cwd", "."), "cwd"),
        env=table("env"),
        url=text(url, "url") if url else None,
        headers=table("headers"),
        # Unexpanded: a label must not show what a variable holds.
        label=str(url) if url else shlex.join(str(word) for word in command),
        why=f'server: entry "{name}" of {file.name}',
    )
    if faults:
        raise ConfigError(
            f'entry "{name}" of "{file.name}" cannot be used',
            help=f"correct {file}",
            details=tuple(faults),
        )
    return spec
