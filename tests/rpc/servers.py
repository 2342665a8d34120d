"""Small MCP servers, written to disk and run as real programs."""

from __future__ import annotations

import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mcpapps_cli.model import ServerSpec

LINES = """
import json, os, sys, threading

def send(message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()

def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()

def reply(message, result):
    send({"jsonrpc": "2.0", "id": message["id"], "result": result})

def refuse(message, code, text):
    send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": code, "message": text}})

def receive():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)

def wait_for_ever():
    threading.Event().wait()

def shake_hands(capabilities={}):
    while (message := receive())["method"] != "initialize":
        refuse(message, -32601, "Method not found")
    initialize = message
    reply(message, {"protocolVersion": "2025-11-25", "capabilities": capabilities,
                    "serverInfo": {"name": "fake", "version": "1"}})
    assert receive()["method"] == "notifications/initialized"
    return initialize
"""

HTTP_LINES = """
import json, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", headers={}):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def reply(self, message, result, headers={}):
        self.answer(200, {"jsonrpc": "2.0", "id": message["id"], "result": result}, headers)

    def refuse(self, message, code, text, status=200):
        error = {"code": code, "message": text}
        self.answer(status, {"jsonrpc": "2.0", "id": message["id"], "error": error})

    def events(self, text):
        self.answer(200, text.encode(), {"Content-Type": "text/event-stream"})

    def initialized(self, message, headers={}):
        result = {"protocolVersion": "2025-11-25", "capabilities": {},
                  "serverInfo": {"name": "fake", "version": "1"}}
        self.reply(message, result, headers)

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        answer(self, json.loads(self.rfile.read(length)))

    def do_GET(self):
        get(self)

    def do_DELETE(self):
        print("DELETE", self.headers.get("Mcp-Session-Id"), file=sys.stderr, flush=True)
        self.answer(200)

    def log_message(self, *args):
        pass

def get(http):
    http.answer(405)

def serve():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
"""


def write_server(folder: Path, body: str, *, name: str = "fake.py", env: Any = None) -> ServerSpec:
    """Write a stdio server of `LINES` and `body`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(LINES + textwrap.dedent(body), encoding="utf-8")
    return ServerSpec(
        command=(sys.executable, name), cwd=folder, label=f"python {name}", env=env or {}
    )


@contextmanager
def http_server(folder: Path, body: str) -> Iterator[tuple[str, Callable[[], str]]]:
    """Run an HTTP server of `HTTP_LINES` and `body`.

    Yields its URL, and a function that ends it and returns its stderr.
    """
    text = HTTP_LINES + textwrap.dedent(body) + "\nserve()\n"
    (folder / "http_fake.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "http_fake.py"]
    with running(command, folder) as (port, stderr):
        yield f"http://127.0.0.1:{port}/mcp", stderr


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[tuple[int, Callable[[], str]]]:
    """Run a program that prints its port, and end it."""
    with (folder / "stderr.txt").open("w+", encoding="utf-8") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=log)
        assert process.stdout is not None

        def stderr() -> str:
            process.kill()
            process.wait()
            log.seek(0)
            return log.read()

        try:
            yield int(process.stdout.readline()), stderr
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def closed_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
