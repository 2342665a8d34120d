"""Servers over HTTP: started by dev, with a port of its choice or their own, or elsewhere."""

from __future__ import annotations

import asyncio
import socket
import sys

import pytest

from mcpapps_cli.dev.event import ServerFailed
from mcpapps_cli.dev.standby import Reserve
from mcpapps_cli.dev.supervisor import Supervisor
from mcpapps_cli.errors import ServerError
from mcpapps_cli.model import Project, ServerSpec

pytestmark = pytest.mark.anyio
# One answer for each POST, as the specification's simplest server gives it.
SERVER = """
import json, os, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAME = "first"

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        results = {
            "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                           "serverInfo": {"name": NAME, "version": "1"}},
            "tools/list": {"tools": [{"name": NAME, "inputSchema": {"type": "object"}}]},
            "tools/call": {"content": [{"type": "text", "text": NAME}]},
        }
        reply = {"jsonrpc": "2.0", "id": message.get("id")}
        if message["method"] in results:
            reply["result"] = results[message["method"]]
        else:
            reply["error"] = {"code": -32601, "message": "Method not found"}
        body = json.dumps(reply).encode() if "id" in message else b""
        self.send_response(200 if body else 202)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.send_response(405)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass

port = int(sys.argv[1]) if len(sys.argv) > 1 else int(os.environ["PORT"])
print("listening", port, flush=True)
ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
"""


@pytest.fixture
def make(tmp_path, guard):
    file = tmp_path / "server.py"
    file.write_text(SERVER)

    def make_one(url, *arguments, started=True):
        command = (sys.executable, str(file), *arguments) if started else ()
        spec = ServerSpec(command=command, url=url, cwd=tmp_path, label="server")
        project = Project(root=tmp_path, name="x", out=tmp_path / "out", server=spec)
        events, gone = [], []
        supervisor = Supervisor(
            project,
            reserve=Reserve(guard),
            on_event=events.append,
            on_gone=gone.append,
            era="legacy",
            timeout=20,
        )
        return file, supervisor, events, gone

    return make_one


def edit(file, old, new):
    file.write_text(file.read_text().replace(f'NAME = "{old}"', f'NAME = "{new}"'))


async def text(supervisor):
    result = await supervisor.request("tools/call", {"name": "x", "arguments": {}})
    return result["content"][0]["text"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize("arguments", [("{port}",), ()], ids=["in the command", "in PORT"])
async def test_each_server_gets_a_port_of_its_own(make, arguments):
    file, supervisor, _, _ = make("http://127.0.0.1:{port}/mcp", *arguments)
    await supervisor.start()
    try:
        first = supervisor._current
        edit(file, "first", "second")
        assert await supervisor.restart()
        assert await text(supervisor) == "second"
        assert supervisor._current.started.port != first.started.port
    finally:
        await supervisor.close()
        await supervisor._reserve.close()


async def test_with_a_port_of_its_own_the_old_server_ends_first_and_calls_wait(make):
    port = str(free_port())
    file, supervisor, _, _ = make(f"http://127.0.0.1:{port}/mcp", port)
    await supervisor.start()
    try:
        edit(file, "first", "second")
        restart = asyncio.create_task(supervisor.restart())
        await asyncio.sleep(0)
        assert await asyncio.gather(*(text(supervisor) for _ in range(3))) == ["second"] * 3
        assert await restart
    finally:
        await supervisor.close()
        await supervisor._reserve.close()


async def test_a_server_elsewhere_that_went_away_is_asked_for_again(make):
    port = str(free_port())
    url = f"http://127.0.0.1:{port}/mcp"
    file, other, _, _ = make(url, port)
    _, supervisor, events, gone = make(url, started=False)
    await other.start()
    await supervisor.start()
    try:
        assert await text(supervisor) == "first"
        await other.close()
        with pytest.raises(ServerError, match="could not be reached"):
            await text(supervisor)
        async with asyncio.timeout(10):
            while not gone:
                await asyncio.sleep(0)
        assert gone == [0.0]
        assert [type(event) for event in events] == [ServerFailed]
        assert not await supervisor.restart()
        edit(file, "first", "second")
        assert await other.restart()
        assert await supervisor.restart()
        assert await text(supervisor) == "second"
    finally:
        await supervisor.close()
        await other.close()
        await other._reserve.close()
