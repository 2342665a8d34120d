"""Browser features that a sandboxed document does not have."""

from __future__ import annotations

import re

from mcpapps_cli.lint.rule import Fault, Faults, Served, Subject, issue, page, rule, server

_HISTORY = re.compile(
    r"(?<![\w$.])(?:window\s*\.\s*)?history\s*\.\s*(?:pushState|replaceState)\s*\("
    r"|(?<![\w$.])(?:create)?BrowserRouter\b"
)
_WORKER = re.compile(r"(?<![\w$.])(?:window\s*\.\s*)?navigator\s*\.\s*serviceWorker\b")
_DIALOG = re.compile(
    r"(?<![\w$.])(?:(?:window|globalThis)\s*\.\s*)?(?P<name>alert|confirm|prompt|print)\s*\("
)


def _uses(served: Served, pattern: re.Pattern[str], reason: str) -> Faults:
    for script in served.code:
        for match in pattern.finditer(served.bare(script)):
            start, end = script.start + match.start(), script.start + match.end()
            yield Fault(served.at(start, end), f'"{match[0].rstrip("( ")}" {reason}')


@rule(
    "MA604",
    "warning",
    why="A srcdoc document has no URL that could change: the call throws, and the app stops.",
    fix="use a router in memory, such as MemoryRouter",
    source=(issue("alpic-ai/skybridge#299"),),
    bad=server(page(more='history.pushState({}, "", "/chart");')),
    good=server(page(more='const route = { path: "/chart" };')),
    near=(
        server(page(more='const note = "history.pushState()";')),
        server(page(more="const undo = { history: [] }; undo.history.push(1);")),
    ),
    evidence="static",
)
def history_router(subject: Subject) -> Faults:
    """A View changes its URL."""
    for _, served in subject.pages:
        yield from _uses(served, _HISTORY, "cannot change the URL of a View")


@rule(
    "MA605",
    "warning",
    why="In a frame with an opaque origin the access throws, before anything else runs.",
    fix="leave the service worker out",
    source=(issue("HadrienGardeur/webpub-viewer#5"),),
    bad=server(page(more='navigator.serviceWorker.register("data:text/javascript,");')),
    good=server(page(more="const language = navigator.language;")),
    near=(
        server(page(more='const note = "navigator.serviceWorker";')),
        server(page(more="// navigator.serviceWorker")),
    ),
    evidence="static",
)
def service_worker(subject: Subject) -> Faults:
    """A View uses a service worker."""
    for _, served in subject.pages:
        yield from _uses(served, _WORKER, "throws inside a View")


@rule(
    "MA606",
    "warning",
    why="Without allow-modals no dialog is shown: confirm says false, and prompt gives null.",
    fix="ask inside the page, with the dialog element or two buttons",
    source=(issue("open-octo/octo-agent#2319"),),
    bad=server(page(more='if (confirm("Delete?")) send({ method: "ui/message", params: {} });')),
    good=server(page(more='document.querySelector("main").textContent = "Delete?";')),
    near=(
        server(page(more="const log = { print(text) {} }; log.print(1);")),
        server(page(more="function confirm(text) { return text; } confirm(1);")),
        server(page(more="const alert = (text) => text; alert(1);")),
    ),
    evidence="static",
)
def modal_dialog(subject: Subject) -> Faults:
    """A View opens a dialog of the browser."""
    for _, served in subject.pages:
        for script in served.code:
            bare = served.bare(script)
            for match in _DIALOG.finditer(bare):
                name = match["name"]
                own = rf"\bfunction\s+{name}\b|\b{name}\s*=[^=]|\b{name}\s*\([^()]*\)\s*\{{"
                if not re.search(own, bare):
                    start, end = script.start + match.start(), script.start + match.end() - 1
                    yield Fault(served.at(start, end), f'"{name}" shows nothing inside a View')
