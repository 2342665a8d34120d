"""Views in memory, written from the specification."""

from __future__ import annotations

from typing import Any

from mcpapps_cli.host.memory import Post
from mcpapps_cli.model import JsonObject
from tests.host.rig import INITIALIZE


class GoodView:
    """Greets, listens, answers the teardown and calls a tool when its result has come."""

    def __init__(self, post: Post):
        self.post = post
        self.context: JsonObject = {}
        self.seen: list[str] = []
        self.answers: dict[Any, JsonObject] = {}

    async def load(self) -> None:
        self.post({"jsonrpc": "2.0", "id": 0, "method": "ui/initialize", "params": INITIALIZE})

    async def receive(self, message: JsonObject) -> None:
        if "method" not in message:
            self.answers[message["id"]] = message
            if message["id"] == 0:
                self.context = message["result"]["hostContext"]
                self.post({"jsonrpc": "2.0", "method": "ui/notifications/initialized"})
            return
        self.seen.append(message["method"])
        if message["method"] == "ui/resource-teardown":
            self.post({"jsonrpc": "2.0", "id": message["id"], "result": {}})


class SilentView:
    """Loads and does nothing."""

    def __init__(self, post: Post):
        self.post = post

    async def load(self) -> None:
        return

    async def receive(self, message: JsonObject) -> None:
        return
