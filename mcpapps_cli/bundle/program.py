"""The modules of a page as one program: which engine they need, and what it made of them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from mcpapps_cli.bundle import jsx
from mcpapps_cli.bundle.source import (
    BRIDGE,
    Folder,
    Place,
    Source,
    absence,
    is_local,
    is_misnamed,
    is_network,
)
from mcpapps_cli.markup.page import Page, Reference, Script

_TYPED: Final = frozenset({".ts", ".tsx", ".mts", ".cts"})
_SUFFIXES: Final = frozenset({*_TYPED, ".js", ".mjs", ".jsx", ".json", ".css"})
_MARK: Final = re.compile(
    r"\bimport\.meta\.(?:env|glob)\b|\bprocess\.env\b"
    r"|\bnew\s+Worker\s*\(\s*new\s+URL\s*\(\s*[\"'`]"
)
_JOINS: Final = "a View is one file, and esbuild joins its modules"
_IMPORT: Final = re.compile(r"(?<![.\w$])(?:import|export)(?![\w$]|\s*:)")


class Need(NamedTuple):
    """Why a page cannot do without an engine.

    Attributes:
        what: What asks for it.
        place: Where.
        why: What esbuild does with it.
    """

    what: str
    place: Place
    why: str = "it turns that into JavaScript"


class Part(NamedTuple):
    """A module script and its file; the page itself when the script is inside it."""

    script: Script
    file: Source


class Program(NamedTuple):
    """The modules of a page, in the order in which they run.

    Attributes:
        parts: Every module script that is not on the network.
        sheets: Every linked style sheet that is a file, and that file.
        need: What needs an engine; None when nothing does.
        jsx: Whether all that needs one is JSX without other imports.
    """

    parts: tuple[Part, ...]
    sheets: tuple[tuple[Reference, Source], ...]
    need: Need | None
    jsx: bool = False


def read_program(source: Source, page: Page, folder: Folder) -> Program:
    """Return the modules and sheets of a page.

    Raises:
        SourceError: A file cannot be read, or is no script of a browser's.
    """
    parts, needs, only_jsx = [], [], True
    for script in page.scripts:
        if script.token.foreign or script.type not in ("classic", "module"):
            continue
        file = _file(source, script, folder)
        if file is None:
            continue
        if script.type == "classic":
            _refuse_typed(source, script, file)
            continue
        parts.append(Part(script, file))
        place = _place(source, script) if script.src else None
        suffix = file.path.suffix.lower()
        if place is not None and suffix in _TYPED:
            needs.append(Need(f'"{place.text}"', place))
            only_jsx = False
        elif place is not None and suffix == ".jsx":
            needs.append(Need(f'"{place.text}"', place))
            text = jsx_probe(file)
            only_jsx = only_jsx and text is not None and _need(text, 0, None) is None
        elif found := _need(file, *(_span(source, script, file))):
            needs.append(found)
            only_jsx = False
    sheets = (
        tuple(
            (reference, _sheet(source, reference, folder))
            for reference in page.references
            if reference.kind == "style" and not reference.inert and is_local(reference.url)
        )
        if needs
        else ()
    )
    return Program(tuple(parts), sheets, needs[0] if needs else None, bool(needs) and only_jsx)


def jsx_probe(file: Source) -> Source | None:
    """Return a JSX file as JavaScript where that can be had, to look for imports in it."""
    return jsx.transform_jsx(file) if jsx.is_available() else None


def module_text(part: Part) -> str | None:
    """Return a script of the page with its line and column kept; None for a file."""
    script, page = part.script, part.file.text
    if script.src is not None:
        return None
    before = page[: script.start]
    lines = before.count("\n")
    column = len(before) - (before.rfind("\n") + 1)
    return "\n" * lines + " " * column + page[script.start : script.end]


def _need(file: Source, start: int, end: int | None) -> Need | None:
    text = file.text[start:end]
    if _IMPORT.search(text):
        from mcpapps_cli.markup.js import imports

        for found in imports(text):
            at = start + found.spec_start
            place = Place(file, at, max(1, found.spec_end - found.spec_start))
            if found.computed or is_network(found.specifier):
                continue
            if is_misnamed(found.specifier):
                place.refuse_name()
            if found.specifier.startswith((".", "/")):
                _check_exists(file, found.specifier, place)
            static = found.kind in ("static", "side-effect")
            if found.specifier == BRIDGE and static:
                continue
            if not found.specifier.startswith(("data:", "blob:")):
                return Need(f'the import of "{found.specifier}"', place, _JOINS)
    if mark := _MARK.search(text):
        place = Place(file, start + mark.start(), len(mark.group()))
        return Need(f'"{mark.group().split("(")[0].strip()}"', place, _JOINS)
    return None


def _check_exists(file: Source, specifier: str, place: Place) -> None:
    """Refuse the import of a file that is not there, before an engine is asked for it."""
    path = file.path.parent / specifier.partition("?")[0].partition("#")[0]
    if specifier.startswith("/") or path.suffix not in _SUFFIXES or path.exists():
        # An engine knows more places and endings than this.
        return
    if any(path.with_suffix(typed).exists() for typed in _TYPED):
        # TypeScript names what a file will be compiled to.
        return
    place.fail(*absence(specifier, file, path))


def _file(source: Source, script: Script, folder: Folder) -> Source | None:
    if script.src is None:
        return source if script.type == "module" else None
    url = (script.src.value or "").strip()
    if url == BRIDGE or not is_local(url):
        return None
    return folder.text(url, _place(source, script))


def _sheet(source: Source, reference: Reference, folder: Folder) -> Source:
    place = Place(source, reference.start, reference.end - reference.start)
    return folder.sheet(reference.url, place)


def _span(source: Source, script: Script, file: Source) -> tuple[int, int | None]:
    return (0, None) if file is not source else (script.start, script.end)


def _place(source: Source, script: Script) -> Place:
    assert script.src is not None
    return Place(source, script.src.value_start, script.src.value_end - script.src.value_start)


def _refuse_typed(source: Source, script: Script, file: Source) -> None:
    if file.path.suffix.lower() in (*_TYPED, ".jsx"):
        place = _place(source, script)
        place.fail(
            f'"{place.text}" is no classic script', 'write <script type="module"> around its name'
        )
