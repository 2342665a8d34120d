"""Which era a connection ends up in, and what it declares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.errors import ServerError
from mcpapps_cli.rpc import Limits, connect
from tests.rpc.servers import write_server

pytestmark = pytest.mark.anyio

APPS = {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}
QUICK = Limits(close_seconds=0.1)
MODERN = """
def discover(message, versions=("2026-07-28",)):
    reply(message, {"supportedVersions": list(versions), "resultType": "complete",
                    "capabilities": {"tools": {}}, "instructions": "be kind",
                    "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "new"}}})
"""


@pytest.mark.parametrize("code", [-32601, -32602, -32600, -32022])
async def test_auto_falls_back_to_initialize_on_any_error(tmp_path: Path, code: int) -> None:
    spec = write_server(
        tmp_path,
        f"""
        refuse(receive(), {code}, "no")
        seen = shake_hands({{"tools": {{}}}})
        reply(receive(), seen)
        receive()
        """,
    )
    async with connect(spec) as client:
        assert (client.era, client.protocol_version) == ("legacy", "2025-11-25")
        assert client.server_info == {"name": "fake", "version": "1"}
        assert client.capabilities == {"tools": {}}
        seen = await client.request("x", timeout=10)
    assert seen["params"]["protocolVersion"] == "2025-11-25"
    assert seen["params"]["capabilities"] == {"extensions": APPS}
    assert seen["params"]["clientInfo"]["name"] == "mcpapps"


async def test_auto_takes_the_modern_era_and_every_request_carries_the_meta(
    tmp_path: Path,
) -> None:
    spec = write_server(
        tmp_path,
        MODERN
        + """
message = receive()
assert message["method"] == "server/discover", message
discover(message)
for _ in range(2):
    message = receive()
    reply(message, message)
receive()
""",
    )
    async with connect(spec) as client:
        assert (client.era, client.protocol_version) == ("modern", "2026-07-28")
        assert client.server_info == {"name": "new"}
        assert client.instructions == "be kind"
        plain = await client.request("x", timeout=10)
        own = {"_meta": {"mine": 1, "io.modelcontextprotocol/protocolVersion": "0"}, "a": 2}
        merged = await client.request("x", own, timeout=10)
    meta = plain["params"]["_meta"]
    assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
    assert meta["io.modelcontextprotocol/clientInfo"]["name"] == "mcpapps"
    assert meta["io.modelcontextprotocol/clientCapabilities"] == {"extensions": APPS}
    assert merged["params"] == {"a": 2, "_meta": {**meta, "mine": 1}}


async def test_without_ui_the_client_declares_no_extension(tmp_path: Path) -> None:
    spec = write_server(tmp_path, "seen = shake_hands(); reply(receive(), seen); receive()")
    async with connect(spec, era="legacy", ui=False) as client:
        seen = await client.request("x", timeout=10)
    assert seen["params"]["capabilities"] == {}


async def test_auto_initializes_a_server_that_is_silent_to_the_probe(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        assert receive()["method"] == "server/discover"
        shake_hands()
        reply(receive(), {"done": True})
        receive()
        """,
    )
    async with connect(spec) as client:
        assert client.era == "legacy"
        assert await client.request("x", timeout=10) == {"done": True}


async def test_auto_takes_the_late_answer_of_a_slow_modern_server(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        MODERN
        + """
probe = receive()
message = receive()
assert message["method"] == "initialize"
discover(probe)
refuse(message, -32022, "only 2026-07-28")
reply(receive(), {"done": True})
receive()
""",
    )
    async with connect(spec) as client:
        assert client.era == "modern"
        assert await client.request("x", timeout=10) == {"done": True}


async def test_auto_starts_a_server_again_that_the_probe_has_ended(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        print("starting", file=sys.stderr)
        message = receive()
        if message["method"] != "initialize":
            print("expected initialize", file=sys.stderr)
            sys.exit(1)
        reply(message, {"protocolVersion": "2025-06-18"})
        receive()
        reply(receive(), {"done": True})
        receive()
        """,
    )
    heard: list[str] = []
    async with connect(spec, on_stderr=heard.append) as client:
        assert (client.era, client.protocol_version) == ("legacy", "2025-06-18")
        assert await client.request("x", timeout=10) == {"done": True}
    assert heard == ["starting"]


async def test_auto_initializes_a_server_that_discovers_only_older_versions(
    tmp_path: Path,
) -> None:
    spec = write_server(
        tmp_path, MODERN + 'discover(receive(), ["2025-11-25"])\nshake_hands()\nreceive()\n'
    )
    async with connect(spec) as client:
        assert client.era == "legacy"


@pytest.mark.parametrize(
    ("era", "method", "other"),
    [("legacy", "initialize", "modern"), ("modern", "server/discover", "legacy")],
)
async def test_a_forced_era_that_the_server_refuses_names_the_other(
    tmp_path: Path, era: Any, method: str, other: str
) -> None:
    spec = write_server(tmp_path, 'refuse(receive(), -32601, "Method not found"); receive()')
    with pytest.raises(ServerError) as caught:
        async with connect(spec, era=era):
            pass
    assert caught.value.message == (
        f'server "python fake.py": the server refused "{method}": error -32601: Method not found'
    )
    assert f"pass --era {other}" in str(caught.value.help)


async def test_a_handshake_of_odd_shapes_is_taken_as_far_as_it_goes(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        reply(receive(), {"protocolVersion": 7, "capabilities": [], "serverInfo": "x",
                          "instructions": {}})
        receive(); receive()
        """,
    )
    async with connect(spec, era="legacy") as client:
        assert client.protocol_version == ""
        assert client.server_info == client.capabilities == {}
        assert client.instructions is None


async def test_what_mcp_1_logs_about_the_probe_is_not_shown(tmp_path: Path) -> None:
    spec = write_server(
        tmp_path,
        """
        log = lambda *lines: print(*lines, sep="\\n", file=sys.stderr, flush=True)
        message = receive()
        log("starting", "Failed to validate request: 31 validation errors for ClientRequest",
            "PingRequest.method", "  Input should be 'ping'", "    For further information visit x",
            "ready")
        refuse(message, -32602, "Invalid request parameters")
        shake_hands()
        receive()
        log("Failed to validate request: of another kind")
        """,
    )
    heard: list[str] = []
    async with connect(spec, on_stderr=heard.append) as client:
        await client.notify("notifications/x")
        await client.wait_gone()
        assert client.stderr_tail == (
            *("starting", "ready"),
            "Failed to validate request: of another kind",
        )
    assert heard == list(client.stderr_tail)
