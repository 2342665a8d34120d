from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Tree = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Write files given as path to text, and return their folder."""

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return tmp_path

    return write
