"""What a model is told: the tools that it may call, and what a call's result says to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcpapps_cli.metadata.reading import apps_metadata
from mcpapps_cli.model import JsonObject


def model_tools(tools: Iterable[JsonObject] | None) -> tuple[JsonObject, ...]:
    """Return the tools whose visibility contains `model`, as received and in that order.

    A host must not tell the model of any other (specification, Visibility). Absent means visible,
    an empty list visible to nobody. The others are still needed for the calls of a View.
    Never raises.

    Args:
        tools: Raw `tools/list` entries; what is no object is left out, and no list is an empty one.
    """
    return tuple(
        tool
        for tool in (tools if isinstance(tools, Iterable) else ())
        if isinstance(tool, Mapping) and apps_metadata(tool).model_visible
    )


def model_content(result: object) -> tuple[JsonObject, ...]:
    """Return the `content` blocks of a `tools/call` result: all that the model should get.

    `structuredContent` and `_meta` are the View's (specification, Data Passing). Never raises;
    what is no block is left out.
    """
    content = result.get("content") if isinstance(result, Mapping) else None
    blocks = content if isinstance(content, list | tuple) else ()
    return tuple(block for block in blocks if isinstance(block, Mapping))
