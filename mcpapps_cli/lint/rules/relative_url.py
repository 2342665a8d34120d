"""URLs that need a place on disk or on a server, which a View does not have."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Served,
    Subject,
    is_relative,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.markup.reference import Reference
from mcpapps_cli.model import Severity

# Forms have a rule of their own, a base element too; imports of scripts are below.
_ELSEWHERE = frozenset({"form", "base", "import-map"})

_MILD: dict[str, Severity] = {"icon": "info", "link": "warning"}

_CASES = """\
<a href="#top">Top</a> <a href="mailto:me@example.com">Write</a>
<img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
<svg width="8" height="8"><use href="#dot"></use></svg>
"""

_CSS = (
    "<style>main { clip-path: url(#clip); background: url(data:image/gif;base64,R0lGOD) }</style>\n"
)


def _is_module(served: Served, ref: Reference) -> bool:
    return ref.kind == "preload" and served.attribute(ref, "rel") == "modulepreload"


@rule(
    "MA304",
    "error",
    why=(
        "A View is one document without an address of its own: a relative URL asks the sandbox "
        "for a file that is not there."
    ),
    fix="inline the file: mcpapps bundle does it",
    source=(
        spec("Sandbox proxy"),
        issue("metabase/metabase#74741"),
        issue("openai/openai-apps-sdk-examples#65"),
    ),
    bad=server(page('<img alt="" src="./logo.png">\n')),
    good=server(page('<img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">\n')),
    near=(server(page(_CASES)), server(page(head=_CSS))),
    evidence="static",
)
def relative_url(subject: Subject) -> Faults:
    """A View refers to a file by a relative URL."""
    for _, served in subject.pages:
        for ref in served.page.references:
            if ref.kind in _ELSEWHERE or not is_relative(ref.url) or "{{" in ref.url:
                continue
            if _is_module(served, ref):
                continue
            # A browser loads no icon for a frame, and a click on a link is not a load.
            yield Fault(
                served.at(ref.start, ref.end),
                f'"{ref.url}" cannot be resolved inside a View',
                severity=_MILD.get(ref.kind),
            )
