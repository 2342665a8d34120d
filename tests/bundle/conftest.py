"""A View from a dict of files, bundled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.bundle import build_bundle
from mcpapps_cli.model import Bundle, View

Build = Callable[..., Bundle]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    def write_files(files: Mapping[str, str | bytes]) -> Path:
        root = tmp_path / "project"
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return write_files


@pytest.fixture
def build(write: Callable[[Mapping[str, str | bytes]], Path]) -> Build:
    def build_files(files: Mapping[str, str | bytes], **declared: Any) -> Bundle:
        root = write(files)
        entry = root / next(iter(files))
        return build_bundle(View("v", entry, "ui://app/v.html", **declared), root=root)

    return build_files
