"""What a host checks in the params of a View's requests, and how it names the fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from mcpapps_cli import wire
from mcpapps_cli.model import JsonObject

_Check = Callable[[Any, str], Iterator[str]]


def params_fault(method: str, params: JsonObject) -> str | None:
    """Return the first fault of a request's params, such as `params.appInfo is required`.

    None when there is none, or when the method is not one whose params a host reads.
    """
    check = _CHECKS.get(method)
    return next(check(params, "params"), None) if check else None


def _text(value: Any, path: str) -> Iterator[str]:
    if not isinstance(value, str):
        yield f"{path} must be a string"


def _flag(value: Any, path: str) -> Iterator[str]:
    if not isinstance(value, bool):
        yield f"{path} must be true or false"


def _object(
    required: Mapping[str, _Check] | None = None, optional: Mapping[str, _Check] | None = None
) -> _Check:
    def check(value: Any, path: str) -> Iterator[str]:
        if not isinstance(value, Mapping):
            yield f"{path} must be an object"
            return
        for key, inner in (required or {}).items():
            if key in value:
                yield from inner(value[key], f"{path}.{key}")
            else:
                yield f"{path}.{key} is required"
        for key, inner in (optional or {}).items():
            if key in value:
                yield from inner(value[key], f"{path}.{key}")

    return check


def _array(item: _Check, *, empty: bool = True) -> _Check:
    def check(value: Any, path: str) -> Iterator[str]:
        if not isinstance(value, list | tuple):
            yield f"{path} must be an array"
            return
        if not value and not empty:
            yield f"{path} must not be empty"
        for index, entry in enumerate(value):
            yield from item(entry, f"{path}[{index}]")

    return check


def _one_of(*words: str) -> _Check:
    listed = " or ".join(f'"{word}"' for word in words)

    def check(value: Any, path: str) -> Iterator[str]:
        if not isinstance(value, str) or value not in words:
            yield f"{path} must be {listed}"

    return check


_BLOCK = _object({"type": _text})
_BLOCKS = _array(_BLOCK)


def _message_content(value: Any, path: str) -> Iterator[str]:
    # The specification shows one block, the official SDK sends an array of them.
    yield from (_BLOCK if isinstance(value, Mapping) else _BLOCKS)(value, path)


_CHECKS: Final[Mapping[str, _Check]] = {
    wire.UI_INITIALIZE: _object(
        {
            "appInfo": _object({"name": _text, "version": _text}),
            "appCapabilities": _object(
                optional={
                    "experimental": _object(),
                    "tools": _object(optional={"listChanged": _flag}),
                    "availableDisplayModes": _array(_one_of(*wire.DISPLAY_MODES)),
                }
            ),
            "protocolVersion": _text,
        }
    ),
    wire.UI_OPEN_LINK: _object({"url": _text}),
    wire.UI_MESSAGE: _object({"role": _one_of("user"), "content": _message_content}),
    wire.UI_REQUEST_DISPLAY_MODE: _object({"mode": _one_of(*wire.DISPLAY_MODES)}),
    wire.UI_UPDATE_MODEL_CONTEXT: _object(
        optional={"content": _BLOCKS, "structuredContent": _object()}
    ),
    wire.UI_DOWNLOAD_FILE: _object({"contents": _array(_BLOCK, empty=False)}),
    wire.TOOLS_CALL: _object({"name": _text}, {"arguments": _object()}),
    wire.RESOURCES_READ: _object({"uri": _text}),
    wire.SAMPLING_CREATE_MESSAGE: _object({"messages": _array(_object())}),
}
