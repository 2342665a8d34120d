"""Pages that changed under a URI that did not."""

from __future__ import annotations

import hashlib

from mcpapps_cli.lint.rule import (
    GIT_HEAD,
    URI,
    Fault,
    Faults,
    Observed,
    Subject,
    issue,
    page,
    rule,
    server,
)
from mcpapps_cli.model import Severity


def _digest(html: str) -> str:
    return hashlib.sha256(html.encode("utf-8", "replace")).hexdigest()


def _before(html: str) -> Observed:
    return Observed(baseline={URI: _digest(html)}, baseline_name="release.json")


@rule(
    "MA122",
    "error",
    why="Hosts keep a page by its URI: users see the one from before the change.",
    fix="give the page a new URI: hash-uri = true does it",
    source=(issue("alpic-ai/skybridge#530"), issue("openai/openai-apps-sdk-examples#206")),
    bad=server(page("<p>New</p>\n"), observed=_before(page().html)),
    good=server(page(), observed=_before(page().html)),
    near=(
        server(page("<p>New</p>\n")),
        server(
            page("<p>New</p>\n"),
            observed=Observed(baseline={"ui://app/old.html": "0"}, baseline_name="release.json"),
        ),
    ),
)
def content_changed_same_uri(subject: Subject) -> Faults:
    """A page differs from the one that was served under its URI before."""
    baseline = subject.observed.baseline
    for view in subject.resources if baseline else ():
        known = baseline.get(view.uri)
        if known is not None and view.raw.html is not None and _digest(view.raw.html) != known:
            name = subject.observed.baseline_name
            message = f'"{view.uri}" has another page than in {name}'
            # What is committed need not have been released; what the user names has.
            severity: Severity | None = "warning" if name == GIT_HEAD else None
            yield Fault(view.in_content("uri"), message, severity=severity)
