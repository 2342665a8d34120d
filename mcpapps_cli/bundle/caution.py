"""What scripts do that a sandboxed View cannot: told with its place and what to do instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from mcpapps_cli.bundle.policy import is_handler
from mcpapps_cli.bundle.program import Program
from mcpapps_cli.bundle.source import Folder, Place, Source
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.markup.page import Page


class _Caution(NamedTuple):
    pattern: str
    message: str
    help: str


# Each compiled when a script has one of them; few scripts do.
_FROM_TEXT: Final = _Caution(
    r"(?<![\w$.])(?:eval\s*\(|new\s+Function\s*\()",
    "the policy of the specification blocks code made from text",
    "write the code itself, or use a library that does not need this",
)
_CAUTIONS: Final = (
    _FROM_TEXT,
    _Caution(
        r"(?<![\w$.])WebAssembly\s*\.",
        "the policy of the specification blocks WebAssembly",
        "do the work in JavaScript, or in a tool of the server",
    ),
    _Caution(
        r"\bserviceWorker\s*\.\s*register\b",
        "a View has no service worker",
        "leave it out: a View is one page that the host keeps",
    ),
    _Caution(
        r"(?<![\w$.])new\s+SharedWorker\s*\(",
        "a View has no shared worker",
        "do the work in the page, or in a tool of the server",
    ),
    _Caution(
        r"(?<![\w$.])new\s+Worker\s*\([^;]*?type\s*:\s*[\"'`]module[\"'`]",
        "a module worker cannot start in a View",
        'write a classic one: new Worker(new URL("./worker.js", import.meta.url))',
    ),
    _Caution(
        r"(?<![\w$.])new\s+Worker\s*\(\s*[\"'`](?!blob:|data:)",
        "a worker is a second file, and a View is one",
        'write new Worker(new URL("./worker.js", import.meta.url)), which becomes part of it',
    ),
    _Caution(
        r"\bhistory\s*\.\s*(?:pushState|replaceState)\s*\("
        r"|(?<![\w$.])(?:createBrowserRouter|createWebHistory)\s*\(|<BrowserRouter[\s>]",
        "a View has no address of its own, so its history cannot change",
        "keep the state in memory: a memory router, or a hash",
    ),
    _Caution(
        r"(?<![\w$])(?:localStorage|sessionStorage|indexedDB)\s*(?:\.|\[)"
        r"|\bdocument\s*\.\s*cookie\b",
        "many hosts give a View no storage, and this throws there",
        "catch the error, or keep the state on the server",
    ),
    _Caution(
        r"(?<![\w$.])fetch\s*\(\s*[\"'`](?!https?:|//|data:|blob:)",
        "a relative address leads nowhere: a View has no server of its own",
        "import the file, or ask the server with callTool()",
    ),
)
_ANY: Final = "|".join(f"(?:{each.pattern})" for each in _CAUTIONS)
_CALL: Final = r"\s*(?:return\s+)?([A-Za-z_$][\w$]*)\s*\("
_COMPUTED: Final = "what a computed import names cannot be bundled"
_OF_A_FOLDER: Final = r"\s*[\"'`]\.\.?/"
_IMPORT_CALL: Final = r"(?<![\w$.])import\s*\("


def caution(own: Source, tally: Tally, start: int = 0, end: int | None = None) -> None:
    """Note what a script of the View cannot do.

    Args:
        own: A script, or a page of which `start` to `end` is one.
        tally: Where notices go.
        start: First character.
        end: After the last character. Default: the end of the text.
    """
    text = own.text[start:end]
    if not re.search(_ANY, text):
        return
    from mcpapps_cli.markup import js

    comments = js.comments(text)
    for each in _CAUTIONS:
        for match in re.finditer(each.pattern, text):
            if any(first <= match.start() < last for first, last in comments):
                continue
            place = Place(own, start + match.start(), match.end() - match.start())
            tally.warn(each.message, each.help, place)
            # Once is enough to know.
            break


def caution_computed(own: Source, tally: Tally, start: int = 0, end: int | None = None) -> None:
    """Note imports of which only the run knows what they name.

    One that begins with a folder is none of them: esbuild takes every file that it may name.

    Args:
        own: A script, or a page of which `start` to `end` is one.
        tally: Where notices go.
        start: First character.
        end: After the last character. Default: the end of the text.
    """
    text = own.text[start:end]
    if not re.search(_IMPORT_CALL, text):
        return
    from mcpapps_cli.markup import js

    for found in js.imports(text):
        if found.computed and not re.match(_OF_A_FOLDER, text[found.end :]):
            tally.warn(
                _COMPUTED,
                "a View is one file: name the modules, or load nothing",
                Place(own, start + found.start, found.end - found.start),
            )


def caution_packages(
    script: str, inputs: Iterable[str], folder: Folder, own: tuple[Source, ...], tally: Tally
) -> None:
    """Note a package that makes code from text, if that part of it is in the finished script.

    Args:
        script: As built; of a package much is left out.
        inputs: The files that it is made of.
        folder: Where they are.
        own: Those that are the View's own, of which `caution` tells.
        tally: Where notices go.
    """
    pattern = re.compile(_FROM_TEXT.pattern)
    # A search with a look back takes long in a script of this size.
    if not any(word in script for word in ("eval(", "new Function(")) or not pattern.search(script):
        return
    from mcpapps_cli.markup import js

    if any(pattern.search(file.text) for file in own):
        return
    for name in inputs:
        file = folder.package_source(name)
        if file is None or not pattern.search(file.text):
            continue
        comments = js.comments(file.text)
        for match in pattern.finditer(file.text):
            if not any(first <= match.start() < last for first, last in comments):
                place = Place(file, match.start(), len(match.group()))
                tally.warn(_FROM_TEXT.message, _FROM_TEXT.help, place)
                return


def note_handlers(source: Source, page: Page, program: Program, tally: Tally) -> None:
    """Note inline handlers that call what only a module knows."""
    modules = "\n".join(
        part.file.text if part.script.src else page.text[part.script.start : part.script.end]
        for part in program.parts
    )
    classic = "\n".join(
        page.text[script.start : script.end] for script in page.scripts if script.type == "classic"
    )
    for token in page.tokens:
        for attr in token.attrs:
            called = re.match(_CALL, attr.value or "") if is_handler(attr) else None
            if called is None or re.search(rf"\b{re.escape(called[1])}\b", classic):
                continue
            name = re.escape(called[1])
            if re.search(rf"(?:globalThis|window)\.{name}\s*=", modules):
                continue
            if re.search(rf"\b(?:function|const|let|var)\s+{name}\b", modules):
                tally.warn(
                    f'"{called[1]}" is known in its module only, so this handler fails',
                    f"use addEventListener() in the module, or set globalThis.{called[1]}",
                    Place(source, attr.value_start, attr.value_end - attr.value_start),
                )
