"""The command line: the one place that catches errors and ends the process."""

from __future__ import annotations

import errno
import gc
import io
import os
import signal
import sys
from pathlib import Path
from typing import Any, Final, NoReturn

import typer

from mcpapps_cli.cli.group import app
from mcpapps_cli.errors import ExitStatus, McpAppsError, UserError

# Typer brings its own copy of click in newer releases; its base classes are reached through it.
_UsageError: Any = typer.BadParameter.__bases__[0]
_ClickException: Any = _UsageError.__bases__[0]
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_GARBAGE: Final = 50_000
"""New objects after which garbage is looked for; a short command does not make as many."""


def run(args: list[str]) -> ExitStatus:
    """Run one command line and return how it ended; every error is written here."""
    try:
        # A command gives its status; Typer itself gives the number of an interrupted one.
        status = app(args, prog_name="mcpapps", standalone_mode=False)
        return ExitStatus(status) if isinstance(status, int) else ExitStatus.OK
    except McpAppsError as exc:
        from mcpapps_cli import console

        console.error(exc)
        return ExitStatus.USAGE
    except _ClickException as exc:
        from mcpapps_cli import console

        console.error(_usage_error(exc))
        return ExitStatus.USAGE
    except (KeyboardInterrupt, typer.Abort):
        return ExitStatus.INTERRUPTED
    except SystemExit as exc:
        # The reader has gone, as in `mcpapps lint | head`. Nothing is wrong, but Typer gives 1.
        if not isinstance(exc.__context__, BrokenPipeError):
            raise
        _discard_output()
        return ExitStatus.OK
    except OSError as exc:
        from mcpapps_cli import console
        from mcpapps_cli.commands.fault import report_fault

        if exc.errno not in _NO_ROOM:
            return report_fault(exc)
        where = f' "{exc.filename}"' if exc.filename else ""
        reason = (exc.strerror or str(exc)).lower()
        console.error(UserError(f"cannot write{where}: {reason}", help="make room on the disk"))
        _discard_output()
        return ExitStatus.USAGE
    except Exception as exc:
        from mcpapps_cli.commands.fault import report_fault

        return report_fault(exc)


def _discard_output() -> None:
    # What is still buffered would fail once more when the interpreter ends.
    with Path(os.devnull).open("w") as nothing:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            os.dup2(nothing.fileno(), stream.fileno())


def _usage_error(exc: Any) -> UserError:
    message = str(exc.format_message()).rstrip(".")
    command = exc.ctx.command_path if getattr(exc, "ctx", None) else "mcpapps"
    return UserError(message[:1].lower() + message[1:], help=f"see {command} --help")


def _interrupt(*_: object) -> None:
    """End as Ctrl-C does: what was started, such as the user's server, is ended first."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.raise_signal(signal.SIGINT)


def _hold_back_ignored() -> None:
    """Hold SIGINT back where it is ignored, as a script's shell does for a job in the background.

    asyncio ends its work well only on a SIGINT that has Python's handler.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _read_names_as_utf8() -> None:
    """Begin anew where Python takes file names for another encoding, such as ASCII.

    Pages, projects and the watching of files name files in Unicode. Our children are started in
    the environment as it is.
    """
    if sys.getfilesystemencoding() != "utf-8" and not sys.flags.utf8_mode and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def main() -> NoReturn:
    """Run the process's command line, and end the process."""
    _read_names_as_utf8()
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)
    _hold_back_ignored()
    if (ended := getattr(signal, "SIGCHLD", None)) is not None:
        # Where who started us ignores it, the system forgets how our children ended.
        signal.signal(ended, signal.SIG_DFL)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A result may have letters that the system's encoding lacks. stderr does this by itself.
        sys.stdout.reconfigure(errors="backslashreplace")
    # What is imported stays, so that looking through it for garbage only takes time.
    gc.freeze()
    gc.set_threshold(_GARBAGE, *gc.get_threshold()[1:])
    gc.enable()
    status = run(sys.argv[1:])
    gc.freeze()
    sys.exit(int(status))
