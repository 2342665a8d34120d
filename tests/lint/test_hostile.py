"""Whatever a server sends, every rule ends and none of them fails."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpapps_cli.lint import run_rules
from mcpapps_cli.lint.formats import as_json, concise, text
from mcpapps_cli.lint.rule import page, resource, server
from mcpapps_cli.model import Inventory

CLEAN = server().inventory
KEYS = st.sampled_from(
    [
        *("name", "title", "_meta", "meta", "ui", "ui/resourceUri", "resourceUri", "visibility"),
        *("csp", "permissions", "domain", "uri", "prefersBorder", "connectDomains", "camera"),
        *("resourceDomains", "mimeType", "text", "blob", "annotations", "outputSchema", "type"),
        "openai/outputTemplate",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("ui://app/a")
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(KEYS, JSON, max_size=6)
PIECES = st.sampled_from(
    [
        *("<!doctype html>", "<html>", "<head>", "<body>", "<script>", "</script>", "<!--", "-->"),
        *("<style>", "</style>", "<template>", "</template>", "<svg>", "<base href='//a.b/'>"),
        *("<script type=module>", "<script type=importmap>", '{"imports":{"a":"https://a.b/"}}'),
        *("import 'x';", "fetch('https://a.b/')", "`${", "}`", "eval(", "/*", "//", "\\", '"', "'"),
        *("<img src=", "a.png>", "<link rel=preload as=", "url(", ")", "@font-face{", "\x00", "\r"),
        *("ui/initialize", "method:'ui/foo'", "callTool('x')", "confirm(", "{{ x }}", "\ud800"),
    ]
)


def clean_run(inventory: Inventory) -> None:
    report = run_rules(inventory)
    assert "internal-error" not in {finding.rule for finding in report.findings}
    for shown in (text(report), concise(report), as_json(report)):
        assert shown.encode("utf-8") is not None


@settings(max_examples=60, deadline=None)
@given(tools=st.lists(OBJECTS, max_size=3))
def test_any_tools(tools: list[dict[str, Any]]) -> None:
    clean_run(replace(CLEAN, tools=tuple(tools)))


@settings(max_examples=60, deadline=None)
@given(listing=OBJECTS, item=OBJECTS, read_meta=OBJECTS)
def test_any_resource(listing: dict[str, Any], item: dict[str, Any], read_meta: Any) -> None:
    (good,) = CLEAN.resources
    odd = replace(good, listing=listing, content=item, contents=(item,), read_meta=read_meta)
    clean_run(replace(CLEAN, resources=(odd,)))


@settings(max_examples=120, deadline=None)
@given(pieces=st.lists(PIECES | st.text(max_size=5), max_size=30))
def test_any_page(pieces: list[str]) -> None:
    html = "<!doctype html>" + "".join(pieces)
    clean_run(server(resource(html=html)).inventory)


@pytest.mark.parametrize(
    "code",
    [
        "(() => { localStorage.a;" * 3000 + "})()" * 3000,
        "{ localStorage.a;" * 20_000,
        "a" + ".connect" * 20_000 + "()",
    ],
)
def test_a_script_that_is_too_deep_is_told_and_not_read_for_ever(code: str) -> None:
    (skip,) = run_rules(server(page(more=code)).inventory).not_checked
    assert skip.reason == "a script is too deep, or has too many statements, to be looked at whole"


def test_a_script_that_is_too_long_is_told() -> None:
    (skip,) = run_rules(server(page(more="x = 1;" * 1_500_000)).inventory).not_checked
    assert skip.reason == "a script of 8.6 MB is longer than the 8 MB that are read"
