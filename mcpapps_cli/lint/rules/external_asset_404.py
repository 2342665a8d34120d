"""Files that a View loads and that are not there."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Observed, Subject, issue, page, rule, server

_URL = "https://cdn.example.com/logo.png"
_IMAGE = f'<img alt="" src="{_URL}">\n'
_META = {"csp": {"resourceDomains": ["https://cdn.example.com"]}, "prefersBorder": True}


def _answers(status: int | str) -> Observed:
    return Observed(assets={_URL: status})


@rule(
    "MA316",
    "error",
    why="The View asks for it each time, and shows a hole or does not start.",
    fix="correct the URL, or inline the file: mcpapps bundle does it",
    source=(issue("openai/openai-apps-sdk-examples#65"),),
    bad=server(page(_IMAGE, meta=_META), observed=_answers(404), shown=f"GET {_URL}  404"),
    good=server(page(_IMAGE, meta=_META), observed=_answers(200), shown=f"GET {_URL}  200"),
    near=(
        server(page(_IMAGE, meta=_META)),
        server(page(_IMAGE, meta=_META), observed=_answers(304)),
    ),
    evidence="static",
    also=("run",),
)
def external_asset_404(subject: Subject) -> Faults:
    """A file that a View loads is answered with an error."""
    assets = subject.observed.assets
    for _, served in subject.pages if assets else ():
        for ref in served.page.references:
            status = assets.get(ref.url)
            if isinstance(status, str) or (status is not None and status >= 400):
                place = served.at(ref.start, ref.end)
                yield Fault(place, f'"{ref.url}" is answered with {status}')
