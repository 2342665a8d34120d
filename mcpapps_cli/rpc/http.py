"""JSON-RPC over streamable HTTP, of 2025 with a session and of 2026 without."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from httpx_sse import ServerSentEvent, SSEError

from mcpapps_cli import wire
from mcpapps_cli.errors import ServerError
from mcpapps_cli.model import JsonObject
from mcpapps_cli.rpc import refusal
from mcpapps_cli.rpc.body import content_type, read_body, read_events
from mcpapps_cli.rpc.framing import decode, encode
from mcpapps_cli.rpc.header import checked_headers, header_parameters, modern_headers
from mcpapps_cli.rpc.limits import DEFAULT_LIMITS, Limits
from mcpapps_cli.rpc.transport import Receiver
from mcpapps_cli.web import environment_told, is_loopback

_CONNECT_SECONDS = 10.0
_LAST_PORT = 2**16 - 1
_CLOSE_SECONDS = 2.0
_RETRY_SECONDS = 1.0
_LONGEST_RETRY_SECONDS = 30.0
_RETRIES = 5
_REDIRECTS = 3
_EVENTS = "text/event-stream"
_JSON = "application/json"
_VERSION = re.compile(r"[\w.-]{1,40}", re.ASCII)
_FAULTS = (httpx.HTTPError, httpx.StreamError, SSEError)


class HttpTransport:
    """Sends each message as a POST; replies come as JSON or as an event stream.

    Loopback addresses never go through a proxy; others follow the environment's.

    Args:
        url: The server's endpoint.
        headers: Sent with every request; their values enter no text and no log.
        limits: Bounds on what is read.

    Raises:
        ServerError: The URL or a header cannot be used.
        UserError: The proxies or certificates that the environment names cannot be used.
    """

    def __init__(self, url: str, headers: JsonObject, *, limits: Limits = DEFAULT_LIMITS):
        try:
            self._url = httpx.URL(url)
        except (httpx.InvalidURL, ValueError):
            raise refusal.bad_url(url) from None
        if self._url.scheme not in ("http", "https") or not self._url.host:
            raise refusal.bad_url(url)
        if self._url.port is not None and self._url.port > _LAST_PORT:
            raise refusal.bad_url(url)
        self._limit = limits.message_bytes
        self._session: str | None = None
        self._version: str | None = None
        self._parameters: dict[str, dict[str, tuple[str, ...]]] = {}
        self._posts: dict[int, tuple[asyncio.Task[None], bool]] = {}
        self._listening: asyncio.Task[None] | None = None
        checked = checked_headers(headers)
        with environment_told():
            self._http = httpx.AsyncClient(
                headers=checked,
                timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
                limits=httpx.Limits(max_connections=None),
                trust_env=not is_loopback(self._url.host),
                # Made here, because without trust_env httpx would not read SSL_CERT_FILE.
                verify=httpx.create_ssl_context() if self._url.scheme == "https" else False,
            )

    def start(self, receiver: Receiver) -> None:
        """Remember the receiver; nothing is sent before the first message."""
        self._receiver = receiver

    async def send(self, message: dict[str, Any]) -> None:
        """Post a message; the reply to a request comes through the receiver."""
        method, request_id = message.get("method"), message.get("id")
        if method is not None and request_id is not None:
            called = message.get("params", {}).get("name") if method == wire.TOOLS_CALL else ""
            modern = modern_headers(message, self._parameters.get(called, {}))
            post = asyncio.create_task(self._request(message, modern))
            self._posts[request_id] = (post, modern is not None)
            post.add_done_callback(lambda _: self._posts.pop(request_id, None))
            return
        try:
            async with self._stream("POST", encode(message), {}) as response:
                if response.status_code >= 400:
                    raise refusal.StatusError(response.status_code, str(self._url))
        except httpx.HTTPError as error:
            raise refusal.of_error(error, str(self._url)) from None
        if method == wire.INITIALIZED:
            self._listening = asyncio.create_task(self._listen())

    def abandon(self, request_id: int) -> bool:
        """Close the reply's stream, which since 2026-07-28 is how a request is cancelled."""
        post, modern = self._posts.get(request_id, (None, False))
        if post is not None:
            post.cancel()
        return modern

    async def aclose(self) -> None:
        """End the session, if the server gave one, and every connection."""
        tasks = [post for post, _ in self._posts.values()]
        if self._listening is not None:
            tasks.append(self._listening)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        try:
            if self._session is not None:
                with contextlib.suppress(*_FAULTS, TimeoutError):
                    async with asyncio.timeout(_CLOSE_SECONDS):
                        await self._http.delete(self._url, headers=self._own_headers())
        finally:
            await self._http.aclose()

    async def _request(self, message: dict[str, Any], modern: dict[str, str] | None) -> None:
        request_id: int = message["id"]
        try:
            async with self._stream("POST", encode(message), modern or {}) as response:
                if message["method"] == wire.INITIALIZE:
                    self._session = response.headers.get("mcp-session-id")
                last_event, wait = await self._take_answer(response, message)
            retries = 0
            while last_event:
                retries += 1
                if retries > _RETRIES:
                    raise ServerError("the server's event stream ended again and again")
                await asyncio.sleep(wait)
                headers = {"Accept": _EVENTS, "Last-Event-ID": last_event}
                async with self._stream("GET", None, headers) as response:
                    before = last_event
                    last_event, wait = await self._take_answer(response, message, before)
                    retries = retries if last_event == before else 0
            self._receiver.failed(request_id, _unanswered(message))
        except ServerError as error:
            self._receiver.failed(request_id, error)
        except _FAULTS as error:
            failure = refusal.of_error(error, str(self._url))
            self._receiver.failed(request_id, failure)
            if isinstance(error, httpx.ConnectError):
                self._receiver.gone(failure.message)

    async def _take_answer(
        self, response: httpx.Response, message: dict[str, Any], last_event: str = ""
    ) -> tuple[str, float]:
        """Hand over what the response has; return after which event and when to go on.

        The event is empty when there is nothing to go on with.
        """
        status, kind = response.status_code, content_type(response)
        if status >= 400:
            await self._take_refusal(response, message)
        elif kind == _EVENTS:
            return await self._take_events(response, message, last_event)
        elif status == 202:
            pass
        elif kind == _JSON:
            messages = decode(await read_body(response, self._limit))
            if messages is None:
                raise ServerError(f'the answer to "{message["method"]}" is not JSON-RPC')
            for answer in messages:
                self._take(answer, message)
        else:
            raise refusal.wrong_type(str(self._url), kind)
        return "", 0.0

    async def _take_refusal(self, response: httpx.Response, message: dict[str, Any]) -> None:
        error = refusal.StatusError(response.status_code, str(self._url))
        if error.status == 404 and self._session and message["method"] != wire.INITIALIZE:
            self._session = None
            self._receiver.gone("the server ended the session")
        if not error.is_final and content_type(response) == _JSON:
            for answer in decode(await read_body(response, self._limit)) or ():
                if isinstance(answer.get("error"), dict):
                    self._take(answer, message)
                    return
        raise error

    async def _take_events(
        self, response: httpx.Response, message: dict[str, Any], last_event: str
    ) -> tuple[str, float]:
        wait = _RETRY_SECONDS
        try:
            async for event in read_events(response, self._limit):
                last_event = event.id or last_event
                if event.retry is not None:
                    wait = min(max(event.retry, 0) / 1000, _LONGEST_RETRY_SECONDS)
                for answer in self._decoded(event):
                    if self._take(answer, message):
                        return "", 0.0
        except httpx.HTTPError:
            if not last_event:
                raise
            # Servers may end a stream at any time, and keep what it missed.
        return last_event, wait

    def _take(self, answer: dict[str, Any], message: dict[str, Any]) -> bool:
        """Hand one message over; return whether it is the reply to `message`."""
        if "method" in answer:
            self._receiver.received(answer)
            return False
        self._learn(message["method"], answer.get("result"))
        # A stream has one request, and a server that could not read it makes an id up.
        self._receiver.received({**answer, "id": message["id"]})
        return True

    def _learn(self, method: str, result: object) -> None:
        if not isinstance(result, dict):
            return
        if method == wire.INITIALIZE:
            version = result.get("protocolVersion")
            if isinstance(version, str) and _VERSION.fullmatch(version):
                self._version = version
        elif method == wire.TOOLS_LIST and isinstance(tools := result.get("tools"), list):
            for tool in tools:
                if isinstance(tool, dict) and isinstance(tool.get("name"), str):
                    self._parameters[tool["name"]] = header_parameters(tool)

    async def _listen(self) -> None:
        # A server need not offer this stream, and its end means nothing.
        with contextlib.suppress(ServerError, *_FAULTS):
            async with self._stream("GET", None, {"Accept": _EVENTS}) as response:
                if response.status_code == 200 and content_type(response) == _EVENTS:
                    async for event in read_events(response, self._limit):
                        for message in self._decoded(event):
                            self._receiver.received(message)

    def _decoded(self, event: ServerSentEvent) -> list[dict[str, Any]]:
        if not event.data.strip():
            return []
        messages = decode(event.data.encode("utf-8", "replace"))
        if messages is None:
            self._receiver.unreadable(event.data)
        return messages or []

    @asynccontextmanager
    async def _stream(
        self, method: str, content: bytes | None, headers: dict[str, str]
    ) -> AsyncIterator[httpx.Response]:
        for _ in range(_REDIRECTS + 1):
            sent = {**self._own_headers(), **headers}
            async with self._http.stream(
                method, self._url, content=content, headers=sent
            ) as response:
                if not response.has_redirect_location:
                    yield response
                    return
                self._url = self._redirect(response)
        raise ServerError("the server redirects again and again", help="check the URL")

    def _redirect(self, response: httpx.Response) -> httpx.URL:
        location = response.headers["location"]
        try:
            target = self._url.join(location)
        except (httpx.InvalidURL, ValueError):
            raise refusal.redirected(str(self._url), "") from None
        here = self._url
        if (target.scheme, target.host, target.port) != (here.scheme, here.host, here.port):
            raise refusal.redirected(str(here), str(target))
        return target

    def _own_headers(self) -> dict[str, str]:
        headers = {"Accept": f"{_JSON}, {_EVENTS}", "Content-Type": _JSON}
        if self._session is not None:
            headers["Mcp-Session-Id"] = self._session
        if self._version is not None:
            headers["Mcp-Protocol-Version"] = self._version
        return headers


def _unanswered(message: dict[str, Any]) -> ServerError:
    return ServerError(f'the server ended its answer to "{message["method"]}" without a reply')
