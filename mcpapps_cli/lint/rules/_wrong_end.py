"""Where the HTML parser ends a script and its author did not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpapps_cli.lint.rule import Place, Served
from mcpapps_cli.markup.page import Script

_TAG = re.compile(r"<script[\s/>]", re.IGNORECASE)


def _comment_with_script(code: str) -> int:
    """Offset of the first `<!--` with a `<script` before its `-->`, or -1."""
    start = code.find("<!--")
    while start >= 0:
        end = code.find("-->", start)
        if _TAG.search(code, start, len(code) if end < 0 else end):
            return start
        start = code.find("<!--", end) if end >= 0 else -1
    return -1


def wrong_ends(served: Served) -> Iterator[tuple[Script | None, Place, str]]:
    """Yield the scripts of a page that end wrongly, with the place and what happens there.

    None stands for a script that cannot be told.
    """
    closes = {script.close for script in served.page.scripts}
    for token in served.page.tokens:
        if token.kind != "end" or token.name != "script" or token.end in closes:
            continue
        cut = max(
            (c.script for c in served.code if c.script.close <= token.start),
            key=lambda script: script.close,
            default=None,
        )
        place = served.at(token.start, token.end) if cut is None else served.at(cut.end, cut.close)
        yield cut, place, "the script ends here, and a later </script> closes nothing"
    for code in served.code:
        script = code.script
        if (found := _comment_with_script(code.source)) >= 0:
            place = served.at(script.start + found, script.start + found + 4)
            message = "<!-- and <script inside a script make the parser skip the next </script>"
            yield script, place, message
        elif script.close == script.end:
            place = served.at(script.token.start, script.token.end)
            yield script, place, "this script has no </script>, so it never runs"
