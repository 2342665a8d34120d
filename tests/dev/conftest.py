from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mcpapps_cli.dev.event import DevEvent
from mcpapps_cli.dev.guard import Guard
from mcpapps_cli.dev.standby import Reserve
from mcpapps_cli.dev.supervisor import Supervisor
from mcpapps_cli.model import Project, ServerSpec

# A server by the specification alone: legacy handshake, one tool that can be slow.
SERVER = """
import json, sys, threading, time, pathlib

NAME = "first"
GATE = pathlib.Path(__file__).with_name("gate")

def answer(message, result):
    reply = {"jsonrpc": "2.0", "id": message["id"], "result": result}
    sys.stdout.write(json.dumps(reply) + "\\n")
    sys.stdout.flush()

def slow(message):
    while not GATE.exists():
        time.sleep(0.005)
    answer(message, {"content": [{"type": "text", "text": NAME}]})

for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if method == "initialize":
        info = {"name": NAME, "version": "1"}
        capabilities = {"tools": {}}
        answer(message, {"protocolVersion": "2025-11-25", "serverInfo": info,
                         "capabilities": capabilities})
    elif method == "tools/list":
        answer(message, {"tools": [{"name": NAME, "inputSchema": {"type": "object"}}]})
    elif method == "tools/call" and message["params"]["name"] == "slow":
        threading.Thread(target=slow, args=(message,), daemon=True).start()
    elif method == "tools/call" and message["params"]["name"] == "exit":
        sys.stderr.write("leaving\\n")
        sys.stderr.flush()
        raise SystemExit(3)
    elif method == "tools/call":
        answer(message, {"content": [{"type": "text", "text": NAME}]})
    elif "id" in message:
        error = {"code": -32601, "message": "Method not found"}
        reply = {"jsonrpc": "2.0", "id": message["id"], "error": error}
        sys.stdout.write(json.dumps(reply) + "\\n")
        sys.stdout.flush()
"""


@dataclass
class Lab:
    """A server file, a supervisor on it and what it told."""

    file: Path
    supervisor: Supervisor
    reserve: Reserve
    events: list[DevEvent] = field(default_factory=list)
    gone: list[float] = field(default_factory=list)

    def edit(self, old: str, new: str) -> None:
        text = self.file.read_text()
        assert old in text
        self.file.write_text(text.replace(old, new))

    def all(self, kind: type) -> list[DevEvent]:
        return [event for event in self.events if isinstance(event, kind)]

    async def close(self) -> None:
        await self.supervisor.close()
        await self.reserve.close()


@pytest.fixture
def guard() -> Iterator[Guard]:
    with Guard() as guard:
        yield guard


@pytest.fixture
def lab(tmp_path: Path, guard: Guard) -> Callable[..., Lab]:
    def make(restart: str = "swap", source: str = SERVER, *, standby: bool = False) -> Lab:
        file = tmp_path / "server.py"
        file.write_text(source)
        spec = ServerSpec(
            command=(sys.executable, str(file)),
            cwd=tmp_path,
            label="python server.py",
            restart="stop-first" if restart == "stop-first" else "swap",
        )
        project = Project(root=tmp_path, name="lab", out=tmp_path / "built", server=spec)
        events: list[DevEvent] = []
        gone: list[float] = []
        reserve = Reserve(guard, enabled=standby)
        supervisor = Supervisor(
            project, reserve=reserve, on_event=events.append, on_gone=gone.append, timeout=20
        )
        return Lab(file, supervisor, reserve, events, gone)

    return make
