"""Declaring the extension, and reading what a peer declared."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpapps_cli.metadata import (
    Extensions,
    client_extensions,
    declared_extensions,
    supports_apps,
)
from mcpapps_cli.rpc import connect
from tests.rpc.servers import write_server

UI = "io.modelcontextprotocol/ui"
MIME = "text/html;profile=mcp-app"


def test_l1_apps_declares_the_one_media_type_and_can_be_chained() -> None:
    declared = Extensions().apps().register("com.example/x", {"k": 1})
    assert declared.to_json() == {UI: {"mimeTypes": [MIME]}, "com.example/x": {"k": 1}}
    assert Extensions().apps(None).to_json() == client_extensions()


@pytest.mark.parametrize(
    ("settings", "listed"),
    [
        ({"mimeTypes": ["text/html"]}, ["text/html"]),
        ({"mimeTypes": []}, []),
        ({"mimeTypes": None}, [MIME]),
        ({}, [MIME]),
    ],
)
def test_l2_own_media_types_replace_the_default(settings: Any, listed: list[str]) -> None:
    assert Extensions().apps(settings).to_json() == {UI: {"mimeTypes": listed}}


@pytest.mark.parametrize("key", ["ui", "resourceUri", "ui/resourceUri", "visibility"])
def test_l3_a_field_of_a_tool_is_refused_and_says_where_it_belongs(key: str) -> None:
    with pytest.raises(ValueError, match=r'put it into "_meta\.ui" of the tool') as caught:
        Extensions().apps({key: "x"})
    assert f'"{key}"' in str(caught.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("text/html", "mimeTypes must be a list of media types, not a string"),
        ({}, "not an object"),
        (["ok", ""], 'mimeTypes entry "" must be a non-empty string'),
        ([" "], "must be a non-empty string"),
        ([7], "must be a non-empty string"),
    ],
)
def test_l4_media_types_are_a_list_of_non_empty_strings(value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Extensions().apps({"mimeTypes": value})


def test_l5_other_settings_are_kept() -> None:
    declared = Extensions().apps({"sandboxPolicies": {"x": 1}, "csp": {}})
    assert declared.to_json() == {UI: {"mimeTypes": [MIME], "sandboxPolicies": {"x": 1}, "csp": {}}}


@pytest.mark.parametrize("identifier", ["", "  ", None, 7])
def test_l6_an_extension_needs_an_id(identifier: Any) -> None:
    with pytest.raises(ValueError, match="must be a non-empty string"):
        Extensions().register(identifier)


@pytest.mark.parametrize("settings", [[], "x", 7, True])
def test_l6_settings_are_an_object(settings: Any) -> None:
    with pytest.raises(ValueError, match=r"com\.example/x must be an object"):
        Extensions().register("com.example/x", settings)


def test_l6_registering_again_merges_at_every_depth_and_is_checked_alike() -> None:
    first = Extensions().register("com.example/x", {"a": {"b": 1, "c": [1]}, "d": 1})
    again = first.register("com.example/x", {"a": {"c": [2], "e": 3}})
    assert again.to_json() == {"com.example/x": {"a": {"b": 1, "c": [2], "e": 3}, "d": 1}}
    assert first.register("com.example/x").to_json() == first.to_json()
    with pytest.raises(ValueError, match="visibility"):
        Extensions().register(UI, {"visibility": ["app"]})


def test_l7_a_registration_is_a_new_value_and_the_old_one_stays() -> None:
    empty = Extensions()
    full = empty.apps()
    assert (bool(empty), empty.to_json()) == (False, {})
    assert bool(full)
    full.to_json()[UI]["mimeTypes"].append("x")
    assert full.to_json() == {UI: {"mimeTypes": [MIME]}}


@pytest.mark.parametrize(
    "alias", ["io.modelcontextprotocol/apps", " io.modelcontextprotocol/apps\n", f" {UI} "]
)
def test_l8_an_alias_goes_out_as_the_id_of_the_specification(alias: str) -> None:
    assert Extensions().register(alias, {"k": 1}).to_json() == {UI: {"k": 1}}


def test_l9_l10_one_clients_declaration_is_merged_over_the_common_one() -> None:
    common = Extensions().apps({"x": {"a": 1, "b": 1}})
    client = {"io.modelcontextprotocol/apps": {"x": {"b": 2}, "mimeTypes": ["m"]}, "y/z": None}
    assert common.merge(client).to_json() == {
        UI: {"mimeTypes": ["m"], "x": {"a": 1, "b": 2}},
        "y/z": {},
    }
    assert common.merge(Extensions().register("y/z")).to_json()["y/z"] == {}
    assert common.merge(None).to_json() == common.to_json()
    with pytest.raises(ValueError, match="has a key that is not a string"):
        common.merge({"y/z": {1: 2}})
    with pytest.raises(ValueError, match="extensions must be an object, not an array"):
        common.merge([])  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [dict, lambda value: SimpleNamespace(**value)])
def test_l26_what_a_server_declared_is_read_by_canonical_id(kind: Any) -> None:
    capabilities = kind({"extensions": {" io.modelcontextprotocol/apps": {"k": 1}, "y/z": 7}})
    assert declared_extensions(capabilities) == {UI: {"k": 1}, "y/z": {}}


@pytest.mark.parametrize("order", [1, -1])
def test_l26_the_id_wins_over_its_alias(order: int) -> None:
    both = [(UI, {"k": "id"}), ("io.modelcontextprotocol/apps", {"k": "alias"})][::order]
    assert declared_extensions({"extensions": dict(both)}) == {UI: {"k": "id"}}


@pytest.mark.parametrize("nothing", [None, {}, [], "x", {"extensions": None}, {"extensions": []}])
def test_l26_e4_r18_without_a_declaration_there_is_nothing(nothing: Any) -> None:
    assert declared_extensions(nothing) == {}
    assert supports_apps(nothing) is False


@pytest.mark.parametrize(
    ("settings", "supported"),
    [
        ({"mimeTypes": [MIME]}, True),
        ({"mimeTypes": ["text/html", MIME]}, True),
        ({"mimeTypes": (MIME,)}, True),
        ({"mimeTypes": []}, False),
        ({"mimeTypes": ["text/html"]}, False),
        ({"mimeTypes": ["text/html; profile=mcp-app"]}, False),
        ({"mimeTypes": MIME}, False),
        ({"mimeTypes": {MIME: 1}}, False),
        ({"mimeTypes": None}, False),
        ({}, False),
        (True, False),
        (None, False),
    ],
)
def test_e4_e16_r17_r18_r19_r20_support_is_the_media_type_in_the_list(
    settings: Any, supported: bool
) -> None:
    assert supports_apps({"extensions": {UI: settings}}) is supported
    assert supports_apps(SimpleNamespace(extensions={UI: settings})) is supported


def test_r17_another_media_type_can_be_asked_for() -> None:
    assert supports_apps({"extensions": {UI: {"mimeTypes": ["x"]}}}, mime_type="x")


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from([object(), b"x", ()]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["extensions", UI, "mimeTypes", "\ud800", 3]), inner, max_size=3
        )
    ),
    max_leaves=10,
)


@given(ANY)
def test_reading_a_declaration_never_raises(capabilities: Any) -> None:
    assert all(isinstance(name, str) for name in declared_extensions(capabilities))
    assert supports_apps(capabilities) in (True, False)


LISTENER = """
while True:
    message = receive()
    if message["method"] == "initialize":
        said = message["params"]["capabilities"]
        reply(message, {"protocolVersion": VERSION, "serverInfo": {"name": "f", "version": "1"},
                        "capabilities": {"extensions": {"io.modelcontextprotocol/apps": True}}})
    elif message["method"] == "tools/call":
        reply(message, {"content": [], "structuredContent": said})
    elif "id" in message:
        refuse(message, -32601, "Method not found")
"""


@pytest.mark.anyio
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_e30_k124_l11_a_client_declares_it_to_servers_of_every_revision(
    tmp_path: Path, version: str
) -> None:
    spec = write_server(tmp_path, f'VERSION = "{version}"\n' + LISTENER)
    async with connect(spec, era="legacy", timeout=30) as client:
        heard = (await client.call_tool("x", {}))["structuredContent"]
        assert client.protocol_version == version
        assert UI in declared_extensions(client.capabilities)
    assert heard["extensions"] == {UI: {"mimeTypes": [MIME]}}


@pytest.mark.anyio
async def test_e30_a_client_that_shows_no_views_declares_nothing(tmp_path: Path) -> None:
    spec = write_server(tmp_path, 'VERSION = "2025-11-25"\n' + LISTENER)
    async with connect(spec, era="legacy", timeout=30, ui=False) as client:
        assert "extensions" not in (await client.call_tool("x", {}))["structuredContent"]
