"""Elements that need a permission of the frame which hosts do not give."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server
from mcpapps_cli.wire import UI_DOWNLOAD_FILE, UI_OPEN_LINK


@rule(
    "MA601",
    "warning",
    why="Without allow-forms in the sandbox a form is never submitted, and its handler never runs.",
    fix="use a button with a click handler, and leave the form out",
    source=(
        issue("vellum-ai/vellum-assistant#40920"),
        issue("open-octo/octo-agent#2319"),
    ),
    bad=server(page("<form><button>Save</button></form>\n")),
    good=server(page('<button type="button">Save</button>\n')),
    near=(
        server(page("<!-- <form></form> -->\n")),
        server(page("<template><form-field></form-field></template>\n")),
    ),
    evidence="static",
)
def form_submit(subject: Subject) -> Faults:
    """A View has a form, which hosts may not let it submit."""
    for _, served in subject.pages:
        for token in served.page.tokens:
            if token.kind == "start" and token.name == "form":
                action = next((a.value for a in token.attrs if a.name == "action"), None)
                place = served.at(token.start, token.end)
                if action:
                    yield Fault(place, f'this form is sent to "{action}"', severity="error")
                else:
                    yield Fault(place, "this form may never be submitted")


@rule(
    "MA602",
    "warning",
    why="A sandboxed frame without allow-downloads blocks the click, and nothing happens.",
    fix=f'send "{UI_DOWNLOAD_FILE}" where the host offers it, or show the data for copying',
    source=(issue("modelcontextprotocol/ext-apps#475"),),
    bad=server(page('<a href="data:text/csv,a" download="a.csv">Save</a>\n')),
    good=server(page('<button type="button">Save</button>\n')),
    near=(
        server(page('<a href="https://example.com/a.csv">Data</a>\n')),
        server(page('<button type="button" download="a.csv">Save</button>\n')),
    ),
    evidence="static",
)
def download_link(subject: Subject) -> Faults:
    """A View has a link that downloads."""
    for _, served in subject.pages:
        for token in served.page.tokens:
            names = [attr.name for attr in token.attrs]
            if token.kind == "start" and token.name in ("a", "area") and "download" in names:
                yield Fault(served.at(token.start, token.end), "this link cannot download")


@rule(
    "MA603",
    "warning",
    why="Most hosts let a View open no window: the click does nothing.",
    fix=f'send "{UI_OPEN_LINK}" with the URL, and let the host ask the user',
    source=(issue("anthropics/claude-ai-mcp#31"), issue("github/github-mcp-server#2593")),
    bad=server(page('<a href="https://example.com/" target="_blank">Site</a>\n')),
    good=server(page('<button type="button">Site</button>\n')),
    near=(
        server(page('<a href="https://example.com/">Site</a>\n')),
        server(
            page(
                '<a href="https://example.com/" target="_blank">Site</a>\n',
                more='const openLink = (url) => send({ method: "ui/open-link", params: { url } });',
            )
        ),
    ),
    evidence="static",
)
def link_opens_window(subject: Subject) -> Faults:
    """A View opens windows and never asks the host to open a link."""
    for _, served in subject.pages:
        if served.external_code or served.mentions(UI_OPEN_LINK):
            continue
        for token in served.page.tokens:
            target = next((a.value for a in token.attrs if a.name == "target"), None)
            if token.kind == "start" and target == "_blank" and token.name in ("a", "area"):
                yield Fault(served.at(token.start, token.end), "this link cannot open a window")
