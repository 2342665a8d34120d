"""A View sends `ui/initialize` and never `ui/notifications/initialized`."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    in_run,
    issue,
    page,
    rule,
    server,
    spec,
)
from mcpapps_cli.lint.rules._hello import ESCAPED, MINIFIED, is_silent
from mcpapps_cli.wire import UI_INITIALIZE, UI_INITIALIZED

_NEVER_DONE = """
  parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/initialize", params: {
    protocolVersion: "2026-01-26",
    appInfo: { name: "chart", version: "1.0.0" },
    appCapabilities: { availableDisplayModes: ["inline"] },
  } }, "*");
  const size = "ui/notifications/size-changed";
"""


@rule(
    "MA402",
    "error",
    why=(
        "The host answers ui/initialize and then waits: it must not send the tool's input and "
        "result, nor show the frame, before the View says that it is ready."
    ),
    fix=f'send "{UI_INITIALIZED}" once the answer to "{UI_INITIALIZE}" has come',
    source=(spec("Lifecycle"), issue("modelcontextprotocol/ext-apps#620")),
    bad=server(page(script=_NEVER_DONE)),
    good=server(page()),
    near=(server(page(script=MINIFIED)), server(page(script=ESCAPED))),
    evidence="static",
    also=("run",),
)
def handshake_incomplete(subject: Subject) -> Faults:
    """A View sends `ui/initialize` and never `ui/notifications/initialized`."""
    for view in subject.mounted:
        if view.initialize is not None and not view.initialized:
            message = f'"{view.uri}" did not send "{UI_INITIALIZED}" in a browser'
            yield Fault(in_run(view, "initialized"), message)
    for _, served in subject.pages:
        if not served.mentions(UI_INITIALIZE) or not is_silent(served, UI_INITIALIZED):
            continue
        place = served.at_word(UI_INITIALIZE)
        yield Fault(place, f'"{served.uri}" never sends "{UI_INITIALIZED}"')
