"""Our own faults: a short apology, a log file, exit code 3."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback
from datetime import datetime
from pathlib import Path

from mcpapps_cli import __version__, console
from mcpapps_cli.errors import ExitStatus

_ISSUES = "the issue tracker of mcpapps"


def report_fault(exc: BaseException) -> ExitStatus:
    """Tell the user that we failed, and keep the traceback in a file."""
    place = traceback.extract_tb(exc.__traceback__)[-1]
    console.labelled(
        "error",
        ": mcpapps failed unexpectedly (this is a bug in mcpapps, not in your project)",
        "error",
    )
    console.note(f"  {type(exc).__name__}: {exc}   in {Path(place.filename).name}:{place.lineno}")
    log = _write_log(exc)
    if log is not None:
        console.labelled(" help", f": the full log is {log}; attach it to {_ISSUES}", "info")
    return ExitStatus.BUG


def _write_log(exc: BaseException) -> Path | None:
    text = "".join(traceback.format_exception(exc))
    header = f"mcpapps {__version__}, Python {platform.python_version()}, {sys.platform}\n\n"
    stamp = datetime.now().strftime("%Y-%m-%dT%H%M%S")
    for folder in (Path.cwd() / ".mcpapps" / "log", Path(tempfile.gettempdir()) / "mcpapps-log"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            log = folder / f"{stamp}.txt"
            log.write_text(header + text, encoding="utf-8")
        except OSError:
            continue
        return log
    return None
