"""Values of the command line, read by Python itself where Typer would bring in pydantic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import UnionType
from typing import Any, Final, get_args, get_type_hints

from typer.core import TyperCommand

_PLAIN: Final = (str, Path)


class Light:
    """What a command of Typer's is made of so that it can do without pydantic.

    Typer converts even what is absent by pydantic, which takes longer to load than most Views
    take to bundle. Words and paths need no conversion that Python does not know. Numbers are left
    to Typer, which words what is wrong with one.
    """

    callback: Callable[..., Any] | None

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, the help option among them."""
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        hints: Mapping[str, Any] = {}
        for param in params:
            if "process_value" not in vars(param):
                hints = hints or get_type_hints(self.callback or Light)
                param.process_value = partial(_process, param, param.process_value, hints)
        return params


class Command(Light, TyperCommand):
    """A command that can do without pydantic."""


def _process(
    param: Any, convert: Callable[[Any, Any], Any], hints: Mapping[str, Any], ctx: Any, value: Any
) -> Any:
    many = param.multiple or param.nargs != 1
    if value is None and not param.required:
        absent = () if many else None
        return param.callback(ctx, param, absent) if param.callback else absent
    kind = _kind(hints.get(param.name))
    words = value if many else (value,)
    if kind in _PLAIN and words and all(isinstance(each, (str, kind)) for each in words):
        found = tuple(map(kind, words))
        return found if many else found[0]
    return value if kind is not None and isinstance(value, kind) else convert(ctx, value)


def _kind(hint: Any) -> Any:
    """Return the type of one value: `Path` for `list[Path] | None`."""
    if isinstance(hint, UnionType):
        hint = next(each for each in get_args(hint) if each is not type(None))
    return next(iter(get_args(hint)), hint)
