"""Reads a finished page as a browser would, and compares it with what was meant."""

from __future__ import annotations

from mcpapps_cli.bundle.asset import INLINE_KINDS
from mcpapps_cli.bundle.edits import Edits
from mcpapps_cli.bundle.source import is_local
from mcpapps_cli.markup.page import Page, read_page


def verify(html: str, before: Page, edits: Edits, policy: str) -> None:
    """Check that every script is what went in, nothing is local, and the policy comes first.

    Args:
        html: The finished page.
        before: The View's own page.
        edits: What was done to it.
        policy: The element with the policy; empty for none.

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
    if not policy:
        return
    if len(metas) != len(before.csp_metas) + 1 or policy not in metas:
        raise AssertionError(f"policies: {metas}")
    first = html.index(policy)
    governed = [script.token.start for script in page.scripts]
    governed += [style.token.start for style in page.styles]
    if any(start < first for start in governed):
        raise AssertionError("something stands before the policy")
