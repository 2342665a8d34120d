"""The results of sample calls, as rules read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mcpapps_cli.lint.observed import Mounted
from mcpapps_cli.lint.place import Place, as_object, json_place
from mcpapps_cli.lint.subject import Subject, Tool
from mcpapps_cli.model import JsonObject


@dataclass(frozen=True, slots=True)
class CallResult:
    """The result of one sample call of a tool that the server lists."""

    tool: Tool
    result: JsonObject

    @property
    def blocks(self) -> list[JsonObject]:
        """The content blocks, each an object; empty when `content` is no list."""
        content = self.result.get("content")
        return [as_object(one) for one in content] if isinstance(content, list) else []

    @property
    def failed(self) -> bool:
        """Whether the tool says that it failed."""
        return self.result.get("isError") is True

    def at(self, *path: str | int) -> Place:
        """Return the place of `path` inside the result."""
        return json_place(self.tool.label, f"tools/call/{self.tool.name}", self.result, path)


def results(subject: Subject) -> Iterator[CallResult]:
    """Yield the result of every sample call that gave one."""
    for call in subject.observed.calls:
        tool = subject.tool_names.get(call.tool)
        if tool is not None and isinstance(call.result, Mapping):
            yield CallResult(tool, call.result)


def texts(call: CallResult) -> list[str]:
    """Return the text of each text block, "" for another block, so that indexes hold."""
    found = [one.get("text") if one.get("type") == "text" else "" for one in call.blocks]
    return [one if isinstance(one, str) else "" for one in found]


def result_uri(call: CallResult) -> tuple[tuple[str, ...], object] | None:
    """Return path inside `_meta` and value of a link to a View on a result, else None."""
    meta = as_object(call.result.get("_meta"))
    ui = as_object(meta.get("ui"))
    if "resourceUri" in ui:
        return ("ui", "resourceUri"), ui["resourceUri"]
    for key in ("ui/resourceUri", "openai/outputTemplate"):
        if key in meta:
            return (key,), meta[key]
    return None


def in_run(view: Mounted, *path: str | int) -> Place:
    """Return the place of something that a View did in a browser."""
    return json_place(view.uri, f"run/{view.uri}", {}, path)
