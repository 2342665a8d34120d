"""What a host would see of a server, however badly the server behaves."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.errors import ServerError
from mcpapps_cli.inventory import read_inventory, take_inventory
from mcpapps_cli.model import Inventory, Resource, Skip
from mcpapps_cli.rpc import Client, Limits, connect
from mcpapps_cli.rpc.handshake import Agreement
from mcpapps_cli.rpc.peer import Peer
from mcpapps_cli.rpc.transport import Receiver
from tests.rpc.servers import write_server

pytestmark = pytest.mark.anyio

SERVE = """
import time
shake_hands({"tools": {}, "resources": {}})
tools, resources, contents = [], [], {}

def read(m):
    uri = m["params"]["uri"]
    if uri in contents:
        reply(m, contents[uri])
    else:
        refuse(m, -32002, "no such resource")

def serve():
    while True:
        m = receive()
        if m["method"] == "tools/list":
            reply(m, {"tools": tools})
        elif m["method"] == "resources/list":
            reply(m, {"resources": resources})
        elif m["method"] == "resources/read":
            read(m)
"""


async def taken(folder: Path, body: str, timeout: float = 10.0) -> Inventory:
    spec = write_server(folder, f"{SERVE}\n{body}\nserve()\n")
    limits = Limits(close_seconds=0.1)
    async with connect(spec, era="legacy", limits=limits) as client:
        return await read_inventory(client, timeout=timeout)


def page(uri: str, html: str = "<p>") -> dict[str, Any]:
    return {"uri": uri, "mimeType": "text/html;profile=mcp-app", "text": html}


async def test_linked_resources_come_first_then_listed_ones_and_each_is_read_once(
    tmp_path: Path,
) -> None:
    inventory = await taken(
        tmp_path,
        """
        tools += [
            {"name": "flat", "_meta": {"ui/resourceUri": "ui://b"}},
            {"name": "both", "_meta": {"ui": {"resourceUri": "ui://a"}, "ui/resourceUri": "ui://z"}},
            {"name": "again", "_meta": {"ui": {"resourceUri": "ui://b"}}},
            {"name": "none"},
        ]
        resources += [{"uri": "ui://c"}, {"uri": "file:///x"}, {"uri": "ui://a", "name": "A"}]
        for uri in ("ui://a", "ui://b", "ui://c"):
            contents[uri] = {"contents": [{"uri": uri, "text": uri}], "_meta": {"ttl": 1}}
        """.replace("\n        ", "\n"),
    )
    assert [tool["name"] for tool in inventory.tools] == ["flat", "both", "again", "none"]
    assert [(r.uri, r.listing, r.html, r.read_meta) for r in inventory.resources] == [
        ("ui://b", None, "ui://b", {"ttl": 1}),
        ("ui://a", {"uri": "ui://a", "name": "A"}, "ui://a", {"ttl": 1}),
        ("ui://c", {"uri": "ui://c"}, "ui://c", {"ttl": 1}),
    ]
    assert inventory.unread == ()
    assert (inventory.era, inventory.server_info["name"]) == ("legacy", "fake")
    assert inventory.capabilities == {"tools": {}, "resources": {}}


async def test_one_unreadable_and_one_slow_resource_are_skips_and_the_others_are_read(
    tmp_path: Path,
) -> None:
    inventory = await taken(
        tmp_path,
        """
for name in ("gone", "slow", "good"):
    tools.append({"name": name, "_meta": {"ui": {"resourceUri": "ui://" + name}}})
contents["ui://good"] = {"contents": [{"uri": "ui://good", "text": "<p>"}]}
answer = read
def read(m):
    if m["params"]["uri"] != "ui://slow":
        answer(m)
""",
        timeout=1.0,
    )
    assert inventory.unread == (
        Skip("ui://gone", "the server answered with error -32002: no such resource", True),
        Skip("ui://slow", '"resources/read" was not answered within 1 s'),
    )
    good = page("ui://good")
    del good["mimeType"]
    assert inventory.resources == (
        Resource("ui://gone"),
        Resource("ui://slow"),
        Resource("ui://good", None, (good,), good, "<p>"),
    )


async def test_malformed_tools_stay_raw_and_hide_no_other(tmp_path: Path) -> None:
    inventory = await taken(
        tmp_path,
        """
tools += [{"name": 1}, {}, 7, {"_meta": "x"}, {"_meta": {"ui": []}},
          {"_meta": {"ui": {"resourceUri": {}}}}, {"name": "ok"}]
resources += [{"uri": 3}, {}, None]
""",
    )
    assert inventory.tools == (
        *({"name": 1}, {}, {"_meta": "x"}, {"_meta": {"ui": []}}),
        *({"_meta": {"ui": {"resourceUri": {}}}}, {"name": "ok"}),
    )
    assert inventory.resources == ()
    assert inventory.unread == (
        Skip("tools/list", "page 1 has an entry that is not an object, at index 2", True),
        Skip("resources/list", "page 1 has an entry that is not an object, at index 2", True),
    )


async def test_a_server_that_knows_neither_tools_nor_resources_is_no_fault(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        shake_hands()
        while True:
            refuse(receive(), -32601, "Method not found")
        """,
    )
    inventory = await take_inventory(spec)
    assert (inventory.tools, inventory.resources, inventory.unread) == ((), (), ())


async def test_lists_that_are_refused_or_silent_are_skips(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        shake_hands()
        refuse(receive(), -32000, "database is down")
        wait_for_ever()
        """,
    )
    limits = Limits(close_seconds=0.1)
    async with connect(spec, era="legacy", limits=limits) as client:
        inventory = await read_inventory(client, timeout=0.5)
    tools, resources = inventory.unread
    reason = "the server answered with error -32000: database is down"
    assert tools == Skip("tools/list", reason, True)
    assert resources.subject == "resources/list"
    assert resources.reason.startswith('"resources/list" was not answered within 0.')


async def test_a_server_that_ends_before_it_lists_its_tools_is_an_error(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        shake_hands()
        receive()
        print("boom", file=sys.stderr)
        sys.exit(1)
        """,
    )
    with pytest.raises(ServerError) as caught:
        await take_inventory(spec)
    assert caught.value.message == "the server ended with exit code 1 before it listed its tools"
    assert caught.value.details == ("boom",)


async def test_a_server_that_ends_at_a_resource_leaves_a_skip_for_it(tmp_path: Path) -> None:
    inventory = await taken(
        tmp_path,
        """
tools.append({"name": "t", "_meta": {"ui": {"resourceUri": "ui://a"}}})
def read(m):
    sys.exit(9)
""",
    )
    assert inventory.unread == (Skip("ui://a", "the server ended with exit code 9"),)


class MemoryServer:
    """A transport whose server lists ten resources and answers reads when told to."""

    def __init__(self) -> None:
        self.reads: list[dict[str, Any]] = []
        self.asked: asyncio.Queue[None] = asyncio.Queue()

    def start(self, receiver: Receiver) -> None:
        self._receiver = receiver

    async def send(self, message: dict[str, Any]) -> None:
        match message["method"]:
            case "tools/list":
                self.reply(message, {"tools": []})
            case "resources/list":
                uris = [{"uri": f"ui://{number}"} for number in range(10)]
                self.reply(message, {"resources": uris})
            case _:
                self.reads.append(message)
                self.asked.put_nowait(None)

    def reply(self, message: dict[str, Any], result: dict[str, Any]) -> None:
        self._receiver.received({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def abandon(self, request_id: int) -> bool:
        return True

    async def aclose(self) -> None:
        pass


async def test_at_most_four_resources_are_read_at_once() -> None:
    server = MemoryServer()
    peer = Peer(server)
    client = Client(peer, Agreement("legacy", "2025-11-25"))
    inventory = asyncio.create_task(read_inventory(client))
    for _ in range(4):
        await asyncio.wait_for(server.asked.get(), 10)
    await asyncio.wait({inventory}, timeout=0.05)
    assert len(server.reads) == 4
    for number in range(10):
        server.reply(server.reads[number], {"contents": [{"text": str(number)}]})
        if number < 6:
            await asyncio.wait_for(server.asked.get(), 10)
            assert len(server.reads) == number + 5
    assert [r.html for r in (await inventory).resources] == [str(n) for n in range(10)]
    await peer.aclose()
