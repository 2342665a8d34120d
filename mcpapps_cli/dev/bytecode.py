"""Byte code that Python would take for that of a file which has changed since."""

from __future__ import annotations

import contextlib
import glob
import os
from collections.abc import Iterable, Mapping
from pathlib import Path


def forget_bytecode(
    files: Iterable[Path], environ: Mapping[str, str] = os.environ, cwd: Path = Path()
) -> None:
    """Remove the cached byte code of source files that have changed.

    Python knows a source file again by its size and the whole second of its change, so a second
    save of equal size within one second runs what the first one held:
    https://docs.python.org/3/reference/import.html#cached-bytecode-invalidation.

    Args:
        files: Absolute paths; what is no Python source is left alone.
        environ: The server's; `PYTHONPYCACHEPREFIX` counts.
        cwd: The server's, from which that may be relative.
    """
    prefix = environ.get("PYTHONPYCACHEPREFIX")
    for file in files:
        if file.suffix != ".py":
            continue
        folders = {file.parent / "__pycache__"}
        if prefix:
            # The server may know the folder by another name than whoever saw the change.
            names = (file.parent, file.parent.resolve())
            folders = {Path(cwd, prefix, *name.parts[1:]) for name in names}
        for folder in folders:
            with contextlib.suppress(OSError):
                for cached in folder.glob(f"{glob.escape(file.stem)}.*.pyc"):
                    cached.unlink()
