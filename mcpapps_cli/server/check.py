"""What an author may declare; a refusal names the argument, the value and the rule."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from mcpapps_cli import wire
from mcpapps_cli.csp import source_fault
from mcpapps_cli.errors import ConfigError
from mcpapps_cli.metadata import resource_meta
from mcpapps_cli.metadata.problem import printable
from mcpapps_cli.model import Csp
from mcpapps_cli.wire import Visibility

CspLike = Csp | Mapping[str, Sequence[str] | None]
"""Our `Csp`, or an object with the keys of `wire.CSP_KEYS`."""

_NOT_IN_A_URI: Final = re.compile(r"[\s\x00-\x20\x7f<>\"\\^`|\ud800-\udfff]")
_BRACES: Final = re.compile(r"[{}]")
_HALF_A_PAIR: Final = re.compile(r"[\ud800-\udfff]")


def checked_uri(argument: str, value: object, *, template: bool = False) -> str:
    """Return the URI of a UI resource (specification, UI Resource Format).

    Args:
        argument: How the author names it.
        value: What was given.
        template: Whether `{variable}` may be in it.

    Raises:
        ValueError: It is no string, has another scheme, or holds what no URI holds.
    """
    if not isinstance(value, str):
        raise ValueError(
            f'{argument} must be a "{wire.URI_SCHEME}" URI, not {type(value).__name__}'
        )
    if not value.startswith(wire.URI_SCHEME):
        raise ValueError(f'{argument} "{printable(value)}" must start with "{wire.URI_SCHEME}"')
    if found := _NOT_IN_A_URI.search(value):
        raise ValueError(f"{argument} {value!r} contains {found.group()!r}, which no URI does")
    if not template and _BRACES.search(value):
        raise ValueError(
            f'{argument} "{value}" is a template; a host reads exactly what is written here, '
            "so give one URI, and register the template with Apps.page"
        )
    return value


def checked_text(argument: str, value: object, *, empty: bool = True) -> str:
    """Return a string that can be sent.

    Args:
        argument: How the author names it.
        value: What was given.
        empty: Whether it may be empty.

    Raises:
        ValueError: It is no string, is empty, or holds half a surrogate pair, which UTF-8 cannot
            write.
    """
    if not isinstance(value, str) or not (value or empty):
        wanted = "a string" if empty else "a non-empty string"
        raise ValueError(f"{argument} {reprlib.repr(value)} must be {wanted}")
    if found := _HALF_A_PAIR.search(value):
        raise ValueError(f"{argument} contains {found.group()!r}, which is no character")
    return value


def checked_words(name: object, title: object, description: object) -> None:
    """Refuse what is said to people when it is no text; None counts as not said.

    Raises:
        ValueError: It names the argument.
    """
    said = {"name": name, "title": title, "description": description}
    for argument, value in said.items():
        if value is not None:
            checked_text(argument, value, empty=argument != "name")


def checked_flag(argument: str, value: object) -> bool:
    """Return True or False.

    Raises:
        ValueError: It is neither.
    """
    if not isinstance(value, bool):
        raise ValueError(f"{argument} {reprlib.repr(value)} must be True or False")
    return value


def checked_function(argument: str, value: object) -> None:
    """Refuse what cannot be called.

    Raises:
        ValueError: It names the argument and the value.
    """
    if not callable(value):
        raise ValueError(f"{argument} {reprlib.repr(value)} must be a function")


def checked_list(argument: str, value: object, wanted: str) -> list[Any]:
    """Return the entries of a list or of anything like it.

    Args:
        argument: How the author names it.
        value: What was given.
        wanted: What it should be, after "must be".

    Raises:
        ValueError: It is a string, or cannot be iterated.
    """
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        shown = f'"{printable(value)}"' if isinstance(value, str) else reprlib.repr(value)
        raise ValueError(f"{argument} must be {wanted}, not {shown}")
    return list(value)


def checked_meta(value: object) -> dict[str, Any]:
    """Return a copy of what an author says in `_meta` himself; None is nothing.

    Raises:
        ValueError: It is no object, or a key is no string.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ValueError(
            f"meta {reprlib.repr(value)} must be an object such as {{'example.com/key': 1}}"
        )
    for key in value:
        if not isinstance(key, str):
            raise ValueError(f"meta has the key {key!r}, and a key must be a string")
    return dict(value)


def checked_visibility(value: object) -> list[Visibility]:
    """Return who may call a tool (specification, Visibility).

    Raises:
        ValueError: It is no list of "model" and "app", or an empty one.
    """
    words = checked_list("visibility", value, 'a list such as ["app"]')
    for word in words:
        if word not in wire.VISIBILITIES:
            raise ValueError(f'visibility entry {word!r} must be "model" or "app"')
    if not words:
        raise ValueError('visibility [] lets nobody call the tool; name "model", "app" or both')
    return list(dict.fromkeys(cast("list[Visibility]", words)))


def checked_ui(
    *,
    csp: CspLike | None = None,
    permissions: Iterable[str] = (),
    domain: str | None = None,
    prefers_border: bool | None = None,
) -> dict[str, Any]:
    """Return `_meta.ui` of a UI resource (specification, UI Resource Format).

    Raises:
        ValueError: An unknown key or permission, a value of another type, or an entry of `csp`
            that is no origin.
    """
    names = checked_list("permissions", permissions, 'a list such as ["camera"]')
    if domain is not None:
        checked_text("domain", domain, empty=False)
    if prefers_border is not None and not isinstance(prefers_border, bool):
        raise ValueError(f"prefers_border {prefers_border!r} must be True, False or None")
    try:
        return resource_meta(
            csp=None if csp is None else _checked_csp(csp),
            permissions=names,
            domain=domain,
            prefers_border=prefers_border,
        )
    except ConfigError as error:
        raise ValueError(f"permissions: {error.message}; {error.help}") from None


def _checked_csp(value: CspLike) -> Csp:
    if isinstance(value, Csp):
        lists = dict(
            zip(
                wire.CSP_KEYS,
                (value.connect, value.resource, value.frame, value.base_uri),
                strict=True,
            )
        )
    elif isinstance(value, Mapping):
        for key in value:
            if key not in wire.CSP_KEYS:
                known = ", ".join(wire.CSP_KEYS)
                raise ValueError(f"csp has the unknown key {key!r}; the keys are {known}")
        lists = {key: _origins(key, value.get(key)) for key in wire.CSP_KEYS}
    else:
        raise ValueError(f"csp must be an object of origin lists, not {type(value).__name__}")
    for key, origins in lists.items():
        for origin in origins:
            fault = source_fault(origin) if isinstance(origin, str) else "is no string"
            if fault is not None:
                shown = printable(origin) if isinstance(origin, str) else origin
                raise ValueError(
                    f'csp.{key} entry "{shown}" {fault}; write an origin such as '
                    '"https://api.example.com"'
                )
    connect, resource, frame, base_uri = (tuple(lists[key]) for key in wire.CSP_KEYS)
    return Csp(connect=connect, resource=resource, frame=frame, base_uri=base_uri)


def _origins(key: str, value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(checked_list(f"csp.{key}", value, "a list of origins"))
