"""The origins that a View uses, beside those that it declares."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mcpapps_cli import wire
from mcpapps_cli.bundle.source import Place, Source
from mcpapps_cli.bundle.tally import Tally, Use
from mcpapps_cli.errors import SourceError
from mcpapps_cli.model import Csp, Notice, Position, View

if TYPE_CHECKING:
    from mcpapps_cli.markup.literal import StringLiteral

_URL: Final = r"(?i)[\"'`](?P<url>(?:https?|wss?)://[^\"'`\s\\$<>{}]+)"
# What stands before an address that a script loads from or connects to.
_CONNECTS: Final = (
    r"(?:(?<![\w$])(?:fetch|sendBeacon|importScripts)\s*\(\s*"
    r"|(?<![\w$])new\s+(?:WebSocket|EventSource|WebTransport)\s*\(\s*"
    r"|\.open\s*\(\s*[\"'`][A-Za-z]+[\"'`]\s*,\s*)\Z"
)
_LOADS: Final = r"(?:(?<![\w$.])import\s*\(?\s*|(?<![\w$])from\s*)\Z"
_SHOWS: Final = (
    r"(?:\.src\s*=\s*|(?<![\w$])src\s*:\s*|[\"'`]src[\"'`]\s*,\s*"
    r"|new\s+(?:Image|Audio)\s*\(\s*)\Z"
)
_LOOK_BACK: Final = 60
# They name a vocabulary; nobody loads them.
_NAMES: Final = ("http://www.w3.org/", "https://www.w3.org/", "http://json-schema.org/")


def note_script_origins(script: str, own: tuple[Source, ...], tally: Tally) -> None:
    """Note the addresses that a finished script loads from or connects to.

    Args:
        script: As it runs, so that what was left out of it does not count.
        own: The files that it was made of; the place of an address is sought there.
        tally: Where they go.
    """
    literals: dict[int, None] | None = None
    for match in re.finditer(_URL, script):
        kind = _kind(script[max(0, match.start() - _LOOK_BACK) : match.start()])
        url = match["url"]
        if kind is None or url.startswith(_NAMES):
            continue
        if literals is None:
            # Only now, for a scan of a large script takes long: is it text in a comment?
            literals = {each.start: None for each in _literals(script)}
        place = _place_of(url, own) if match.start() in literals else None
        if place is not None:
            tally.keep(url, kind, place)


def note_constants(scripts: Iterable[str], own: tuple[Source, ...], tally: Tally) -> None:
    """Note the addresses that finished scripts hold under a name and use elsewhere.

    Args:
        scripts: As they run; an address that is in none of them does not count.
        own: The files that they were made of.
        tally: Where they go.
    """
    scripts = tuple(scripts)
    if not any(re.search(_URL, text) for text in scripts):
        return
    from mcpapps_cli.bundle.constant import constants

    code = tuple(file for file in own if file.path.suffix not in (".css", ".json"))
    for found in constants(code, _kind):
        if any(found.url in text for text in scripts):
            tally.keep(found.url, found.kind, found.place)


def undeclared_error(view: View, uses: Iterable[Use]) -> SourceError:
    """Return the error that names every undeclared origin, and the lines to declare them."""
    first, *others = uses
    wanted: dict[str, dict[str, None]] = {}
    for use in (first, *others):
        wanted.setdefault(use.key, {})[use.origin] = None
    declared = _lists(view.csp)
    lines = [f"{key} = {json.dumps([*declared[key], *origins])}" for key, origins in wanted.items()]
    error = SourceError(
        f'"{first.url}" is not declared, so hosts block it',
        first.place.source.at(first.place.start, first.place.length),
        help=f"add {', '.join(lines)} to csp of [tool.mcpapps.views.{view.name}], "
        "or use a local file",
    )
    places = [(use, use.place.source.at(use.place.start)) for use in others]
    error.details = tuple(
        f'{place.path}:{place.line}:{place.column}: "{use.url}" is not declared either'
        for use, place in places
    )
    return error


def widened(declared: Csp | None, uses: Iterable[Use]) -> Csp | None:
    """Return the declaration with the origins that are used and were not declared."""
    lists = {key: dict.fromkeys(origins) for key, origins in _lists(declared).items()}
    found = False
    for use in uses:
        lists[use.key][use.origin] = None
        found = True
    return Csp(*(tuple(lists[key]) for key in wire.CSP_KEYS)) if found else declared


def unused_origins(view: View, root: Path, texts: Iterable[str]) -> Iterator[Notice]:
    """Return a notice for each declared origin of which no text of the View speaks."""
    document = "\n".join(texts).lower()
    for key, origins in _lists(view.csp).items():
        for origin in origins:
            host = origin.lower().partition("://")[2].removeprefix("*.").partition(":")[0]
            if host and host not in document:
                yield Notice(
                    f'"{origin}" is declared in {key} and not used',
                    "remove it, unless the address is made at run time",
                    _declaration(origin, root, view),
                )


def _kind(before: str) -> str | None:
    if re.search(_CONNECTS, before):
        return "connect"
    if re.search(_LOADS, before):
        return "script"
    return "image" if re.search(_SHOWS, before) else None


def _literals(script: str) -> Iterator[StringLiteral]:
    from mcpapps_cli.markup import js

    yield from js.strings(script)
    yield from js.template_heads(script)


def _place_of(url: str, own: tuple[Source, ...]) -> Place | None:
    for file in own:
        at = file.text.find(url)
        if at >= 0:
            return Place(file, at, len(url))
    # An engine may have put it together, or it is a package's.
    return Place(own[0], 0, 1) if own else None


def _lists(declared: Csp | None) -> dict[str, tuple[str, ...]]:
    csp_ = declared or Csp()
    values = (csp_.connect, csp_.resource, csp_.frame, csp_.base_uri)
    return dict(zip(wire.CSP_KEYS, values, strict=True))


def _declaration(origin: str, root: Path, view: View) -> Position:
    for name in ("mcpapps.toml", "pyproject.toml"):
        try:
            text = (root / name).read_text("utf-8")
        except (OSError, ValueError):
            continue
        at = text.find(f'"{origin}"')
        if at >= 0:
            return Source(root / name, name, text).at(at + 1, len(origin))
    return Position(view.name, 1, 1)
