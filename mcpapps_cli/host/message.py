"""JSON-RPC 2.0 messages as Views post them, read strictly, and as the host posts them."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from mcpapps_cli.model import JsonObject

RequestId = int | str


@dataclass(frozen=True, slots=True)
class Request:
    """A message with a method and an id, which may be 0."""

    id: RequestId
    method: str
    params: JsonObject


@dataclass(frozen=True, slots=True)
class Notification:
    """A message with a method and no id."""

    method: str
    params: JsonObject


@dataclass(frozen=True, slots=True)
class Response:
    """A message without a method; exactly one of `result` and `error` is set."""

    id: RequestId
    result: JsonObject | None
    error: JsonObject | None


@dataclass(frozen=True, slots=True)
class BadParams:
    """A request whose `params` is not an object."""

    id: RequestId
    method: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """Something that is no JSON-RPC 2.0 message, and why."""

    why: str


Message = Request | Notification | Response | BadParams | Malformed


def read_message(message: object) -> Message:
    """Tell what a View posted; total, never raises."""
    if not isinstance(message, Mapping):
        return Malformed("not an object")
    if message.get("jsonrpc") != "2.0":
        return Malformed('"jsonrpc" is not "2.0"')
    id_ = message.get("id")
    if "id" in message and not is_request_id(id_):
        return Malformed('"id" is neither an integer nor a string')
    if "method" not in message:
        return _read_response(message)
    method = message["method"]
    if not isinstance(method, str):
        return Malformed('"method" is not a string')
    params = message.get("params", {})
    if not isinstance(params, Mapping):
        if "id" in message:
            return BadParams(message["id"], method)
        return Malformed(f'"params" of "{shorten(method)}" is not an object')
    if "id" in message:
        return Request(message["id"], method, params)
    return Notification(method, params)


def _read_response(message: Mapping[str, Any]) -> Response | Malformed:
    if "id" not in message:
        return Malformed('neither "method" nor "id"')
    if ("result" in message) == ("error" in message):
        return Malformed('a response needs exactly one of "result" and "error"')
    key = "result" if "result" in message else "error"
    if not isinstance(message[key], Mapping):
        return Malformed(f'"{key}" is not an object')
    return Response(message["id"], message.get("result"), message.get("error"))


def is_request_id(value: object) -> TypeGuard[RequestId]:
    """Whether MCP takes `value` for a request id; integers beyond 64 bits are refused."""
    if isinstance(value, int):
        return not isinstance(value, bool) and -(2**63) <= value < 2**63
    return isinstance(value, str)


def same_json(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; two that are nested too deeply to tell are not."""
    try:
        return bool(one == other)
    except RecursionError:
        return False


def text_length(value: Any) -> int:
    """Return the number of characters of a JSON value as compact text.

    One that is nested too deeply to be written is longer than any limit.
    """
    text = _compact(value)
    return sys.maxsize if text is None else len(text)


def byte_length(value: Any) -> int:
    """Return the number of UTF-8 bytes of a JSON value as compact text, as `text_length` does."""
    text = _compact(value)
    return sys.maxsize if text is None else len(text.encode("utf-8", "surrogatepass"))


def _compact(value: Any) -> str | None:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    except RecursionError:
        return None


def shorten(text: str, limit: int = 100) -> str:
    """Return `text` cut to `limit` characters, so that a View cannot fill the log."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def request(id_: RequestId, method: str, params: JsonObject) -> JsonObject:
    """Return a request."""
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}


def notification(method: str, params: JsonObject) -> JsonObject:
    """Return a notification."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def result(id_: RequestId, value: JsonObject) -> JsonObject:
    """Return the successful answer to a request."""
    return {"jsonrpc": "2.0", "id": id_, "result": value}


def error(id_: RequestId, code: int, text: str, **more: Any) -> JsonObject:
    """Return the error answer to a request; `more` may give `data`."""
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": text, **more}}
