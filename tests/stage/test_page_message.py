from __future__ import annotations

import json
from typing import Any

import pytest

from mcpapps_cli.host.event import ProbeReport
from mcpapps_cli.stage.emulation import Setting
from mcpapps_cli.stage.page_message import (
    Answered,
    AppToolCall,
    Button,
    Call,
    ContextSet,
    Dropped,
    HostSet,
    Posted,
    Probed,
    Written,
    read_message,
)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            {"type": "call", "tool": "t", "arguments": {"a": 1}, "context": {}},
            Call("t", {"a": 1}, {}),
        ),
        ({"type": "posted", "view": "v1", "frame": 2, "message": [0]}, Posted("v1", 2, [0])),
        ({"type": "posted", "view": "v1", "frame": 2, "message": None}, Posted("v1", 2, None)),
        (
            {"type": "dropped", "view": "v1", "frame": 1, "count": 9, "reason": "r"},
            Dropped("v1", 1, 9, "r"),
        ),
        (
            {"type": "probe", "view": "v1", "frame": 1, "kind": "loaded", "detail": {}},
            Probed("v1", 1, ProbeReport("loaded", {})),
        ),
        (
            {"type": "answer", "view": "v1", "request": 3, "allowed": True},
            Answered("v1", 3, True, None),
        ),
        (
            {"type": "answer", "view": "v1", "request": 3, "allowed": 1, "result": {"x": 1}},
            Answered("v1", 3, False, {"x": 1}),
        ),
        ({"type": "context", "view": None, "changes": {"a": 1}}, ContextSet(None, {"a": 1})),
        ({"type": "context", "view": "v1", "changes": {}}, ContextSet("v1", {})),
        (
            {
                "type": "host",
                "profile": "claude",
                "quirks": ["meta-dropped"],
                "faults": ["slow-tool=2"],
                "origin": "own",
            },
            HostSet(Setting("claude", ("meta-dropped",), ("slow-tool=2",), "own")),
        ),
        (
            {"type": "write", "view": "v1", "arguments": {"a": 1}, "complete": True},
            Written("v1", {"a": 1}, True),
        ),
        (
            {"type": "call-app-tool", "view": "v1", "call": 4, "name": "n", "arguments": {}},
            AppToolCall("v1", 4, "n", {}),
        ),
        (
            {
                "type": "call",
                "tool": "t",
                "server": "s",
                "arguments": {},
                "context": {},
                "hold": True,
            },
            Call("t", {}, {}, "s", True),
        ),
        ({"type": "cancel", "view": "v1"}, Button("cancel", "v1")),
        ({"type": "reload", "view": "v1"}, Button("reload", "v1")),
    ],
)
def test_message_of_the_page_is_read(data: dict[str, Any], expected: object) -> None:
    assert read_message(json.dumps(data)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nul",
        "[]",
        "[" * 100_000,
        "{}",
        '{"type": "shutdown"}',
        '{"type": "call", "tool": 1, "arguments": {}, "context": {}}',
        '{"type": "call", "tool": "t", "arguments": [], "context": {}}',
        '{"type": "posted", "view": "v1", "frame": true, "message": 1}',
        '{"type": "posted", "view": "v1", "frame": 1.5, "message": 1}',
        '{"type": "probe", "view": "v1", "frame": 1, "kind": "other", "detail": {}}',
        '{"type": "cancel"}',
        '{"type": "host", "profile": "spec", "quirks": [1], "faults": [], "origin": "own"}',
        '{"type": "host", "profile": "spec", "quirks": [], "faults": [], "origin": "none"}',
    ],
)
def test_what_is_no_message_of_the_page_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_message(text)
