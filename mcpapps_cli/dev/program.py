"""A server's command as an interpreter and what it runs, where it is a Python command."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcpapps_cli.model import ServerSpec

_PYTHON = re.compile(r"(?:python|pypy)[\d.]*t?(?:\.exe)?", re.IGNORECASE)
_PLAIN_FLAG = re.compile(r"-[bBdEIOPqRsSuv]+")
_VALUE_FLAGS = ("-W", "-X", "--check-hash-based-pycs")
_UV_PLAIN = frozenset(
    {
        *("--no-sync", "--frozen", "--locked", "--offline", "--quiet", "-q", "--isolated"),
        *("--no-project", "--active", "--all-extras", "--dev", "--no-dev", "--all-groups"),
        *("--no-config", "--no-cache", "-n", "--native-tls", "--exact", "--no-editable"),
        *("--managed-python", "--no-managed-python", "--no-env-file", "--refresh"),
    }
)
_UV_VALUE = frozenset(
    {
        *("--with", "--with-requirements", "--with-editable", "--python", "-p", "--directory"),
        *("--project", "--extra", "--group", "--only-group", "--no-group", "--package"),
        *("--env-file", "--index", "--default-index", "--config-file", "--cache-dir"),
    }
)


class NotPython(Exception):
    """The command cannot be split; the message says why."""


@dataclass(frozen=True, slots=True)
class Program:
    """What a Python command consists of.

    Attributes:
        interpreter: argv that starts the interpreter, such as `("uv", "run", "python")`.
        flags: The interpreter's own options.
        argv: A script with its arguments, or `-m` with a module and its arguments.
    """

    interpreter: tuple[str, ...]
    flags: tuple[str, ...]
    argv: tuple[str, ...]


def read_program(spec: ServerSpec, environ: Mapping[str, str] = os.environ) -> Program:
    """Return the program behind a command.

    Args:
        spec: The command, its folder and environment.
        environ: The environment that `spec.env` is added to.

    Raises:
        NotPython: It is no Python command, or one whose parts cannot be told apart.
    """
    if not spec.command:
        raise NotPython("it is reached by URL")
    first, rest = spec.command[0], list(spec.command[1:])
    name = Path(first).name
    if _PYTHON.fullmatch(name):
        return _split((first,), rest, spec.cwd)
    if name in ("uv", "uv.exe") and rest[:1] == ["run"]:
        return _read_uv(first, rest[1:], spec.cwd)
    path = {**environ, **spec.env}.get("PATH")
    script = shutil.which(first, path=path) if os.sep not in first else str(spec.cwd / first)
    interpreter = _shebang(Path(script)) if script is not None else None
    if script is None or interpreter is None:
        raise NotPython(f'"{name}" is not a Python program')
    return Program(interpreter, (), (script, *rest))


def _split(interpreter: tuple[str, ...], arguments: Sequence[str], cwd: Path) -> Program:
    words = list(arguments)
    flags: list[str] = []
    while words and words[0].startswith("-") and words[0] != "-m":
        word = words.pop(0)
        if word in _VALUE_FLAGS and words:
            flags += [word, words.pop(0)]
        elif _PLAIN_FLAG.fullmatch(word) or word.startswith(("-W", "-X")):
            flags.append(word)
        else:
            raise NotPython(f"python {word} runs no file and no module")
    if not words or (words[0] == "-m" and len(words) < 2):
        raise NotPython("python is given neither a file nor a module")
    if words[0] != "-m" and (cwd / words[0]).is_dir():
        raise NotPython(f'"{words[0]}" is a folder')
    return Program(interpreter, tuple(flags), tuple(words))


def _read_uv(uv: str, arguments: Sequence[str], cwd: Path) -> Program:
    words = list(arguments)
    options: list[str] = []
    while words and words[0].startswith("-") and words[0] not in ("-m", "--module"):
        word = words.pop(0)
        if word in _UV_PLAIN or ("=" in word and word.partition("=")[0] in _UV_VALUE):
            options.append(word)
        elif word in _UV_VALUE and words:
            options += [word, words.pop(0)]
        elif word == "--":
            break
        else:
            raise NotPython(f"uv run {word} uses an environment of its own")
    if not words:
        raise NotPython("uv run is given nothing to run")
    python = (uv, "run", *options, "python")
    if _PYTHON.fullmatch(words[0]):
        return _split((uv, "run", *options, words[0]), words[1:], cwd)
    if words[0] in ("-m", "--module"):
        return _split(python, ["-m", *words[1:]], cwd)
    if words[0].endswith(".py"):
        if _has_inline_metadata(cwd / words[0]):
            raise NotPython("inline script metadata has an environment of its own")
        return _split(python, words, cwd)
    for script in _environment_scripts(words[0], cwd):
        if _shebang(script) is not None:
            return Program(python, (), (str(script), *words[1:]))
    raise NotPython(f'"{words[0]}" is not a Python program of the project\'s environment')


def _environment_scripts(name: str, cwd: Path) -> Iterator[Path]:
    for folder in (cwd, *cwd.parents):
        yield folder / ".venv" / "bin" / name


def _has_inline_metadata(script: Path) -> bool:
    try:
        head = script.read_bytes()[:65536]
    except OSError:
        return False
    return head.startswith(b"# /// script") or b"\n# /// script" in head


def _shebang(script: Path) -> tuple[str, ...] | None:
    """Return argv of the interpreter that a script's first line names, if it is a Python."""
    try:
        with script.open("rb") as file:
            head = file.read(4096).decode("utf-8", "replace").splitlines()
    except OSError:
        return None
    if not head or not head[0].startswith("#!"):
        return None
    words = shlex.split(head[0][2:]) or [""]
    if Path(words[0]).name == "sh" and len(head) > 1 and head[1].startswith("'''exec' "):
        # How installers write an interpreter's path that is too long for a first line.
        words = shlex.split(head[1].removeprefix("'''exec' "))[:1]
    if Path(words[0]).name == "env" and len(words) > 1:
        words = words[1:]
    if len(words) == 1 and _PYTHON.fullmatch(Path(words[0]).name):
        return (words[0],)
    return None
