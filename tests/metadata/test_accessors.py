"""The accessors over tools, resources, templates and content of any server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import Csp, Era
from mcpapps_cli.rpc import connect
from tests.rpc.servers import write_server


@pytest.mark.parametrize(
    "entry", [{}, {"_meta": None}, {"_meta": []}, {"_meta": "x"}, {"_meta": {}}]
)
def test_l13_every_entry_has_metadata(entry: Any) -> None:
    found = apps_metadata(entry)
    assert (found.resource_uri, found.csp, found.permissions, found.raw) == (None, None, (), None)
    assert (found.model_visible, found.app_visible) == (True, True)


@pytest.mark.parametrize(
    ("meta", "uri", "key"),
    [
        ({"ui": {"resourceUri": "ui://n"}}, "ui://n", "nested"),
        ({"ui/resourceUri": "ui://f"}, "ui://f", "flat"),
        ({"ui": {"resourceUri": "ui://n"}, "ui/resourceUri": "ui://f"}, "ui://n", "nested"),
        ({"ui": {}, "ui/resourceUri": "ui://f"}, "ui://f", "flat"),
        ({"ui": {"resourceUri": ""}, "ui/resourceUri": "ui://f"}, "ui://f", "flat"),
        ({"ui": {"resourceUri": "https://x"}}, "https://x", "nested"),
        ({"ui": {}}, None, None),
    ],
)
def test_k7_l14_the_nested_key_comes_before_the_flat_one(
    meta: Any, uri: str | None, key: str | None
) -> None:
    found = apps_metadata({"_meta": meta})
    assert (found.resource_uri, found.key) == (uri, key)


@pytest.mark.parametrize(
    ("ui", "visibility"),
    [
        ({}, ("model", "app")),
        ({"visibility": None}, ("model", "app")),
        ({"visibility": "app"}, ("app",)),
        ({"visibility": ["app"]}, ("app",)),
        ({"visibility": ["app", "model"]}, ("app", "model")),
        ({"visibility": []}, ()),
        ({"visibility": ["user"]}, ()),
    ],
)
def test_l15_l16_absent_visibility_is_both_and_an_empty_list_nobody(
    ui: Any, visibility: tuple[str, ...]
) -> None:
    found = apps_metadata({"_meta": {"ui": ui}})
    assert found.visibility == visibility
    assert (found.model_visible, found.app_visible) == (
        "model" in visibility,
        "app" in visibility,
    )


def test_l17_what_was_read_is_there_as_it_was_received() -> None:
    ui = {"resourceUri": "ui://a", "vendor": {"x": [1]}}
    assert apps_metadata({"_meta": {"ui": ui, "k": 1}}).raw is ui
    assert apps_metadata({"_meta": {"ui": "x"}}).raw is None


def test_l18_only_the_keys_that_json_has_are_read() -> None:
    assert apps_metadata({b"_meta": {"ui": {"resourceUri": "ui://a"}}}).resource_uri is None
    assert apps_metadata({"_meta": {b"ui": {"resourceUri": "ui://a"}}}).resource_uri is None


@pytest.mark.parametrize("ui", ["x", True, 7, ["ui://a"], None])
def test_l19_k7_a_malformed_ui_is_a_problem_and_not_an_exception(ui: Any) -> None:
    found = apps_metadata({"_meta": {"ui": ui, "ui/resourceUri": "ui://f"}})
    assert (found.resource_uri, found.key) == ("ui://f", "flat")
    assert [problem.pointer for problem in found.problems] == ["/_meta/ui"]


@pytest.mark.parametrize("kind", [{"uri": "ui://a"}, {"uriTemplate": "ui://{a}"}])
def test_l20_resources_and_templates_say_it_alike_and_typed(kind: Any) -> None:
    ui = {
        "csp": {"connectDomains": ["https://a.example"], "frameDomains": ["https://b.example"]},
        "permissions": {"microphone": {}, "camera": {}},
        "domain": "d.example",
        "prefersBorder": False,
    }
    found = apps_metadata({**kind, "_meta": {"ui": ui}})
    assert found.csp == Csp(connect=("https://a.example",), frame=("https://b.example",))
    assert found.permissions == ("camera", "microphone")
    assert (found.domain, found.prefers_border, found.problems) == ("d.example", False, ())


@pytest.mark.parametrize(
    ("ui", "wanted"),
    [
        ({"prefersBorder": False}, False),
        ({"prefers_border": False}, False),
        ({"prefersBorder": True, "prefers_border": False}, True),
        ({}, None),
    ],
)
def test_l21_the_border_is_read_under_its_alias_too(ui: Any, wanted: bool | None) -> None:
    assert apps_metadata({"_meta": {"ui": ui}}).prefers_border is wanted


def test_l22_the_content_comes_before_the_listing() -> None:
    listing = {"_meta": {"ui": {"csp": {}, "prefersBorder": True}}}
    content = {"_meta": {"ui": {"domain": "d"}}}
    both = apps_metadata(content, listing=listing)
    assert (both.domain, both.csp, both.prefers_border) == ("d", None, None)
    assert apps_metadata({}, listing=listing).prefers_border is True


PASSING = """
import json
META = json.loads(sys.argv[1])
ANSWERS = {
    "server/discover": {"supportedVersions": ["2026-07-28"], "capabilities": {}},
    "initialize": {"protocolVersion": "2025-11-25", "capabilities": {},
                   "serverInfo": {"name": "f", "version": "1"}},
    "tools/list": {"tools": [{"name": "t", "inputSchema": {"type": "object"}, "_meta": META}]},
    "resources/list": {"resources": [{"uri": "ui://a", "name": "a", "_meta": META}]},
    "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "ui://{a}", "_meta": META}]},
    "resources/read": {"contents": [{"uri": "ui://a", "text": "", "_meta": META}]},
    "tools/call": {"content": [], "_meta": META},
}
while True:
    message = receive()
    if "id" in message:
        reply(message, ANSWERS[message["method"]])
"""


@pytest.mark.anyio
@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_l23_e32_the_client_hands_on_every_meta_as_it_came(tmp_path: Path, era: Era) -> None:
    meta = {"ui": {"resourceUri": "ui://a", "vendor": 1}, "ui/resourceUri": 7, "k": [None]}
    spec = write_server(tmp_path, PASSING)
    spec = type(spec)(command=(*spec.command, json.dumps(meta)), cwd=spec.cwd)
    async with connect(spec, era=era, timeout=30) as client:
        received = [
            (await client.list_tools())[0],
            (await client.list_resources())[0],
            (await client.list_resource_templates())[0],
            (await client.read_resource("ui://a"))["contents"][0],
            await client.call_tool("t", {}),
        ]
        assert client.era == era
        assert client.capabilities == {}
    assert [each["_meta"] for each in received] == [meta] * 5
