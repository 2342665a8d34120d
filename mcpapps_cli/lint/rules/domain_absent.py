"""Domains that a host wants."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    META,
    Fault,
    Faults,
    ResourcePart,
    Subject,
    issue,
    resource,
    rule,
    server,
    tool,
)

_URI = "ui://app/chart-1f3a9c2e.html"


def _with_domain() -> ResourcePart:
    meta = {**META, "domain": "app.example.com"}
    return resource(_URI, meta=meta, listing_meta=meta)


@rule(
    "MA221",
    "warning",
    why="ChatGPT gives no View a review in its directory without a domain of its own.",
    fix="set `domain` to an origin that is yours and that no other app has, for ChatGPT only",
    source=(issue("modelcontextprotocol/ext-apps#440"), issue("jztan/redmine-mcp-server#249")),
    bad=server(tool(uri=_URI), resource(_URI), profiles=("chatgpt",)),
    good=server(tool(uri=_URI), _with_domain(), profiles=("chatgpt",)),
    near=(server(profiles=("claude",)), server(profiles=("vscode",))),
)
def domain_absent(subject: Subject) -> Faults:
    """A View has no `domain`, for a host that wants one."""
    for view in subject.resources if "chatgpt" in subject.profiles else ():
        if view.raw.html is not None and view.ui.get("domain") is None:
            yield Fault(view.in_ui("domain"), f'"{view.uri}" has no domain')
