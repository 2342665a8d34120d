"""The servers that `--server NAME=COMMAND` puts beside the project's own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from mcpapps_cli.config.options import refuse, split_command, split_pair
from mcpapps_cli.config.project import find_root
from mcpapps_cli.config.target import command_spec
from mcpapps_cli.model import ServerSpec


def resolve_servers(
    entries: Sequence[str],
    *,
    python: str | None = None,
    environ: Mapping[str, str] = os.environ,
    here: Path | None = None,
) -> dict[str, ServerSpec]:
    """Return the described servers by name.

    Args:
        entries: `NAME=COMMAND` or `NAME=URL`.
        python: The interpreter of a command that begins with `python`.
        environ: The environment that is looked at.
        here: The folder that they run in. Default: the current one.

    Raises:
        ConfigError: An entry cannot be used, or a name comes twice; every fault is named.
    """
    here = (here or Path.cwd()).resolve()
    faults: list[str] = []
    found: dict[str, ServerSpec] = {}
    for entry in entries:
        pair = split_pair(entry, "--server", "NAME=COMMAND", faults)
        if pair is None:
            continue
        name, text = pair
        if not text.strip():
            faults.append(f'--server: "{name}" has no value; write NAME=COMMAND')
        elif "/" in name:
            faults.append(f'--server: "{name}" has a /, which no name may have')
        elif name in found:
            faults.append(f'--server: "{name}" is given twice')
        elif text.startswith(("http://", "https://")):
            found[name] = ServerSpec(url=text, cwd=here, label=text)
        else:
            argv = split_command(text, faults, f'--server "{name}"')
            found[name] = command_spec(argv, here, find_root(here), python, environ)
    refuse(faults)
    return found
