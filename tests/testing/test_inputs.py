"""Which calls are made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.errors import UserError
from mcpapps_cli.model import Inventory, SampleCall
from mcpapps_cli.testing.inputs import plan_inputs
from tests.stage.backend import tool

READS = {"annotations": {"readOnlyHint": True}}
TOOLS = (
    tool("chart", "ui://a/chart", **READS),
    tool("form", "ui://a/form"),
    tool("save"),
)
INVENTORY = Inventory("modern", "2026-07-28", {"name": "a"}, {}, TOOLS)


def made(**options: Any) -> list[tuple[str, dict[str, Any], str]]:
    inputs, _ = plan_inputs(INVENTORY, **options)
    return [(each.tool, dict(each.args), each.origin) for each in inputs]


def test_a_tool_that_only_reads_gets_a_sample_call_and_others_are_named() -> None:
    inputs, untried = plan_inputs(INVENTORY)
    assert [(each.tool, each.origin) for each in inputs] == [("chart", "sample")]
    assert [name for name, _ in untried] == ["form"]


def test_declared_calls_are_made_and_what_they_leave_out_gets_a_sample() -> None:
    declared = (SampleCall("form", {"n": 1}), SampleCall("save"))
    assert made(declared=declared) == [("form", {"n": 1}, "calls"), ("chart", {}, "sample")]


def test_calls_that_are_asked_for_are_the_only_ones_and_each_is_made_once() -> None:
    calls = (SampleCall("form", {"n": 2}), SampleCall("form", {"n": 2}))
    assert made(calls=calls, declared=(SampleCall("chart"),)) == [("form", {"n": 2}, "--call")]


def test_a_call_of_a_tool_without_a_view_is_refused_with_those_that_have_one() -> None:
    with pytest.raises(UserError) as caught:
        plan_inputs(INVENTORY, calls=(SampleCall("save"),))
    assert caught.value.help == "tools with one: chart, form"


def recording(path: Path, *calls: tuple[str, dict[str, Any]]) -> Path:
    lines: list[dict[str, Any]] = [{"mcpapps": "recording", "format": 1}]
    for number, (name, args) in enumerate(calls, 1):
        params = {"name": name, "arguments": args}
        message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        lines.append({"at": 0, "from": "host", "to": "server", "message": message})
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n", encoding="utf-8")
    return path


def test_a_recording_gives_its_calls_of_tools_with_a_view(tmp_path: Path) -> None:
    calls = (("form", {"n": 1}), ("save", {}), ("form", {"n": 3}), ("form", {"n": 1}))
    file = recording(tmp_path / "seen.jsonl", *calls)
    assert made(recordings=(file,)) == [
        ("form", {"n": 1}, "seen.jsonl"),
        ("form", {"n": 3}, "seen.jsonl"),
    ]


def test_a_recording_without_such_a_call_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no call of a tool that has a View"):
        made(recordings=(recording(tmp_path / "seen.jsonl", ("save", {})),))
