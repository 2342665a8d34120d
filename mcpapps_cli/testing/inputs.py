"""Which tools are called with which arguments when the Views of a project are tried."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from mcpapps_cli.errors import UserError
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import Inventory, JsonObject, SampleCall
from mcpapps_cli.stage import open_recording
from mcpapps_cli.testing.cell import Input
from mcpapps_cli.testing.sample import sample_arguments
from mcpapps_cli.wire import TOOLS_CALL


def plan_inputs(
    inventory: Inventory,
    *,
    calls: Sequence[SampleCall] = (),
    recordings: Sequence[Path] = (),
    declared: Sequence[SampleCall] = (),
) -> tuple[tuple[Input, ...], tuple[tuple[str, str], ...]]:
    """Return the calls to make, and the tools with a View that are left out, with the reason.

    Calls that were asked for, or recorded, are the only ones then. Otherwise those that the project
    declares are made, and for each other tool with a View one with sample arguments, if the tool
    says that it only reads.

    Args:
        inventory: What the server offers.
        calls: Asked for by hand.
        recordings: Files that `dev --record` wrote.
        declared: `[tool.mcpapps.lint] calls`.

    Raises:
        UserError: a call is of a tool that has no View, or a recording cannot be used.
    """
    tools = {
        str(tool.get("name")): tool
        for tool in inventory.tools
        if apps_metadata(tool).resource_uri is not None
    }
    wanted = [Input(call.tool, call.args, "--call") for call in calls]
    for path in recordings:
        wanted += _recorded(path, tools)
    for each in wanted:
        if each.tool not in tools:
            raise UserError(
                f'there is no tool "{each.tool}" with a View',
                help=f"tools with one: {', '.join(tools) or 'none'}",
            )
    if wanted:
        return _once(wanted), ()
    wanted = [Input(call.tool, call.args, "calls") for call in declared if call.tool in tools]
    named = {each.tool for each in wanted}
    untried = []
    for name, tool in tools.items():
        if name in named:
            continue
        if _only_reads(tool):
            wanted.append(Input(name, sample_arguments(tool), "sample"))
        else:
            untried.append((name, "it is not marked read-only, and no call of it is given"))
    return _once(wanted), tuple(untried)


def _recorded(path: Path, tools: Mapping[str, JsonObject]) -> list[Input]:
    found = []
    for frame in open_recording(path).of_server():
        message = frame.message
        if frame.sender != "host" or not isinstance(message, Mapping):
            continue
        params = message.get("params")
        if message.get("method") == TOOLS_CALL and isinstance(params, Mapping):
            name, args = params.get("name"), params.get("arguments")
            # A View calls other tools, whose results are not shown in a View.
            if isinstance(name, str) and name in tools:
                found.append(Input(name, args if isinstance(args, Mapping) else {}, path.name))
    if not found:
        raise UserError(
            f'"{path}" has no call of a tool that has a View',
            help="record one with `mcpapps dev --record FILE`",
        )
    return found


def _once(inputs: Sequence[Input]) -> tuple[Input, ...]:
    found: dict[str, Input] = {}
    for each in inputs:
        found.setdefault(json.dumps([each.tool, dict(each.args)], sort_keys=True), each)
    return tuple(found.values())


def _only_reads(tool: JsonObject) -> bool:
    annotations = tool.get("annotations")
    return isinstance(annotations, Mapping) and annotations.get("readOnlyHint") is True
