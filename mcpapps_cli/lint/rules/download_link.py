"""A View has a link that downloads."""

from __future__ import annotations

from mcpapps_cli.lint.rule import Fault, Faults, Subject, issue, page, rule, server
from mcpapps_cli.wire import UI_DOWNLOAD_FILE


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
        for code in served.code:
            for node in code.words("download"):
                member = node.parent
                around = None if member is None else member.parent
                if (
                    member is not None
                    and member.type == "member_expression"
                    and around is not None
                    and around.type == "assignment_expression"
                    and around.child_by_field_name("left") == member
                    and code.mentions("createObjectURL")
                ):
                    yield Fault(served.at_node(code, member), "this link cannot download")
