"""An inventory is the same after it was saved and loaded, and a bad file names every fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpapps_cli.errors import ConfigError
from mcpapps_cli.inventory import inventory_json, load_inventory, save_inventory
from mcpapps_cli.model import Inventory, Resource, Skip

CONTENT = {"uri": "ui://a", "text": "<p>\u2028é</p>", "_meta": {"ui": {}}}
FULL = Inventory(
    era="modern",
    protocol_version="2026-07-28",
    server_info={"name": "s"},
    capabilities={"tools": {}},
    tools=({"name": "t", "odd": [1, None]},),
    resources=(
        Resource("ui://a", {"uri": "ui://a"}, (CONTENT,), CONTENT, "<p>\u2028é</p>", {"ttl": 1}),
        Resource("ui://gone"),
    ),
    unread=(Skip("ui://gone", "the server answered with error -32002: no", True),),
)


def test_an_inventory_is_the_same_after_it_was_saved_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "new" / "inventory.json"
    save_inventory(FULL, path)
    assert load_inventory(path) == FULL
    assert path.read_bytes().isascii()


def test_the_saved_form_has_these_members_and_no_others() -> None:
    assert inventory_json(FULL) == {
        "version": 1,
        "era": "modern",
        "protocolVersion": "2026-07-28",
        "serverInfo": {"name": "s"},
        "capabilities": {"tools": {}},
        "tools": [{"name": "t", "odd": [1, None]}],
        "resources": [
            {
                "uri": "ui://a",
                "listing": {"uri": "ui://a"},
                "contents": [CONTENT],
                "readMeta": {"ttl": 1},
            },
            {"uri": "ui://gone", "listing": None, "contents": [], "readMeta": None},
        ],
        "unread": [
            {
                "subject": "ui://gone",
                "reason": "the server answered with error -32002: no",
                "answered": True,
            }
        ],
    }


def test_a_file_written_by_hand_may_leave_out_what_can_be_empty(tmp_path: Path) -> None:
    path = tmp_path / "i.json"
    path.write_text(
        '\ufeff{"version": 1, "era": "legacy", "tools": [], "resources": []}', encoding="utf-8"
    )
    assert load_inventory(path) == Inventory("legacy", "", {}, {})


def test_every_fault_of_a_file_is_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "i.json"
    faulty = {
        "version": 2,
        "era": "old",
        "protocolVersion": 1,
        "serverInfo": [],
        "tools": [{}, 1],
        "resources": [{"uri": 1, "listing": 2, "contents": [3], "readMeta": 4}, 5],
        "unread": [{"subject": 1}],
    }
    path.write_text(json.dumps(faulty))
    with pytest.raises(ConfigError) as caught:
        load_inventory(path)
    assert caught.value.message == f'"{path}" is not an inventory'
    assert sorted(caught.value.details) == [
        "/era must be one of legacy, modern",
        "/protocolVersion must be a string",
        "/resources/0/contents/0 must be an object",
        "/resources/0/listing must be an object",
        "/resources/0/readMeta must be an object",
        "/resources/0/uri must be a string",
        "/resources/1 must be an object",
        "/resources/1/uri must be a string",
        "/serverInfo must be an object",
        "/tools/1 must be an object",
        "/unread/0/reason must be a string",
        "/unread/0/subject must be a string",
        "/version must be 1",
    ]


@pytest.mark.parametrize("data", [b"", b"{", b'"\xff"', b"[" * 100_000])
def test_a_file_that_is_no_json_is_named(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "i.json"
    path.write_bytes(data)
    with pytest.raises(ConfigError) as caught:
        load_inventory(path)
    assert caught.value.message == f'"{path}" is not JSON in UTF-8'


def test_a_file_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load_inventory(tmp_path / "gone.json")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        save_inventory(FULL, tmp_path / "file" / "i.json")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
MEMBERS = ("version", "era", "protocolVersion", "serverInfo", "tools", "resources", "unread")


@settings(deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={name: JSON | st.just(1) | st.just("legacy") | st.just([]) for name in MEMBERS},
    )
    | JSON
)
def test_any_json_is_an_inventory_or_a_named_fault(
    tmp_path_factory: pytest.TempPathFactory, data: Any
) -> None:
    path = tmp_path_factory.getbasetemp() / "generated.json"
    path.write_text(json.dumps(data))
    faults: tuple[str, ...] = ()
    try:
        load_inventory(path)
    except ConfigError as error:
        faults = error.details
    assert faults or data["era"] == "legacy"
