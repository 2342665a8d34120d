"""Values that options and files share: command lines, dotenv files and `${VAR}`."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mcpapps_cli.errors import ConfigError
from mcpapps_cli.model import SampleCall

_VARIABLE = r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}"


def split_pair(
    entry: str, option: str, form: str, faults: list[str], *, separator: str = "="
) -> tuple[str, str] | None:
    """Return name and value of an option such as `--env NAME=VALUE`.

    Args:
        entry: What was given.
        option: The option, for the fault.
        form: How it is written, for the fault.
        faults: Where the fault goes; then None is returned. It never shows the value.
        separator: What is between name and value.
    """
    name, between, value = entry.partition(separator)
    if not name.strip():
        faults.append(f"{option}: a value has no name; write {form}")
    elif not between:
        faults.append(f'{option}: "{name}" has no value; write {form}')
    else:
        return name.strip(), value
    return None


def refuse(faults: Sequence[str]) -> None:
    """Accept options that have no fault.

    Raises:
        ConfigError: There is one; every fault is named.
    """
    if faults:
        raise ConfigError(
            "the options cannot be used", help="correct what is named above", details=tuple(faults)
        )


def split_command(text: str, faults: list[str], name: str) -> tuple[str, ...]:
    """Return argv of a command line; a fault of its quoting goes to `faults`."""
    try:
        argv = shlex.split(text, posix=os.name != "nt")
    except ValueError as exc:
        faults.append(f"{name}: {text!r}: {str(exc).lower()}")
        return ("",)
    if not argv:
        faults.append(f"{name}: is empty")
        return ("",)
    return tuple(argv)


def read_env_file(path: Path, faults: list[str], *, named: str = "env-file") -> dict[str, str]:
    """Return the variables of a dotenv file; an unreadable file is a fault of `named`."""
    from dotenv import dotenv_values

    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        faults.append(f'{named}: "{path}" does not exist')
        return {}
    except (OSError, UnicodeDecodeError) as exc:
        faults.append(f'{named}: "{path}" cannot be read: {exc}')
        return {}
    values = dotenv_values(stream=io.StringIO(text))
    return {name: value for name, value in values.items() if value is not None}


def expand(text: str, variables: Mapping[str, str], faults: list[str], subject: str) -> str:
    """Return `text` with `${VAR}`, `${env:VAR}` and `${VAR:-default}` replaced.

    A variable that is neither set nor has a default is a fault of `subject`.
    """

    def value(match: re.Match[str]) -> str:
        default: str | None = match[2]
        found = variables.get(match[1], default)
        if found is None:
            faults.append(f'{subject}: environment variable "{match[1]}" is not set')
            return ""
        return found

    return re.sub(_VARIABLE, value, text)


def sample_calls(texts: Sequence[str]) -> tuple[SampleCall, ...]:
    """Return the calls that options name as `TOOL=JSON`.

    Raises:
        ConfigError: one names no tool, or has arguments that are no JSON object.
    """
    faults: list[str] = []
    calls = [_sample_call(text, faults) for text in texts]
    refuse(faults)
    return tuple(call for call in calls if call is not None)


def _sample_call(text: str, faults: list[str]) -> SampleCall | None:
    form = """TOOL=JSON, such as get_forecast='{"city": "Oslo"}' or now={}"""
    pair = split_pair(text, "--call", form, faults)
    if pair is None:
        return None
    name, given = pair
    try:
        args: Any = json.loads(given)
    except json.JSONDecodeError as exc:
        where = f"character {exc.pos + 1} of {given!r}"
        fault = f"{exc.msg[:1].lower()}{exc.msg[1:]} at {where}"
        faults.append(f'--call: the arguments of "{name}" are not JSON: {fault}; write {form}')
    except RecursionError:
        faults.append(f'--call: the arguments of "{name}" are nested too deep')
    else:
        if isinstance(args, dict):
            return SampleCall(name, args)
        faults.append(f'--call: the arguments of "{name}" are no JSON object; write {form}')
    return None
