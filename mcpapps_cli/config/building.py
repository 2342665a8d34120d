"""How a View is built, as its table says it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, cast, get_args

from mcpapps_cli.config.table import Table
from mcpapps_cli.model import Building, Engine, PolicyMode

KEYS: Final = ("engine", "policy", "allow-external", "allow-paths", "trim", "max-size")
ENGINES: Final[tuple[str, ...]] = get_args(Engine)
POLICIES: Final[tuple[str, ...]] = get_args(PolicyMode)
TRIMS: Final = ("zod-locales",)
_SIZE: Final = r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>B|kB|KB|MB|KiB|MiB)?"
_UNITS: Final = {"B": 1, "kB": 1000, "KB": 1000, "MB": 10**6, "KiB": 2**10, "MiB": 2**20}


def read_building(root: Path, view: Table) -> Building:
    """Return how a View is built; every value that is wrong is a fault of the table.

    Args:
        root: The project's folder, from which `allow-paths` go.
        view: `[tool.mcpapps.views.NAME]`.
    """
    engine = _choice(view, "engine", "auto", ENGINES)
    policy = _choice(view, "policy", "hash", POLICIES)
    trim = view.strings("trim")
    for name in trim:
        if name not in TRIMS:
            view.fault("trim", f"{name!r} is not one of {', '.join(TRIMS)}")
    return Building(
        engine=cast("Engine", engine),
        policy=cast("PolicyMode", policy),
        allow_external=view.get("allow-external", bool, False),
        allow_paths=tuple((root / each).resolve() for each in view.strings("allow-paths")),
        trim=trim,
        max_size=_size(view),
    )


def parse_size(text: str) -> int | None:
    """Return a number of bytes such as `500 kB`, or None when it is none."""
    match = re.fullmatch(_SIZE, text.strip())
    return round(float(match["number"]) * _UNITS[match["unit"] or "B"]) if match else None


def _choice(view: Table, key: str, default: str, choices: tuple[str, ...]) -> str:
    value = view.get(key, str, default)
    if value in choices:
        return value
    view.fault(key, f"{value!r} is not one of {', '.join(choices)}")
    return default


def _size(view: Table) -> int | None:
    if isinstance(view.values.get("max-size"), int):
        return view.get("max-size", int, 0) or None
    text = view.optional("max-size", str)
    size = None if text is None else parse_size(text)
    if text is not None and size is None:
        view.fault("max-size", f'{text!r} is no size, such as "500 kB"')
    return size
