"""The body of an HTTP answer, read within a bound."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

import httpx
from httpx_sse import EventSource, ServerSentEvent

from mcpapps_cli.rpc import refusal


def content_type(response: httpx.Response) -> str:
    """Return the media type in lower case, without parameters; empty when there is none."""
    value: str = response.headers.get("content-type", "")
    return value.partition(";")[0].strip().lower()


async def read_body(response: httpx.Response, limit: int) -> bytes:
    """Return the whole body.

    Raises:
        ServerError: It has more than `limit` bytes.
    """
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > limit:
            raise refusal.too_large(limit)
    return bytes(body)


async def read_events(response: httpx.Response, limit: int) -> AsyncIterator[ServerSentEvent]:
    """Give each server-sent event as it comes.

    Raises:
        ServerError: One has more than `limit` characters.
    """
    bounded = _Bounded(response, limit)
    async for event in EventSource(cast(httpx.Response, bounded)).aiter_sse():
        bounded.size = 0
        yield event


class _Bounded:
    """The part of a response that `EventSource` uses, with a bound on one event."""

    def __init__(self, response: httpx.Response, limit: int):
        self.headers = response.headers
        self.size = 0
        self._response = response
        self._limit = limit

    async def aiter_text(self) -> AsyncIterator[str]:
        async for text in self._response.aiter_text():
            self.size += len(text)
            if self.size > self._limit:
                raise refusal.too_large(self._limit)
            yield text
