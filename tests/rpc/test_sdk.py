"""The reference SDK's server, over both transports and in both eras."""

from __future__ import annotations

import asyncio
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.errors import RpcError
from mcpapps_cli.inventory import read_inventory
from mcpapps_cli.model import Resource, ServerSpec
from mcpapps_cli.rpc import connect
from tests.rpc.servers import running

pytestmark = pytest.mark.anyio

SERVER = """
import asyncio, socket, sys
from mcp.server.apps import Apps, ResourceCsp, client_supports_apps
from mcp.server.mcpserver import Context, MCPServer

apps = Apps()
apps.add_html_resource("ui://t/a.html", "<!doctype html><p>h\\u00e9</p>", name="a",
                       csp=ResourceCsp(connect_domains=["https://x.test"]))

@apps.tool(resource_uri="ui://t/a.html", visibility=["model"])
async def show(ctx: Context, steps: int) -> str:
    for step in range(steps):
        await ctx.report_progress(step, steps)
    return f"apps: {client_supports_apps(ctx)}"

mcp = MCPServer("sdk", version="1.2.3", extensions=[apps])

@mcp.tool()
async def hang() -> str:
    print("hanging", file=sys.stderr, flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        print("cancelled", file=sys.stderr, flush=True)

if sys.argv[1:] == ["http"]:
    import uvicorn
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    app = mcp.streamable_http_app()
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
else:
    mcp.run()
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sdk") / "server.py"
    path.write_text(textwrap.dedent(SERVER), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def port(script: Path) -> Iterator[int]:
    with running([sys.executable, str(script), "http"], script.parent) as (port, _):
        yield port


@pytest.fixture(params=["stdio", "http"])
def spec(request: pytest.FixtureRequest, script: Path) -> ServerSpec:
    if request.param == "http":
        return ServerSpec(url=f"http://127.0.0.1:{request.getfixturevalue('port')}/mcp")
    return ServerSpec(command=(sys.executable, script.name), cwd=script.parent)


@pytest.mark.parametrize(
    ("era", "got", "version"),
    [
        ("auto", "modern", "2026-07-28"),
        ("modern", "modern", "2026-07-28"),
        ("legacy", "legacy", "2025-11-25"),
    ],
)
async def test_list_call_and_read_work(spec: ServerSpec, era: Any, got: str, version: str) -> None:
    steps: list[Any] = []
    async with connect(spec, era=era, timeout=60) as client:
        assert (client.era, client.protocol_version) == (got, version)
        assert client.server_info["name"] == "sdk"
        inventory = await read_inventory(client)
        result = await client.call_tool(
            "show", {"steps": 2}, timeout=30, on_progress=lambda p: steps.append(p["progress"])
        )
        with pytest.raises(RpcError):
            await client.read_resource("ui://t/missing.html", timeout=30)
    ui = {"csp": {"connectDomains": ["https://x.test"]}}
    listing = {
        **{"uri": "ui://t/a.html", "name": "a", "mimeType": "text/html;profile=mcp-app"},
        "_meta": {"ui": ui},
    }
    assert [tool["name"] for tool in inventory.tools] == ["show", "hang"]
    assert inventory.tools[0]["_meta"] == {
        "ui": {"resourceUri": "ui://t/a.html", "visibility": ["model"]}
    }
    html = "<!doctype html><p>hé</p>"
    content = {
        **{"uri": "ui://t/a.html", "mimeType": "text/html;profile=mcp-app"},
        **{"text": html, "_meta": {"ui": ui}},
    }
    (resource,) = inventory.resources
    assert resource == Resource(
        "ui://t/a.html", listing, (content,), content, html, resource.read_meta
    )
    assert inventory.unread == ()
    assert result["content"] == [{"type": "text", "text": "apps: True"}]
    assert steps == [0, 1]


async def test_without_ui_the_server_sees_a_host_without_views(spec: ServerSpec) -> None:
    async with connect(spec, timeout=60, ui=False) as client:
        result = await client.call_tool("show", {"steps": 0}, timeout=30)
    assert result["content"] == [{"type": "text", "text": "apps: False"}]


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_cancelling_a_call_ends_it_in_the_server(script: Path, era: Any) -> None:
    spec = ServerSpec(command=(sys.executable, script.name), cwd=script.parent)
    lines: asyncio.Queue[str] = asyncio.Queue()
    async with connect(spec, era=era, timeout=60, on_stderr=lines.put_nowait) as client:
        call = asyncio.create_task(client.call_tool("hang", {}))
        assert await asyncio.wait_for(lines.get(), 30) == "hanging"
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await asyncio.wait_for(lines.get(), 30) == "cancelled"


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_cancelling_a_call_over_http_ends_it_in_the_server(
    script: Path, tmp_path: Path, era: Any
) -> None:
    log = tmp_path / "stderr.txt"
    with running([sys.executable, str(script), "http"], tmp_path) as (port, _):
        spec = ServerSpec(url=f"http://127.0.0.1:{port}/mcp")
        async with asyncio.timeout(60), connect(spec, era=era, timeout=60) as client:
            call = asyncio.create_task(client.call_tool("hang", {}))
            while "hanging" not in log.read_text():
                await client.request("tools/list")
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            while "cancelled" not in log.read_text():
                await client.request("tools/list")
