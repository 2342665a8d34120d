"""A host page without a browser: speaks the WebSocket, and plays the View by hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.client import ClientConnection, connect

from mcpapps_cli.stage import Stage

PATIENCE = 15
"""Seconds after which a message that does not come fails the test."""
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "ui/initialize",
    "params": {
        "appInfo": {"name": "by-hand", "version": "1.0.0"},
        "appCapabilities": {},
        "protocolVersion": "2026-01-26",
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "ui/notifications/initialized", "params": {}}
PROXY_READY = {
    "jsonrpc": "2.0",
    "method": "ui/notifications/sandbox-proxy-ready",
    "params": {},
}


class PagePeer:
    """What the page would know; `heard` holds every message, oldest first."""

    def __init__(self, socket: ClientConnection):
        self.socket = socket
        self.heard: list[dict[str, Any]] = []

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Read on until a message of that type with those fields comes."""
        while True:
            async with asyncio.timeout(PATIENCE):
                message = json.loads(await self.socket.recv())
            self.heard.append(message)
            if message["type"] == kind and all(message.get(k) == v for k, v in fields.items()):
                return message

    async def seen(self, kind: str) -> dict[str, Any]:
        """Return the newest message of that type, also one that was read before."""
        found = [message for message in self.heard if message["type"] == kind]
        return found[-1] if found else await self.until(kind)

    async def sent(self, method: str) -> dict[str, Any]:
        """Read on until the View is sent a message of that method."""
        while True:
            message: dict[str, Any] = (await self.until("send"))["message"]
            if message.get("method") == method:
                return message

    async def call(self, tool: str, **arguments: Any) -> None:
        await self.send(type="call", tool=tool, arguments=arguments, context={"theme": "light"})

    async def post(self, mount: dict[str, Any], message: Any) -> None:
        await self.send(type="posted", view=mount["view"], frame=mount["frame"], message=message)

    async def shake_hands(self, mount: dict[str, Any]) -> None:
        await self.post(mount, PROXY_READY)
        await self.sent("ui/notifications/sandbox-resource-ready")
        await self.shake_hands_after_ready(mount)

    async def shake_hands_after_ready(self, mount: dict[str, Any]) -> None:
        await self.post(mount, INITIALIZE)
        await self.until("send")
        await self.post(mount, INITIALIZED)

    async def open(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and bring its View through the handshake; returns the mount."""
        await self.call(tool, **arguments)
        mount = await self.until("mount")
        await self.shake_hands(mount)
        await self.sent("ui/notifications/tool-input")
        return mount


def token_of(stage: Stage) -> str:
    return parse_qs(urlsplit(stage.url).query)["token"][0]


def cookie_of(stage: Stage) -> str:
    return f"mcpapps_{urlsplit(stage.url).port}={token_of(stage)}"


@asynccontextmanager
async def page(stage: Stage, name: str = "") -> AsyncIterator[PagePeer]:
    parts = urlsplit(stage.url)
    async with connect(
        f"ws://{parts.netloc}/socket?page={name}",
        origin=f"http://{parts.netloc}",  # type: ignore[arg-type]
        additional_headers={"Cookie": cookie_of(stage)},
        proxy=None,
        max_size=None,
        max_queue=None,
    ) as socket:
        yield PagePeer(socket)
