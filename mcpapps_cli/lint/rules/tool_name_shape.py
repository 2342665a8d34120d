"""The names of tools."""

from __future__ import annotations

import re

from mcpapps_cli.lint.rule import Fault, Faults, Subject, rule, server, tool

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@rule(
    "MA116",
    "warning",
    why="Models take no other names: hosts rename such a tool or drop it.",
    fix="use at most 64 of the characters A-Z, a-z, 0-9, _ and -",
    source=("https://platform.openai.com/docs/api-reference/chat/create",),
    bad=server(tool("draw.chart")),
    good=server(tool("draw_chart")),
    near=(server(tool("Draw-Chart-2")), server(tool("c" * 64))),
)
def tool_name_shape(subject: Subject) -> Faults:
    """A tool's name is too long or has a character that models do not take."""
    for entry in subject.tools:
        name = entry.raw.get("name")
        if isinstance(name, str) and not _NAME.fullmatch(name):
            yield Fault(entry.at("name"), f"{entry.label} has a name that hosts may change")
