"""What an author may declare; a refusal names the argument, the value and the rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from mcpapps_cli import wire
from mcpapps_cli.csp import source_fault
from mcpapps_cli.errors import ConfigError
from mcpapps_cli.metadata import resource_meta
from mcpapps_cli.model import Csp
from mcpapps_cli.wire import Visibility

CspLike = Csp | Mapping[str, Sequence[str] | None]
"""Our `Csp`, or an object with the keys of `wire.CSP_KEYS`."""

_NOT_IN_A_URI: Final = re.compile(r"[\s\x00-\x20\x7f<>\"\\^`|]")
_BRACES: Final = re.compile(r"[{}]")


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
        raise ValueError(f'{argument} "{value}" must start with "{wire.URI_SCHEME}"')
    if found := _NOT_IN_A_URI.search(value):
        raise ValueError(f"{argument} {value!r} contains {found.group()!r}, which no URI does")
    if not template and _BRACES.search(value):
        raise ValueError(
            f'{argument} "{value}" is a template; a host reads exactly what is written here, '
            "so give one URI, and register the template with Apps.page"
        )
    return value


def checked_visibility(value: object) -> list[Visibility]:
    """Return who may call a tool (specification, Visibility).

    Raises:
        ValueError: It is no list of "model" and "app", or an empty one.
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValueError(f'visibility must be a list such as ["app"], not {value!r}')
    words = list(value)
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
    if isinstance(permissions, str):
        raise ValueError(f'permissions must be a list such as ["camera"], not "{permissions}"')
    if domain is not None and (not isinstance(domain, str) or not domain):
        raise ValueError(f"domain {domain!r} must be a non-empty string")
    if prefers_border is not None and not isinstance(prefers_border, bool):
        raise ValueError(f"prefers_border {prefers_border!r} must be True, False or None")
    try:
        return resource_meta(
            csp=None if csp is None else _checked_csp(csp),
            permissions=list(permissions),
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
                raise ValueError(f'csp has the unknown key "{key}"; the keys are {known}')
        lists = {key: _origins(key, value.get(key)) for key in wire.CSP_KEYS}
    else:
        raise ValueError(f"csp must be an object of origin lists, not {type(value).__name__}")
    for key, origins in lists.items():
        for origin in origins:
            fault = source_fault(origin) if isinstance(origin, str) else "is no string"
            if fault is not None:
                raise ValueError(
                    f'csp.{key} entry "{origin}" {fault}; write an origin such as '
                    '"https://api.example.com"'
                )
    connect, resource, frame, base_uri = (tuple(lists[key]) for key in wire.CSP_KEYS)
    return Csp(connect=connect, resource=resource, frame=frame, base_uri=base_uri)


def _origins(key: str, value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValueError(f'csp.{key} must be a list of origins, not "{value}"')
    return tuple(value)
