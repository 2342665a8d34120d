"""The body of a UI resource."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    Fault,
    Faults,
    Subject,
    is_html,
    issue,
    page,
    resource,
    rule,
    server,
    spec,
)

_COMMENT = "<!-- built by hand -->\n"


def _what(body: str) -> str:
    start = body.lstrip("\ufeff \t\r\n\f")
    if not start:
        return "is empty"
    if start[0] in "{[":
        return "looks like JSON"
    return "has neither <!doctype html> nor <html> in its first 1024 characters"


@rule(
    "MA303",
    "error",
    why=(
        "The host puts the body into a frame as it is. JSON there usually means that the resource "
        "function returned a dict, which the SDK then wrote out as text."
    ),
    fix="return the HTML document as a string, and give MIME type and metadata to the decorator",
    source=(spec("Content Requirements"), issue("openai/openai-apps-sdk-examples#53")),
    bad=server(resource(html='{"html": "<p>Hello</p>"}')),
    good=server(resource(html=page().html)),
    near=(
        server(page(html=_COMMENT * 30 + page().html)),
        server(page(html="\ufeff\n" + page().html)),
    ),
)
def content_not_html(subject: Subject) -> Faults:
    """The body of a UI resource is not an HTML document."""
    for view in subject.resources:
        body = view.raw.html
        if body is None or is_html(body):
            continue
        key = "text" if view.raw.content is not None and "text" in view.raw.content else "blob"
        yield Fault(view.in_content(key), f'the body of "{view.uri}" {_what(body)}')
