"""From a declared View to its bundle."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import replace
from pathlib import Path

from mcpapps_cli.bundle import jsx
from mcpapps_cli.bundle.caution import caution_computed, note_handlers
from mcpapps_cli.bundle.edits import Edits
from mcpapps_cli.bundle.native import Compiled, compile_program
from mcpapps_cli.bundle.origin import (
    note_script_origins,
    undeclared_error,
    unused_origins,
    widened,
)
from mcpapps_cli.bundle.page import edit_page
from mcpapps_cli.bundle.policy import Governed, find_free, page_policy, policy_meta, policy_splices
from mcpapps_cli.bundle.program import Program, read_program
from mcpapps_cli.bundle.share import hints, shares
from mcpapps_cli.bundle.source import BRIDGE, Folder, Place, Source
from mcpapps_cli.bundle.splice import apply_splices
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.bundle.toolchain import Toolchain
from mcpapps_cli.bundle.verify import verify
from mcpapps_cli.errors import UserError
from mcpapps_cli.markup.page import Page, read_page
from mcpapps_cli.metadata import resource_meta
from mcpapps_cli.model import Bundle, Csp, Position, View

_HASH_DIGITS = 12


def build_bundle(view: View, *, root: Path, toolchain: Toolchain | None = None) -> Bundle:
    """Return one self-contained page made of a View's page and what it refers to.

    Scripts, styles and images become part of the page, the bridge too where it is asked for, and
    the policy stands before all of them. What is on the network stays and is listed. The result
    depends on the files, the declaration and the engine only, never on the machine or the time.

    Args:
        view: The declaration; `entry` is the page.
        root: The project's folder; no file outside its repository is read.
        toolchain: Where engines come from. Default: looked for, and ended afterwards.

    Raises:
        EngineMissing: It needs esbuild, and there is none.
        UserError: The page cannot be read, or the result is too large.
        SourceError: The page or a file it refers to cannot be used; with its position.
    """
    if toolchain is None:
        with Toolchain() as found:
            return build_bundle(view, root=root, toolchain=found)
    folder = Folder(root, allow=view.building.allow_paths)
    tally = Tally(view.csp)
    source = folder.entry(view.entry)
    page = read_page(source.text)
    _note_policies(source, page, tally)
    program = read_program(source, page, folder)
    compiled = _compile(source, page, program, folder, tally, view, toolchain)
    edits = edit_page(source, page, folder, tally, compiled)
    note_handlers(source, page, program, tally)
    own = _own_scripts(source, page, program, folder, compiled)
    _note_origins(edits, own, tally)
    declared = _declared(view, tally)
    meta = _policy(source, page, view, declared, edits, own, compiled, tally)
    # First, so that at one place the policy comes before what is governed by it.
    html = apply_splices(source.text, [*policy_splices(source, page, meta), *edits.splices])
    verify(html, page, edits, meta)
    if not view.building.allow_external:
        body = html.replace(meta, "", 1) if meta else html
        tally.notices += unused_origins(view, folder.root, (body,))
    return _bundle(view, declared, source, html, folder, tally, compiled)


def _note_policies(source: Source, page: Page, tally: Tally) -> None:
    for token in page.csp_metas:
        tally.warn(
            "the page has a policy of its own, and both must allow what it does",
            "remove it, and declare origins in csp of the View",
            Place(source, token.start, token.end - token.start),
        )


def _compile(
    source: Source,
    page: Page,
    program: Program,
    folder: Folder,
    tally: Tally,
    view: View,
    toolchain: Toolchain,
) -> Compiled | None:
    need, engine = program.need, view.building.engine
    if engine == "none" or need is None:
        return None
    if program.jsx and engine != "esbuild" and jsx.is_available() and _has_factory(page, program):
        return None
    if engine == "esbuild-py":
        need.place.fail(
            f"{need.what} is more than esbuild-py can do",
            'it turns JSX into calls of what a "@jsx" pragma names; use engine = "esbuild"',
        )
    global_bridge = any(
        script.src is not None and (script.src.value or "").strip() == BRIDGE
        for script in page.scripts
    )
    compiler = toolchain.compiler(need, source.path.parent)
    return compile_program(
        source, program, folder, tally, view, compiler, global_bridge=global_bridge
    )


def _has_factory(page: Page, program: Program) -> bool:
    classic = [each for each in page.scripts if each.type == "classic"]
    # A script on the network may make any global.
    inline = "\n".join(page.text[each.start : each.end] for each in classic)
    external = any(each.src is not None for each in classic)
    parts = [part.file for part in program.parts if part.file.path.suffix == ".jsx"]
    return all(external or jsx.has_factory(file, inline) for file in parts)


def _own_scripts(
    source: Source, page: Page, program: Program, folder: Folder, compiled: Compiled | None
) -> tuple[Source, ...]:
    files = [part.file for part in program.parts if part.file is not source]
    if compiled is not None:
        files += compiled.own
    files += [each for each in folder.sources() if each.path.suffix in (".js", ".mjs")]
    unique = {file.path: file for file in files}
    return (*unique.values(), source)


def _note_origins(edits: Edits, own: tuple[Source, ...], tally: Tally) -> None:
    for text in edits.running:
        note_script_origins(text, own, tally)
    for file in own[:-1]:
        if file.path.suffix != ".css":
            caution_computed(file, tally)


def _declared(view: View, tally: Tally) -> Csp | None:
    if not tally.undeclared:
        return view.csp
    if not view.building.allow_external:
        raise undeclared_error(view, tally.undeclared)
    return widened(view.csp, tally.undeclared)


def _policy(
    source: Source,
    page: Page,
    view: View,
    declared: Csp | None,
    edits: Edits,
    own: tuple[Source, ...],
    compiled: Compiled | None,
    tally: Tally,
) -> str:
    mode = view.building.policy
    if mode == "none":
        return ""
    spans = [(file, 0, len(file.text)) for file in own[:-1]]
    spans += [(source, each.start, each.end) for each in page.scripts]
    free = find_free(source, page, spans)
    if free is not None and mode == "hash":
        tally.warn(
            "scripts are allowed by 'unsafe-inline', for this runs without a hash",
            "use addEventListener() in a script, and only your own scripts will run",
            free,
        )
    governed = Governed(
        scripts=tuple(edits.running),
        free=free,
        workers=compiled is not None and compiled.workers,
        wasm=any("WebAssembly" in text for text in edits.running),
        fonts=tally.fonts,
    )
    return policy_meta(page_policy(declared, mode, governed))


def _bundle(
    view: View,
    declared: Csp | None,
    source: Source,
    html: str,
    folder: Folder,
    tally: Tally,
    compiled: Compiled | None,
) -> Bundle:
    data = html.encode()
    limit = view.building.max_size
    if limit is not None and len(data) > limit:
        raise UserError(
            f'"{view.name}" has {len(data) / 1000:.1f} kB, and at most '
            f"{limit / 1000:.1f} kB are allowed",
            help="see what it is made of without the limit, or raise max-size",
        )
    digest = hashlib.sha256(data).hexdigest()
    packed = len(gzip.compress(data, 9, mtime=0))
    bundle = Bundle(
        view=view.name,
        uri=_hashed(view.uri, digest) if view.hash_uri else view.uri,
        html=html,
        meta=resource_meta(
            csp=declared,
            permissions=view.permissions,
            domain=view.domain,
            prefers_border=view.prefers_border,
        ),
        size=len(data),
        gzip=packed,
        sha256=digest,
        inlined=tuple(tally.inlined),
        external=tuple(tally.external),
        inputs=tuple(folder.inputs),
        notices=tuple(sorted(tally.notices, key=lambda each: _order(each.position, source))),
        engine=compiled.engine if compiled else "none",
    )
    bundle = replace(bundle, shares=shares(bundle, tally.texts, compiled))
    return replace(bundle, hints=hints(bundle, compiled))


def _order(place: Position, source: Source) -> tuple[bool, int, int]:
    # The page from top to bottom, then the other files as they were met.
    if place.path == source.shown:
        return False, place.line, place.column
    return True, 0, 0


def _hashed(uri: str, digest: str) -> str:
    stem, dot, suffix = uri.rpartition(".")
    if not dot or "/" in suffix:
        return f"{uri}.{digest[:_HASH_DIGITS]}"
    return f"{stem}.{digest[:_HASH_DIGITS]}.{suffix}"
