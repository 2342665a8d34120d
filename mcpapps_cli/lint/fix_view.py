"""Corrections in the page of a View: each a function from text to text, checked by reading it."""

from __future__ import annotations

import re

from mcpapps_cli.lint.calls import connections
from mcpapps_cli.lint.served import Served, is_loopback
from mcpapps_cli.markup.code import Code
from mcpapps_cli.markup.page import read_page

_CLOSE = re.compile(r"</(?=script[\s/>])", re.IGNORECASE)


def secure_sockets(text: str) -> str:
    """Turn `ws://` of every connection outside of this machine into `wss://`."""
    served = Served("", read_page(text))
    spans = [
        call.start
        for call in connections(served)
        if call.url.lower().startswith("ws://") and not is_loopback(call.url)
    ]
    changed = text
    for start in sorted(spans, reverse=True):
        changed = f"{changed[:start]}wss{changed[start + 2 :]}"
    return changed


def closing_tags(text: str) -> str:
    r"""Write `<\/script>` for each `</script>` inside a string of an inline script.

    A script counts as cut when it does not parse as it stands and does with the text up to a
    later end tag.
    """
    for _ in range(len(_CLOSE.findall(text))):
        changed = _mend_one(text)
        if changed is None:
            return text
        text = changed
    return text


def _mend_one(text: str) -> str | None:
    for script in read_page(text).scripts:
        if script.src is not None or script.type not in ("classic", "module"):
            continue
        if not Code(text[script.start : script.end]).broken:
            continue
        cut = script.end
        for match in _CLOSE.finditer(text, cut + 2):
            whole = text[script.start : cut] + "<\\/" + text[cut + 2 : match.start()]
            whole = _CLOSE.sub(r"<\\/", whole)
            if not Code(whole).broken:
                return text[: script.start] + whole + text[match.start() :]
    return None
