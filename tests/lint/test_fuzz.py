"""Whatever a server or a page holds, lint reports and never fails."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mcpapps_cli.lint import run_rules
from mcpapps_cli.lint.engine import INTERNAL_ERROR
from mcpapps_cli.lint.formats import FORMATS
from mcpapps_cli.lint.observed import Called, Observed
from mcpapps_cli.lint.rule import page
from mcpapps_cli.lint.source_map import find_map
from mcpapps_cli.markup.code import Code
from mcpapps_cli.model import Inventory, Resource, Skip

URI = "ui://app/chart.html"
KEYS = st.sampled_from(
    [
        *("_meta", "ui", "resourceUri", "ui/resourceUri", "csp", "connectDomains", "visibility"),
        *("permissions", "camera", "domain", "prefersBorder", "outputSchema", "type", "name"),
        *("content", "text", "structuredContent", "uri", "mimeType", "annotations", "properties"),
    ]
)
WORDS = st.sampled_from([URI, "object", "text", "https://a.example", "ui://", "*", "model", ""])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=6)
PIECES = st.sampled_from(
    [
        *("<script>", "</script>", "<script type=module>", "<style>", "</style>", "<!--", "-->"),
        *(
            "fetch(",
            "'https://a.example/`",
            "`https://a.example/${x}`",
            "localStorage.a;",
            "{",
            "}",
        ),
        *(
            "app.ontoolresult = ",
            "await app.connect();",
            "import './a.js';",
            "\\u00",
            "é",
            "\ud800",
        ),
        *("é", "\ud800"),
        *("send({method:'ui/initialize',params:{appInfo:", "})", "ui\\/message", "<form>", "\n"),
        *("@media (prefers-color-scheme: dark) {", "html { height: 100vh", "position:fixed", ";"),
        *(
            "//# sourceMappingURL=data:application/json;base64,e30=",
            "eval('1')",
            "function(){",
            "(",
        ),
        *(
            "<body>",
            "<div id=root>",
            "<a download>",
            "<base href=x>",
            "<svg><script>",
            "]]>",
            "\x00",
        ),
    ]
)
CODE = st.lists(PIECES | st.text(max_size=4), max_size=20).map("".join)


def check(inventory: Inventory, observed: Observed) -> None:
    report = run_rules(inventory, observed=observed, profiles=("claude", "chatgpt", "qwen"))
    failed = [one.message for one in report.findings if one.rule == INTERNAL_ERROR]
    assert failed == []
    for write in FORMATS.values():
        write(report).encode("utf-8")
    json.loads(FORMATS["json"](report))


@given(st.lists(OBJECTS, max_size=3), OBJECTS, OBJECTS, OBJECTS, OBJECTS)
def test_no_answer_of_a_server_makes_a_rule_fail(
    tools: list[Any], listing: Any, content: Any, capabilities: Any, result: Any
) -> None:
    tools = [{**tool, "name": f"t{index}"} for index, tool in enumerate(tools)]
    resource = Resource(URI, listing, (content,), content, page().html)
    calls = tuple(Called(tool["name"], {}, result) for tool in tools)
    inventory = Inventory(
        "modern", "2026-07-28", {}, capabilities, tuple(tools), (resource,), (Skip(URI, "x"),)
    )
    check(inventory, Observed(calls=calls, assets={"https://a.example": 404}))


@given(CODE)
def test_no_page_makes_a_rule_fail(text: str) -> None:
    item = {"uri": URI, "mimeType": "text/html;profile=mcp-app", "text": text}
    resource = Resource(URI, None, (item,), item, f"<!doctype html>{text}")
    tool = {"name": "t", "_meta": {"ui": {"resourceUri": URI}}}
    check(Inventory("legacy", "2025-11-25", {}, {}, (tool,), (resource,)), Observed())


@given(CODE)
def test_no_script_makes_the_reader_fail(text: str) -> None:
    code = Code(text)
    assert isinstance(code.broken, bool)
    for found in code.imports():
        assert text[found.start : found.end]
    for literal, node in code.strings("a"):
        assert "a" in literal.value
        assert text[node.start_byte] == literal.quote
    for call in code.calls("fetch", ".connect", "eval"):
        assert text[call.start : call.end]


@given(st.text(max_size=60))
def test_no_source_map_makes_the_reader_fail(mappings: str) -> None:
    data = json.dumps({"sources": ["a.js"], "mappings": mappings})
    from base64 import b64encode

    encoded = b64encode(data.encode()).decode()
    found = find_map(f"x\n//# sourceMappingURL=data:application/json;base64,{encoded}")
    assert found is None or found.sources == ("a.js",)
