"""The files of `mcpapps types` on disk: written together, and compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from mcpapps_cli import embed
from mcpapps_cli.errors import UserError
from mcpapps_cli.files import write_together
from mcpapps_cli.model import JsonObject
from mcpapps_cli.typegen.declare import declaration_text, jsdoc_text

DEFAULT_NAME: Final = "mcpapps-tools.d.ts"
"""Where the tools' types go when nothing else is said."""
BRIDGE_NAME: Final = "mcpapps-env.d.ts"
"""The bridge's own types, which the tools' types add to."""


def plan_texts(tools: Iterable[JsonObject], out: Path) -> dict[Path, str]:
    """Return what to write: the tools' types at `out`, the bridge's own beside it.

    Args:
        tools: Entries of `tools/list`.
        out: `NAME.d.ts`, or `NAME.js` for JSDoc.

    Raises:
        UserError: `out` is neither, or is the file of the bridge's own types.
    """
    if out.name == BRIDGE_NAME:
        raise UserError(
            f'"{BRIDGE_NAME}" holds the types of the bridge itself',
            help=f"choose another name, such as {DEFAULT_NAME}",
        )
    if out.name.endswith(".d.ts"):
        text = declaration_text(tools)
    elif out.suffix == ".js":
        text = jsdoc_text(tools)
    else:
        raise UserError(f'"{out.name}" is neither .d.ts nor .js', help=f"use {DEFAULT_NAME}")
    return {out: text, out.parent / BRIDGE_NAME: embed.environment_types()}


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write the files, all or none; what is the same already is left alone.

    Raises:
        UserError: The operating system refused.
    """
    try:
        write_together({path: text.encode() for path, text in texts.items()})
    except OSError as exc:
        reason = (exc.strerror or str(exc)).lower()
        raise UserError(
            f'"{exc.filename or next(iter(texts))}" cannot be written: {reason}',
            help="check the folder, or pass --out",
        ) from exc


def check_texts(texts: Mapping[Path, str]) -> dict[Path, bool]:
    """Return for each file whether it is there and up to date; line ends do not count."""
    return {path: _read(path) == text for path, text in texts.items()}


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError):
        return None
