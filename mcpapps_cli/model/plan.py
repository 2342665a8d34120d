"""What `new` writes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class FileAction:
    """One file that `new` or `add` writes or leaves; `path` is relative to the target folder."""

    verb: Literal["create", "identical", "conflict", "overwrite", "edit"]
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What `new` or `add` would do, before anything is written."""

    target: Path
    template: str
    actions: tuple[FileAction, ...]
