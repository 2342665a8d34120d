"""JSX without imports, turned into JavaScript by `esbuild-py`: no Node, no executable."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from typing import Final

from mcpapps_cli.bundle.source import Source

_PRAGMA: Final = r"/\*[*\s]*@jsx\s+(?P<name>[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)"
_AUTOMATIC: Final = r"@jsxImportSource\b|@jsxRuntime\s+automatic\b"
_DEFAULT: Final = "React"


def is_available() -> bool:
    """Whether `esbuild-py` is installed; it has no wheel for some platforms."""
    return importlib.util.find_spec("esbuild_py") is not None


def factory(text: str) -> str:
    """Return the variable that makes elements: of the `@jsx` pragma, else `React`."""
    match = re.search(_PRAGMA, text)
    return match["name"].partition(".")[0] if match else _DEFAULT


def has_factory(file: Source, others: str) -> bool:
    """Whether the variable that makes elements exists.

    Args:
        file: The JSX.
        others: The text of every classic script before it; they make globals.
    """
    if re.search(_AUTOMATIC, file.text):
        return False
    name = factory(file.text)
    declared = re.compile(
        rf"(?:\b(?:function|const|let|var|class|as)\s+|\{{[^}}]*?|,\s*|\b(?:globalThis|window)\.)"
        rf"{re.escape(name)}(?![\w$])"
    )
    code = re.sub(_PRAGMA, "", file.text)
    spoken_of = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    return declared.search(code) is not None or spoken_of.search(others) is not None


def transform_jsx(file: Source, *, transform: Callable[[str], str] | None = None) -> Source:
    """Return the file with its JSX turned into calls.

    Raises:
        SourceError: It is no JavaScript. `esbuild-py` does not say where.
    """
    if transform is None:
        from esbuild_py import transform as transform_text

        transform = transform_text
    text = transform(file.text)
    if not text.strip() and _has_code(file.text):
        file.fail(
            f'"{file.shown}" has a syntax error',
            0,
            1,
            "install esbuild (npm install esbuild, or --fetch-esbuild) to be told where",
        )
    return Source(file.path, file.shown, text)


def is_script(text: str) -> bool:
    """Whether `esbuild-py` can read a script."""
    from esbuild_py import transform

    return bool(transform(text).strip()) or not _has_code(text)


def _has_code(text: str) -> bool:
    return bool(re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL).strip())
