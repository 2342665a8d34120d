"""What follows when the scripts of a View are built: its page, its policy, its report."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from mcpapps_cli.bundle.caution import note_handlers
from mcpapps_cli.bundle.edits import Edits
from mcpapps_cli.bundle.origin import (
    note_constants,
    note_script_origins,
    undeclared_error,
    unused_origins,
    widened,
)
from mcpapps_cli.bundle.page import edit_page
from mcpapps_cli.bundle.policy import Governed, find_free, page_policy, policy_meta, policy_splices
from mcpapps_cli.bundle.program import Program
from mcpapps_cli.bundle.share import hints, shares
from mcpapps_cli.bundle.source import Folder, Place, Source
from mcpapps_cli.bundle.splice import apply_splices
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.bundle.verify import verify
from mcpapps_cli.errors import UserError
from mcpapps_cli.markup.page import Page
from mcpapps_cli.metadata import resource_meta
from mcpapps_cli.model import Bundle, Csp, Position, View

if TYPE_CHECKING:
    from mcpapps_cli.bundle.native import Compiled

_HASH_DIGITS = 12


def finish(
    source: Source,
    page: Page,
    program: Program,
    folder: Folder,
    tally: Tally,
    compiled: Compiled | None,
    view: View,
) -> Bundle:
    """Return the bundle of a View.

    Args:
        source: The page.
        page: The same, read.
        program: Its modules.
        folder: Where files come from.
        tally: Where parts, addresses and notices are and go.
        compiled: What an engine made of the modules; None without one.
        view: The declaration.

    Raises:
        UserError: The result is too large.
        SourceError: The page or a file it refers to cannot be used; with its position.
    """
    _note_policies(source, page, tally)
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
    note_constants(edits.running, own, tally)


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
