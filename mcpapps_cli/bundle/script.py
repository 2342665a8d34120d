"""JavaScript as tier none handles it: as it is, with the import of the bridge turned into a use."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Final, NoReturn

from mcpapps_cli.bundle.source import BRIDGE, Place, Source, is_local, is_misnamed, is_network
from mcpapps_cli.bundle.splice import Splice
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.embed import bridge_names

if TYPE_CHECKING:
    from mcpapps_cli.markup.literal import Import

_GLOBAL: Final = "globalThis.mcpapps"
_EXAMPLE: Final = f'write import {{ connect }} from "{BRIDGE}"'
_ADVICE: Final = (
    f'without an engine a View may import nothing but "{BRIDGE}"; '
    "put the code into this file, or into classic scripts before it"
)
_NAME: Final = r"[^\W\d][\w$]*|\$[\w$]*"
_NAMESPACE: Final = rf"\*\s*as\s+({_NAME})"
_NAMED: Final = r"\{([^}]*)\}"
_MEMBER: Final = rf"({_NAME})(?:\s+as\s+({_NAME}))?"
_COMMENT: Final = r"/\*[\s\S]*?\*/|//[^\n]*"


def module_splices(
    source: Source, tally: Tally, start: int = 0, end: int | None = None
) -> list[Splice]:
    """Return the edits that turn a module's import of the bridge into uses of the global.

    The names that the import gives are declared before anything else, for an import may stand
    below its use. Without that import there is nothing to edit.

    Args:
        source: A script file, or a page of which `start` to `end` is an inline module.
        tally: Where notices go.
        start: First character of the module.
        end: After its last character. Default: the end of the text.

    Raises:
        SourceError: It imports something else that is not on the network.
    """
    from mcpapps_cli.markup.js import imports

    splices: list[Splice] = []
    declared = ""
    for found in imports(source.text[start:end]):
        if found.specifier == BRIDGE and found.kind in ("static", "side-effect"):
            declared += _declarations(source, start, found)
            first, last = start + found.start, start + found.end
            # Its line ends stay, so that the lines below keep their numbers.
            splices.append(Splice(first, last, "\n" * source.text.count("\n", first, last)))
        else:
            _check(source, tally, start, found)
    return [Splice(start, start, declared), *splices] if splices else []


def check_classic(source: Source, tally: Tally, start: int = 0, end: int | None = None) -> None:
    """Accept a classic script, in which only a dynamic import could refer to a file.

    Raises:
        SourceError: It imports something that is not on the network.
    """
    from mcpapps_cli.markup.js import imports

    for found in imports(source.text[start:end]):
        if found.kind != "dynamic":
            source.fail(
                "a classic script cannot import",
                start + found.start,
                found.end - found.start,
                'write <script type="module">, and browsers read it as a module',
            )
        _check(source, tally, start, found)


def _check(source: Source, tally: Tally, start: int, found: Import) -> None:
    specifier = found.specifier
    at, length = start + found.spec_start, max(1, found.spec_end - found.spec_start)
    if found.computed:
        tally.warn(
            "what a computed import names cannot be bundled",
            "a View is one file: name a module of the network, or load nothing",
            Place(source, start + found.start, found.end - found.start),
        )
        return
    if is_network(specifier) or specifier.startswith(("data:", "blob:")):
        return
    if is_misnamed(specifier):
        Place(source, at, length).refuse_name()
    if specifier == BRIDGE:
        message, advice = f'"{BRIDGE}" can only be had by a static import', _EXAMPLE
    elif is_local(specifier):
        message, advice = f'the import of "{specifier}" needs an engine', _ADVICE
    else:
        message, advice = f'"{specifier}" cannot be imported by a View', _ADVICE
    source.fail(message, at, length, advice)


def _refuse_export(source: Source, start: int, found: Import, name: str) -> NoReturn:
    match = re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", source.text[start + found.start :])
    at = start + found.start + (match.start() if match else 0)
    near = difflib.get_close_matches(name, sorted(bridge_names()), n=1)
    source.fail(
        f'"{BRIDGE}" has no "{name}"',
        at,
        len(name),
        f'did you mean "{near[0]}"?' if near else f"it has {', '.join(sorted(bridge_names()))}",
    )


def _declarations(source: Source, start: int, found: Import) -> str:
    def refuse(message: str) -> NoReturn:
        source.fail(message, start + found.start, found.end - found.start, _EXAMPLE)

    declared = ""
    rest = re.sub(_COMMENT, " ", found.clause)
    if namespace := re.search(_NAMESPACE, rest):
        declared += f"const {namespace[1]} = {_GLOBAL};"
        rest = rest.replace(namespace[0], "")
    if named := re.search(_NAMED, rest):
        parts = [part.strip() for part in named[1].split(",") if part.strip()]
        members = [re.fullmatch(_MEMBER, part) for part in parts]
        for part, member in zip(parts, members, strict=True):
            if member is None or member[1] == "default":
                refuse(f'"{part}" cannot be imported from "{BRIDGE}"')
        for member in members:
            if member is not None and member[1] not in bridge_names():
                _refuse_export(source, start, found, member[1])
        pairs = ", ".join(f"{m[1]}: {m[2]}" if m[2] else m[1] for m in members if m)
        if pairs:
            declared += f"const {{ {pairs} }} = {_GLOBAL};"
        rest = rest.replace(named[0], "")
    if rest.strip(" ,\t\r\n"):
        refuse(f'"{BRIDGE}" has no default export')
    return declared
