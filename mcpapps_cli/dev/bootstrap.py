"""Run in the user's interpreter: import what the last run imported, wait, then run its program.

Usage: `python bootstrap.py`, with an order on stdin (`_read_block`), then the word to go. Where it
can be copied without harm it stays as it is, and each further order makes a copy of it. Needs
only what an interpreter has loaded anyway, so that a program started here meets what it would meet
when started plainly: argv, path, `__main__`, environment, signals, warnings and threads are the
same. Each file that the program imports, reads or writes is noted in a file, for whoever watches.
"""

# Importing pathlib would take time, and be seen by the program.
# ruff: noqa: PTH100, PTH109, PTH113, PTH115, PTH116, PTH118, PTH120, PTH123, PTH208

from __future__ import annotations

import sys

if __name__ == "__main__" and not getattr(sys.flags, "safe_path", False):
    # First of all: what lies beside this file is not for the program, nor for what is imported now.
    del sys.path[0]

import builtins
import marshal
import os
from typing import Any, NoReturn

_REPORT_FD = 250
_WRITING = os.O_WRONLY | os.O_RDWR


def _read_exactly(count: int) -> bytes:
    """Read from stdin, and not a byte more: the rest belongs to the program."""
    data = b""
    while len(data) < count:
        chunk = os.read(0, count - len(data))
        if not chunk:
            # Whoever started this process has gone.
            os._exit(0)
        data += chunk
    return data


def _read_block() -> Any:
    return marshal.loads(_read_exactly(int(_read_exactly(8))))


def _write_block(value: Any) -> None:
    data = marshal.dumps(value, 2)
    os.write(1, b"%08d" % len(data) + data)


def _site_folders() -> list[str]:
    site = sys.modules.get("site")
    if site is None or sys.flags.no_site:
        return []
    found = list(site.getsitepackages())
    if site.ENABLE_USER_SITE:
        found.append(site.getusersitepackages())
    return found


def _warm(names: list[str]) -> list[str]:
    """Import modules by name; return those that could not be imported."""
    failed = []
    for name in names:
        try:
            __import__(name)
        except BaseException:
            failed.append(name)
    return failed


def _stamps(names: list[str]) -> dict[str, tuple[int, int]]:
    found = {}
    for name in names:
        file = getattr(sys.modules.get(name), "__file__", None)
        if isinstance(file, str):
            found[file] = _stamp(file)
    return found


def _stamp(file: str) -> tuple[int, int]:
    try:
        info = os.stat(file)
    except OSError:
        return (0, 0)
    return (info.st_mtime_ns, info.st_size)


def _shadowed(names: list[str], folder: str) -> bool:
    """Whether the program's own folder has a module of the name of one imported already."""
    tops = {name.partition(".")[0] for name in names}
    try:
        entries = os.listdir(folder)
    except OSError:
        return True
    return any(entry.partition(".")[0] in tops for entry in entries)


class _Notes:
    """Notes what the program does with files, by audit events: nothing else stays visible."""

    def __init__(self, path: str, root: str):
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        # High, so that the program's own files get the numbers they always had.
        try:
            self._fd = os.dup2(fd, _REPORT_FD, inheritable=False)
            os.close(fd)
        except OSError:
            self._fd = fd
        self._root = root
        self._seen: set[str] = set()
        self._busy = False

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        if event not in ("exec", "open", "os.putenv") or self._busy:
            return
        self._busy = True
        try:
            if event == "exec":
                self._executed(args[0])
            elif event == "open":
                self._opened(*args)
            elif _by_the_program(sys._getframe(1), self._root):
                self._note("e", os.fsdecode(args[0]))
        except BaseException:
            # The program must not notice.
            return
        finally:
            self._busy = False

    def _executed(self, code: Any) -> None:
        if code.co_name != "<module>":
            return
        file = code.co_filename
        name = next(reversed(sys.modules))
        spec = getattr(sys.modules[name], "__spec__", None)
        self._note("m", name if getattr(spec, "origin", None) == file else "", file)

    def _opened(self, file: Any, mode: Any, flags: Any) -> None:
        if not isinstance(file, str):
            return
        path = os.path.normpath(os.path.join(os.getcwd(), file))
        if path.startswith(self._root) and not path.endswith((".py", ".pyc")):
            writes = isinstance(flags, int) and flags & _WRITING
            self._note("w" if writes else "r", path)

    def _note(self, *fields: str) -> None:
        line = "\t".join(fields) + "\n"
        if line not in self._seen:
            self._seen.add(line)
            os.write(self._fd, line.encode("utf-8", "surrogateescape"))


def _by_the_program(frame: Any, root: str) -> bool:
    """Whether the innermost module being run above `frame` is the program's own."""
    while frame is not None:
        if frame.f_code.co_name == "<module>":
            file = str(frame.f_code.co_filename)
            return "site-packages" not in file and "dist-packages" not in file
        frame = frame.f_back
    return True


def _new_main() -> Any:
    main = type(sys)("__main__")
    main.__dict__["__builtins__"] = builtins
    if sys.version_info < (3, 14):
        main.__dict__["__annotations__"] = {}  # noqa: RUF063
    sys.modules["__main__"] = main
    return main


def _run_script(script: str) -> None:
    # As the interpreter does it: absolute, but not tidied.
    path = os.path.abspath(script) if os.name == "nt" else os.path.join(os.getcwd(), script)
    from _frozen_importlib_external import SourceFileLoader

    main = _new_main()
    main.__dict__.update(
        __file__=path, __loader__=SourceFileLoader("__main__", path), __spec__=None
    )
    if sys.version_info < (3, 15):
        main.__dict__["__cached__"] = None
    with open(path, "rb") as file:
        source = file.read()
    exec(compile(source, path, "exec", dont_inherit=True), main.__dict__)


def _run_module(name: str) -> None:
    import runpy

    _new_main()
    runpy._run_module_as_main(name)  # type: ignore[attr-defined]


def _run(argv: list[str]) -> None:
    if argv[0] == "-m":
        sys.argv = ["-m", *argv[2:]]
        _run_module(argv[1])
    else:
        sys.argv = list(argv)
        _run_script(argv[0])


def _first_path(argv: list[str]) -> str:
    if argv[0] == "-m":
        return os.getcwd()
    return os.path.dirname(os.path.realpath(argv[0]))


def _hide_ourselves(exc: BaseException) -> None:
    """Let the traceback of an uncaught error begin where it would in a plain start."""
    shown = sys.excepthook

    def show(kind: Any, value: Any, trace: Any) -> None:
        sys.excepthook = shown
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        if value is not None:
            value.__traceback__ = trace
        shown(kind, value, trace)

    sys.excepthook = show


def _start_plainly(order: dict[str, Any], *, stale: bool) -> NoReturn:
    if stale:
        with open(order["report"], "a") as notes:
            notes.write("p\n")
    os.execv(sys.executable, [sys.executable, *order["plain"]])


def _can_be_copied() -> bool:
    """Whether a copy of this process has all that this one has: no thread, no socket, no loop."""
    if sys.platform != "linux" or len(sys._current_frames()) != 1:
        return False
    try:
        if len(os.listdir("/proc/self/task")) != 1:
            with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
                # Its threads end before a fork, and begin anew after it.
                if "openblas" not in maps.read():
                    return False
        return all(_is_plain(int(fd)) for fd in os.listdir("/proc/self/fd") if int(fd) > 2)
    except OSError:
        return False


def _is_plain(fd: int) -> bool:
    try:
        return os.readlink(f"/proc/self/fd/{fd}").startswith("/")
    except OSError:
        # The one that listed them.
        return True


def _serve_copies(order: dict[str, Any]) -> None:
    """Make a copy of this process for each word on stdin; returns only in the copies.

    A line on stdout tells of each copy (`+` and its process id) and of its end (`-`, the process
    id and the exit code).
    """
    import _signal  # type: ignore[import-not-found]

    def tell_ends(number: int, frame: Any) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            os.write(1, b"-%d %d\n" % (pid, os.waitstatus_to_exitcode(status)))

    before = _signal.signal(_signal.SIGCHLD, tell_ends)
    while True:
        told = _read_block()
        if os.fork() == 0:
            _signal.signal(_signal.SIGCHLD, before)
            order["report"] = told["report"]
            _become_a_process(told["pipes"])
            return


def _become_a_process(pipes: str) -> None:
    """Take named pipes as stdin, stdout and stderr, in a session of its own."""
    os.setsid()
    # Whoever made them has them open; if not, it has gone, and nothing may wait for it.
    modes = (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY)
    try:
        opened = [os.open(f"{pipes}.{fd}", mode | os.O_NONBLOCK) for fd, mode in enumerate(modes)]
        os.write(1, b"+%d\n" % os.getpid())
    except OSError:
        os._exit(0)
    for fd, pipe in enumerate(opened):
        os.set_blocking(pipe, True)
        os.dup2(pipe, fd)
        os.close(pipe)
    if "numpy.random" in sys.modules:
        # As the standard library does it by itself: copies must not draw the same numbers.
        sys.modules["numpy.random"].seed()


def main() -> None:
    """Follow the order on stdin."""
    order = _read_block()
    names: list[str] = order["modules"]
    failed = _warm(names)
    stamps = _stamps(names)
    argv: list[str] = order["argv"]
    copied = order["copies"] and _can_be_copied()
    _write_block(
        {
            "failed": failed,
            "site": _site_folders(),
            "stdlib": os.path.dirname(os.__file__),
            "copies": copied,
        }
    )
    if copied:
        _serve_copies(order)
    _read_exactly(2)
    first = _first_path(argv)
    # Also for a program that is not there: the interpreter says it best.
    missing = argv[0] != "-m" and not os.path.isfile(argv[0])
    stale = bool(names) and (
        _shadowed(names, first) or any(_stamp(file) != stamp for file, stamp in stamps.items())
    )
    if missing or stale:
        _start_plainly(order, stale=stale)
    if not getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, first)
    sys.orig_argv[:] = [sys.orig_argv[0], *order["plain"]]
    sys.addaudithook(_Notes(order["report"], order["root"]))
    try:
        _run(argv)
    except BaseException as exc:
        _hide_ourselves(exc)
        raise


if __name__ == "__main__":
    main()
