"""Where the scaffolds and the bridge assets are, in a checkout and in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def scaffolds_dir() -> Path:
    """Return the folder with one template per subfolder."""
    return _folder("scaffolds")


def bridge_dir() -> Path:
    """Return the folder with the bridge, the test host, the host page and the sandbox page."""
    return _folder("bridge_assets")
