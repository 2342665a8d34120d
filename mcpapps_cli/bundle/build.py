"""From a declared View to its bundle."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

from mcpapps_cli.bundle.asset import INLINE_KINDS
from mcpapps_cli.bundle.edits import Edits
from mcpapps_cli.bundle.page import edit_page
from mcpapps_cli.bundle.policy import policy_meta, policy_splices
from mcpapps_cli.bundle.source import Folder, Place, Source, is_local
from mcpapps_cli.bundle.splice import apply_splices
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.markup.page import Page, read_page
from mcpapps_cli.metadata import resource_meta
from mcpapps_cli.model import Bundle, Position, View

_HASH_DIGITS = 12


def build_bundle(view: View, *, root: Path) -> Bundle:
    """Return one self-contained page made of a View's page and what it refers to.

    Scripts, styles and images become part of the page, the bridge too where it is asked for, and
    the policy stands before all of them. What is on the network stays and is listed. The result
    depends on the files and the declaration only, never on the machine or the time.

    Args:
        view: The declaration; `entry` is the page.
        root: The project's folder; no file outside it is read.

    Raises:
        UserError: The page cannot be read.
        SourceError: The page or a file it refers to cannot be used; with its position.
    """
    folder = Folder(root)
    tally = Tally(view.csp)
    source = folder.entry(view.entry)
    page = read_page(source.text)
    for token in page.csp_metas:
        tally.warn(
            "the page has a policy of its own, and both must allow what it does",
            "remove it, and declare origins in csp of the View",
            Place(source, token.start, token.end - token.start),
        )
    edits = edit_page(source, page, folder, tally)
    # First, so that at one place the policy comes before what is governed by it.
    splices = [*policy_splices(source, page, view.csp), *edits.splices]
    html = apply_splices(source.text, splices)
    _verify(html, page, edits, policy_meta(view.csp))

    data = html.encode()
    digest = hashlib.sha256(data).hexdigest()
    return Bundle(
        view=view.name,
        uri=_hashed(view.uri, digest) if view.hash_uri else view.uri,
        html=html,
        meta=resource_meta(
            csp=view.csp,
            permissions=view.permissions,
            domain=view.domain,
            prefers_border=view.prefers_border,
        ),
        size=len(data),
        gzip=len(gzip.compress(data, 9, mtime=0)),
        sha256=digest,
        inlined=tuple(tally.inlined),
        external=tuple(tally.external),
        inputs=tuple(folder.inputs),
        notices=tuple(sorted(tally.notices, key=lambda each: _order(each.position, source))),
    )


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


def _verify(html: str, before: Page, edits: Edits, policy: str) -> None:
    """Read the result as a browser would, and compare with what was meant.

    Raises:
        AssertionError: They differ, which is a fault of ours.
    """
    page = read_page(html)
    plain = [script for script in page.scripts if not script.token.foreign]
    found = [html[script.start : script.end] for script in plain]
    meant = [text for _, text in sorted(edits.scripts, key=lambda each: each[0])]
    if found != meant:
        raise AssertionError(f"{len(meant)} scripts went in, and {len(found)} came out or differ")
    kinds = INLINE_KINDS | {"script", "style", "import"}
    left = [each.url for each in page.references if each.kind in kinds and is_local(each.url)]
    if left:
        raise AssertionError(f"still local: {left}")
    metas = [html[token.start : token.end] for token in page.csp_metas]
    if len(metas) != len(before.csp_metas) + 1 or policy not in metas:
        raise AssertionError(f"policies: {metas}")
    governed = [script.token.start for script in page.scripts]
    governed += [style.token.start for style in page.styles]
    if any(start < html.index(policy) for start in governed):
        raise AssertionError("something stands before the policy")
