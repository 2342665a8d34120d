"""The cases inside the rules that read answers: which fire, where, and how heavily."""

from __future__ import annotations

import base64

import pytest

from mcpapps_cli.lint import run_rules
from mcpapps_cli.lint.rule import META, UNSET, URI, page, resource, server, tool
from mcpapps_cli.model import Skip
from tests.lint.cases import CDN, LINK, LIST, READ, found, messages

SERVED = "text/html;profile=mcp-app"
SDK_DEFAULT = "what an SDK sends for a resource that names no type"


@pytest.mark.parametrize(
    ("mime", "reason"),
    [
        (
            "text/plain",
            'is served as "text/plain", what an SDK sends for a resource that names no type',
        ),
        ("text/html", 'is served as "text/html", without the profile'),
        ("text/html;charset=utf-8", 'is served as "text/html;charset=utf-8", without the profile'),
        (
            "text/html+skybridge",
            'is served as "text/html+skybridge", the type of ChatGPT\'s own widgets',
        ),
        (
            "text/html+mcp",
            'is served as "text/html+mcp", the type of the drafts before 2026-01-26',
        ),
        ("text/html;profile=mcp", 'is served with the profile "mcp"'),
        ("text/html;profile=MCP-App", 'is served with the profile "MCP-App"'),
        (
            "application/xhtml+xml;profile=mcp-app",
            'is served as "application/xhtml+xml;profile=mcp-app"',
        ),
        (7, "has a mimeType that is no string"),
    ],
)
def test_every_wrong_type_is_named(mime: object, reason: str) -> None:
    assert found("mime-type", server(resource(mime=mime))) == [
        ("error", f"{READ}/mimeType", f'"{URI}" {reason}')
    ]


def test_a_missing_type_is_pointed_at_where_it_belongs() -> None:
    assert found("mime-type", server(resource(mime=UNSET))) == [
        ("error", READ, f'"{URI}" has no mimeType')
    ]


def test_the_listing_s_type_is_checked_too() -> None:
    assert found("mime-type", server(resource(listing_mime="text/plain"))) == [
        (
            "error",
            f"{LIST}/mimeType",
            f'"{URI}" is listed as "text/plain", {SDK_DEFAULT}',
        )
    ]
    assert found("mime-type", server(resource(listing_mime=UNSET))) == [
        ("warning", LIST, f'"{URI}" is listed without a mimeType')
    ]


@pytest.mark.parametrize(
    "mime",
    [
        "text/html; profile=mcp-app",
        'text/html;profile="mcp-app"',
        "TEXT/HTML;Profile=mcp-app",
        "text/html;charset=utf-8;profile=mcp-app",
    ],
)
def test_another_spelling_of_the_right_type_is_not_a_wrong_type(mime: str) -> None:
    assert found("mime-type", server(resource(mime=mime))) == []
    assert found("mime-type-not-canonical", server(resource(mime=mime))) == [
        ("warning", f"{READ}/mimeType", f'"{URI}" has its type written as "{mime}"')
    ]


@pytest.mark.parametrize("key", ["csp", "permissions", "domain", "prefersBorder"])
def test_every_key_of_a_resource_is_found_on_a_tool(key: str) -> None:
    assert found("csp-on-tool", server(tool(**{key: {}}))) == [
        ("error", f"tools/chart#/_meta/ui/{key}", f'hosts ignore "{key}" on tool "chart"')
    ]


def test_metadata_that_differs_names_the_keys() -> None:
    other = resource(meta={**META, "csp": {"connectDomains": [CDN]}}, listing_meta=META)
    assert found("csp-missing-on-content", server(other)) == [
        (
            "error",
            f"{READ}/_meta/ui",
            f'"csp" of "{URI}" differs between resources/read and resources/list',
        )
    ]


def test_an_empty_object_on_the_content_hides_the_listing() -> None:
    assert found("csp-missing-on-content", server(resource(meta={}))) == [
        ("error", f"{LIST}/_meta/ui", f'"_meta.ui" of "{URI}" is in resources/list only')
    ]


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        ("https://example.com/chart", '"https://example.com/chart"'),
        ("chart.html", '"chart.html"'),
        ("", '""'),
        (7, "a value that is no string"),
        (None, "a value that is no string"),
    ],
)
def test_a_link_that_is_no_ui_uri(uri: object, shown: str) -> None:
    assert found("resource-uri-dangling", server(tool(uri=uri))) == [
        ("error", LINK, f'tool "chart" points at {shown}, which is no "ui://" URI')
    ]


def test_a_link_to_what_nobody_knows() -> None:
    example = server(tool(uri="ui://app/other.html"))
    assert found("resource-uri-dangling", example) == [
        ("error", LINK, 'tool "chart" points at "ui://app/other.html", which cannot be read')
    ]


@pytest.mark.parametrize(
    "reason",
    [
        "the server answered with error -32602: Unknown resource",
        "the resources/read result has no content item",
        'the resources/read result has no list "contents"',
        "none of its 2 content items has this URI",
    ],
)
def test_an_answer_without_the_view_is_dangling(reason: str) -> None:
    example = server(resource(contents=(), listed=False), unread=(Skip(URI, reason, True),))
    assert found("resource-uri-dangling", example) == [
        ("error", LINK, f'tool "chart" points at "{URI}", which cannot be read: {reason}')
    ]


@pytest.mark.parametrize(
    "reason", ["the server did not answer within 15 s", "the server ended with status 1"]
)
def test_no_answer_is_not_dangling(reason: str) -> None:
    example = server(resource(contents=(), listed=False), unread=(Skip(URI, reason),))
    assert found("resource-uri-dangling", example) == []


def test_two_html_items_are_one_too_many() -> None:
    item = {"uri": URI, "mimeType": SERVED, "text": page().html}
    assert messages("resource-uri-dangling", server(resource(contents=(item, item)))) == [
        f'tool "chart" points at "{URI}", which is answered with 2 HTML items, '
        "where a host takes one"
    ]


def test_another_item_beside_the_html_is_allowed() -> None:
    html = {"uri": URI, "mimeType": SERVED, "text": page().html, "_meta": {"ui": META}}
    note = {"uri": "ui://app/note", "mimeType": "text/plain", "text": "x"}
    assert found("resource-uri-dangling", server(resource(contents=(html, note)))) == []


def test_an_item_with_another_uri_is_dangling() -> None:
    assert messages("resource-uri-dangling", server(resource(content={"uri": "ui://b"}))) == [
        f'tool "chart" points at "{URI}", which is answered with an item whose uri is "ui://b"'
    ]


def test_an_item_whose_uri_is_only_encoded_differently_is_another_fault() -> None:
    odd = "ui://app/a b.html"
    example = server(
        tool(uri=odd), resource(odd, content={"uri": "ui://app/a%20b.html"}, listed=False)
    )
    assert found("resource-uri-dangling", example) == []
    assert messages("uri-non-ascii", example) == [
        f'tool "chart" links "{odd}"',
        f'"{odd}" is answered with the uri "ui://app/a%20b.html"',
    ]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", "is empty"),
        (" \n\ufeff", "is empty"),
        ('{"a": 1}', "looks like JSON"),
        ("\n[1]", "looks like JSON"),
        ("<p>Hello</p>", "has neither <!doctype html> nor <html> in its first 1024 characters"),
        ("./chart.html", "has neither <!doctype html> nor <html> in its first 1024 characters"),
    ],
)
def test_a_body_that_is_no_document(body: str, reason: str) -> None:
    assert found("content-not-html", server(resource(html=body))) == [
        ("error", f"{READ}/text", f'the body of "{URI}" {reason}')
    ]


def test_a_body_that_is_no_document_has_no_faults_of_a_page() -> None:
    report = run_rules(server(resource(html='<img src="./a.png">')).inventory)
    assert [one.rule for one in report.findings] == ["content-not-html"]


@pytest.mark.parametrize(
    ("value", "pointer", "message"),
    [
        ("model", "", 'of tool "chart" is not an array'),
        (None, "", 'of tool "chart" is not an array'),
        ({"model": True}, "", 'of tool "chart" is not an array'),
        ([], "", 'of tool "chart" is empty: nobody may call it'),
        (["model", "user"], "/1", 'of tool "chart" names "user"'),
        ([["app"]], "/0", 'of tool "chart" names "[\'app\']"'),
    ],
)
def test_every_shape_of_visibility_that_is_wrong(value: object, pointer: str, message: str) -> None:
    assert found("visibility-shape", server(tool(visibility=value))) == [
        ("error", f"tools/chart#/_meta/ui/visibility{pointer}", f'"visibility" {message}')
    ]


@pytest.mark.parametrize(
    ("content", "pointer", "message"),
    [
        ({"blob": "PGh0bWw+"}, "", f'"{URI}" has both "text" and "blob"'),
        ({"text": UNSET}, "", f'"{URI}" has neither "text" nor "blob"'),
        ({"text": 7}, "/text", f'"text" of "{URI}" is not a string'),
        ({"text": UNSET, "blob": 7}, "/blob", f'"blob" of "{URI}" is not a string'),
        ({"text": UNSET, "blob": "a"}, "/blob", f'"blob" of "{URI}" is not base64'),
        ({"text": UNSET, "blob": "PGh0\nbWw+"}, "/blob", f'"blob" of "{URI}" is not base64'),
        (
            {"text": UNSET, "blob": "PGh0bWx="},
            "/blob",
            f'"blob" of "{URI}" is not canonical base64',
        ),
        (
            {"text": UNSET, "blob": base64.b64encode(b"<html>\xff").decode()},
            "/blob",
            f'"blob" of "{URI}" is not UTF-8: byte 6 is wrong',
        ),
    ],
)
def test_every_wrong_body(content: dict[str, object], pointer: str, message: str) -> None:
    assert found("blob-encoding", server(resource(content=content))) == [
        ("error", READ + pointer, message)
    ]


def test_the_extension_is_an_error_only_where_sdks_keep_it() -> None:
    rule = "capability-extension-missing"
    modern, legacy = (server(era=era, capabilities={}) for era in ("modern", "legacy"))
    assert [one[:2] for one in found(rule, modern)] == [("error", "capabilities#")]
    assert [one[:2] for one in found(rule, legacy)] == [("info", "capabilities#")]


def test_a_server_without_a_ui_tool_need_not_declare_the_extension() -> None:
    plain = server(tool("plain", meta={}), era="modern", capabilities={})
    assert found("capability-extension-missing", plain) == []


@pytest.mark.parametrize(
    ("capabilities", "pointer"),
    [
        ({"io.modelcontextprotocol/ui": {}}, "/io.modelcontextprotocol~1ui"),
        (
            {"experimental": {"io.modelcontextprotocol/ui": {}}},
            "/experimental/io.modelcontextprotocol~1ui",
        ),
    ],
)
def test_an_extension_in_the_wrong_place_is_not_also_missing(
    capabilities: dict[str, object], pointer: str
) -> None:
    report = run_rules(server(capabilities=capabilities).inventory)
    assert [(one.rule, one.pointer) for one in report.findings] == [
        ("capability-extension-misplaced", f"capabilities#{pointer}")
    ]


def test_a_union_at_the_root_is_pointed_at() -> None:
    schema = {"type": "object", "oneOf": [{}, {}]}
    assert found("output-schema-root", server(tool(also={"outputSchema": schema}))) == [
        (
            "warning",
            "tools/chart#/outputSchema/oneOf",
            '"outputSchema" of tool "chart" has "oneOf" at its root',
        )
    ]


@pytest.mark.parametrize(
    ("key", "meta"),
    [
        ("ui.resourceUri", {"ui.resourceUri": URI}),
        ("ui/resource_uri", {"ui/resource_uri": URI}),
        ("resource_uri", {"resource_uri": URI}),
        ("resourceURI", {"ui": {"resourceURI": URI}}),
        ("resource_uri", {"ui": {"resource_uri": URI}}),
    ],
)
def test_every_typo(key: str, meta: dict[str, object]) -> None:
    assert messages("meta-key-typo", server(tool(meta=meta))) == [
        f'no host reads "{key}" of tool "chart"'
    ]


@pytest.mark.parametrize("key", ["csp", "permissions", "domain", "prefersBorder"])
def test_metadata_of_a_resource_beside_ui_is_at_the_wrong_level(key: str) -> None:
    example = server(resource(content={"_meta": {"ui": META, key: {}}}))
    assert found("meta-wrong-level", example) == [
        ("error", f"{READ}/_meta/{key}", f'no host reads "{key}" in "_meta" of "{URI}"')
    ]


def test_a_link_outside_of_ui_is_at_the_wrong_level() -> None:
    example = server(tool(meta={"resourceUri": URI}))
    assert [place for _, place, _ in found("meta-wrong-level", example)] == [
        "tools/chart#/_meta/resourceUri"
    ]


@pytest.mark.parametrize(("size", "severity"), [(5_000_000, "warning"), (5_000_001, "error")])
def test_a_document_over_5_mb_is_an_error(size: int, severity: str) -> None:
    html = page().html
    example = server(resource(html=html + " " * (size - len(html))))
    assert [one[0] for one in found("html-size", example)] == [severity]
