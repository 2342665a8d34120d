"""Handlers that come too late for the host's messages."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    handlers,
    issue,
    page,
    rule,
    server,
    spec,
)

_LATE = """
    const app = new App(info, {});
    await app.connect();
    app.ontoolresult = (result) => draw(result);
"""
_EARLY = """
    const app = new App(info, {});
    app.ontoolresult = (result) => draw(result);
    await app.connect();
"""


@rule(
    "MA412",
    "warning",
    why=(
        "The host sends the tool's input and result once, as soon as the View has initialized; "
        "what nobody handles then is gone."
    ),
    fix="set the handlers before connect",
    source=(
        spec("Lifecycle"),
        issue("modelcontextprotocol/ext-apps#629"),
        issue("czlonkowski/n8n-mcp#577"),
    ),
    bad=server(page(more=_LATE)),
    good=server(page(more=_EARLY)),
    near=(
        server(page(more=_EARLY + "    app.onhostcontextchanged = theme;\n")),
        server(page(more=_LATE.replace("const app", "app.ontoolresult = null; const app"))),
        server(page(more=_LATE.replace("await app.connect", "await base.ready"))),
    ),
    evidence="static",
)
def late_handler(subject: Subject) -> Faults:
    """A handler for the tool's data is set after connect."""
    for _, served in subject.pages:
        for code in served.code:
            early: set[tuple[str, str]] = set()
            for handler in handlers(code):
                key = (handler.owner, handler.event)
                if handler.after_connect and handler.one_shot and key not in early:
                    place = served.at_node(code, handler.node)
                    yield Fault(place, f'"{handler.event}" is handled only after connect')
                early.add(key)
