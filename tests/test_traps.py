"""Mistakes that systems like this one have made; those of the page have their tests in Node."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.host.effect import CallServer
from mcpapps_cli.host.visibility import agent_tools, call_refusal
from mcpapps_cli.inventory import read_inventory
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.rpc import Limits, connect
from mcpapps_cli.server import Apps
from tests.host.rig import Rig, of, sent
from tests.rpc.servers import write_server
from tests.server.wire import both_eras, content, talking

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parent.parent
URI = "ui://clock/clock.html"
HTML = "<!doctype html><p>clock</p>"
MALFORMED: list[Any] = [None, 7, "ui://x", [], {"ui": None}, {"ui": []}, {"ui": {"csp": 7}}]
MALFORMED += [{"ui": {"resourceUri": 7, "visibility": "app"}}, {"ui/resourceUri": {}}, {"ui": "x"}]


def test_trap_4_an_empty_visibility_hides_a_tool_from_the_model_and_from_views() -> None:
    entry = {"name": "t", "_meta": {"ui": {"visibility": []}}}
    assert agent_tools([entry]) == ()
    assert call_refusal([entry], "t") == "hidden"


@pytest.mark.parametrize(
    ("name", "code"), [("delete_all", -32000), ("retired", -32000), ("of_another_server", -32602)]
)
def test_trap_5_a_view_cannot_call_what_is_the_models_or_another_servers(
    name: str, code: int
) -> None:
    effects = Rig().ready().ask(1, "tools/call", {"name": name, "arguments": {}})
    assert of(effects, CallServer) == []
    assert [message["error"]["code"] for message in sent(effects)] == [code]


@both_eras
async def test_trap_6_listing_and_content_carry_the_metadata_and_a_page_is_built_per_read(
    era: Any,
) -> None:
    apps = Apps()
    built: list[str] = []

    @apps.page(URI, csp={"connectDomains": ["https://api.example.com"]}, prefers_border=True)
    def clock() -> str:
        built.append("page")
        return f"{HTML}{len(built)}"

    async with talking(apps.server("clock"), era) as client:
        (listed,) = await client.list_resources()
        assert built == []
        first, second = await content(client, URI), await content(client, URI)
    assert listed["_meta"]["ui"]["csp"]["connectDomains"] == ["https://api.example.com"]
    assert listed["_meta"]["ui"]["prefersBorder"] is True
    assert first["_meta"] == second["_meta"] == listed["_meta"]
    assert (first["text"], second["text"]) == (f"{HTML}1", f"{HTML}2")


@pytest.mark.parametrize("meta", MALFORMED)
def test_trap_11_malformed_metadata_is_read_without_an_error(meta: Any) -> None:
    read = apps_metadata({"name": "t", "_meta": meta})
    assert read.resource_uri is None


async def test_trap_11_malformed_metadata_leaves_the_other_tools_listed(tmp_path: Path) -> None:
    tools = [{"name": f"bad{index}", "_meta": meta} for index, meta in enumerate(MALFORMED)]
    tools.append({"name": "good", "_meta": {"ui": {"visibility": ["app"]}}})
    body = f"""
shake_hands({{"tools": {{}}}})
while True:
    m = receive()
    if m["method"] == "tools/list":
        reply(m, {{"tools": {tools!r}}})
    elif "id" in m:
        refuse(m, -32601, "no such method")
"""
    spec = write_server(tmp_path, body)
    async with connect(spec, era="legacy", limits=Limits(close_seconds=0.1)) as client:
        inventory = await read_inventory(client, timeout=10)
    assert [tool["name"] for tool in inventory.tools] == [tool["name"] for tool in tools]


@both_eras
async def test_trap_12_two_servers_of_this_process_share_no_tool(era: Any) -> None:
    def server(name: str) -> Any:
        apps = Apps()
        apps.add_html_resource(URI, f"{HTML}{name}")

        @apps.tool(resource_uri=URI)
        def who() -> str:
            return name

        return apps.server(name)

    async with talking(server("a"), era) as one_client, talking(server("b"), era) as other:
        assert (await content(one_client, URI))["text"] == f"{HTML}a"
        assert (await content(other, URI))["text"] == f"{HTML}b"


def test_trap_13_a_registration_that_is_refused_leaves_nothing_behind() -> None:
    apps = Apps()
    apps.add_html_resource(URI, HTML)

    def clock() -> str:
        return "12:00"

    with pytest.raises(ValueError, match="visibility"):
        apps.tool(resource_uri=URI, visibility=[])(clock)
    with pytest.raises(ValueError, match="connectDomains"):
        apps.add_html_resource("ui://clock/second", HTML, csp={"connectDomains": ["no origin"]})
    assert list(apps.tools()) == []
    assert len(list(apps.resources())) == 1
    apps.tool(resource_uri=URI)(clock)
    assert len(list(apps.tools())) == 1


def test_every_trap_has_a_test_that_names_it() -> None:
    files = [*ROOT.glob("tests/**/test_*.py"), *ROOT.glob("bridge_assets/tests/*.test.mjs")]
    named = {
        int(number)
        for file in files
        if "node_modules" not in file.parts
        for number in re.findall(r"(?:test_trap_|\"trap )(\d+)", file.read_text("utf-8"))
    }
    assert named == set(range(1, 14))
