"""Browser features that a sandboxed document does not have."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server

_ROUTERS = ("BrowserRouter", "createBrowserRouter")
_DIALOGS = ("alert", "confirm", "prompt", "print")


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
        for code in served.code:
            for call in code.calls("history.pushState", "history.replaceState"):
                place = served.in_code(code, call.start, call.end)
                yield Fault(place, f'"{call.path}" cannot change the URL of a View')
            for name in _ROUTERS:
                for node in code.words(name):
                    if node.type == "identifier":
                        place = served.at_node(code, node)
                        yield Fault(place, f'"{name}" cannot change the URL of a View')


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
        for code in served.code:
            for node in code.uses("navigator.serviceWorker"):
                place = served.at_node(code, node)
                yield Fault(place, '"navigator.serviceWorker" throws inside a View')


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
        for code in served.code:
            for call in code.calls(*_DIALOGS):
                if not code.declares(call.path):
                    place = served.in_code(code, call.start, call.end)
                    yield Fault(place, f'"{call.path}" shows nothing inside a View')
