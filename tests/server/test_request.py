"""What a handler can know of its request, and finding a running call again by its id."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcp.server.mcpserver import Context

from mcpapps_cli.model import Era, ServerSpec
from mcpapps_cli.rpc import Client, connect
from mcpapps_cli.server import (
    Apps,
    RequestKey,
    client_extension,
    client_supports,
    request_key,
)
from tests.rpc.servers import running
from tests.sdks import sdk_env
from tests.server.wire import both_eras, talking, text

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import asyncio, json, socket, sys
from mcp.server.mcpserver import Context
from mcpapps_cli.server import Apps, request_key

apps = Apps()
apps.add_html_resource("ui://runs/run.html", "<!doctype html>")
runs = {}

@apps.tool(resource_uri="ui://runs/run.html")
async def work(label: str, ctx: Context) -> str:
    key = request_key(ctx)
    run = runs[key] = {"label": label, "done": asyncio.Event()}
    await ctx.report_progress(1, 2, json.dumps([key.id, key.scope, key.session]))
    try:
        await run["done"].wait()
    finally:
        del runs[key]
    return f"{label} done"

@apps.tool(visibility=["app"])
async def look(run: int | str, ctx: Context) -> str:
    found = runs.get(request_key(ctx).of(run))
    return found["label"] if found else "unknown"

@apps.tool(visibility=["app"])
async def finish(run: int | str, ctx: Context) -> str:
    runs[request_key(ctx).of(run)]["done"].set()
    return "ok"

mcp = apps.server("work")
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
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("work") / "server.py"
    path.write_text(textwrap.dedent(PROGRAM), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def port(program: Path) -> Iterator[int]:
    with running([sys.executable, str(program), "http"], program.parent) as (port, _):
        yield port


@pytest.fixture(params=["stdio", "http"])
def spec(request: pytest.FixtureRequest, program: Path) -> ServerSpec:
    if request.param == "http":
        return ServerSpec(url=f"http://127.0.0.1:{request.getfixturevalue('port')}/mcp")
    return ServerSpec(command=(sys.executable, program.name), cwd=program.parent)


async def start(client: Client, label: str) -> tuple[asyncio.Task[Any], Any]:
    """Start a call of `work`; return it, and what the server knows of its request."""
    known: asyncio.Queue[Any] = asyncio.Queue()

    def note(progress: Any) -> None:
        known.put_nowait(json.loads(progress["message"]))

    call = client.call_tool("work", {"label": label}, timeout=60, on_progress=note)
    task = asyncio.create_task(call)  # type: ignore[arg-type]
    async with asyncio.timeout(30):
        return task, await known.get()


@both_eras
async def test_e29_a_running_call_is_found_by_its_id_and_two_are_not_mixed_up(
    spec: ServerSpec, era: Era
) -> None:
    async with connect(spec, era=era, timeout=60) as client:
        one, (first, scope, _) = await start(client, "one")
        two, (second, _, _) = await start(client, "two")
        assert first != second
        assert await text(client, "look", run=first) == "one"
        assert await text(client, "look", run=second) == "two"
        assert await text(client, "look", run=str(first)) == "unknown"
        assert not one.done()
        await text(client, "finish", run=second)
        assert (await two)["content"] == [{"type": "text", "text": "two done"}]
        assert await text(client, "look", run=second) == "unknown"
        assert await text(client, "look", run=first) == "one"
        await text(client, "finish", run=first)
        assert (await one)["content"] == [{"type": "text", "text": "one done"}]
    legacy = "session" if spec.url else "process"
    assert scope == (legacy if era == "legacy" else "in-flight")


async def test_e26_e29_an_http_session_keeps_its_calls_to_itself(port: int) -> None:
    spec = ServerSpec(url=f"http://127.0.0.1:{port}/mcp")
    async with (
        connect(spec, era="legacy", timeout=60) as mine,
        connect(spec, era="legacy", timeout=60) as other,
    ):
        task, (id, scope, session) = await start(mine, "mine")
        their_task, (_, _, their_session) = await start(other, "other")
        assert scope == "session"
        assert session
        assert session != their_session
        assert await text(other, "look", run=id) != "mine"
        assert await text(mine, "look", run=id) == "mine"
        for each in (task, their_task):
            each.cancel()
            await asyncio.gather(each, return_exceptions=True)


@both_eras
async def test_e26_stdio_has_no_session(program: Path, era: Era) -> None:
    spec = ServerSpec(command=(sys.executable, program.name), cwd=program.parent)
    async with connect(spec, era=era, timeout=60) as client:
        task, (_, scope, session) = await start(client, "one")
        assert (scope, session) == ("process" if era == "legacy" else "in-flight", None)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def context(id: Any, *, version: str = "2025-11-25", **members: Any) -> Any:
    return SimpleNamespace(request_id=id, protocol_version=version, **members)


@pytest.mark.parametrize("id", ["a", "7", 7, 0, ""])
def test_e25_the_id_has_the_type_that_was_received(id: Any) -> None:
    key = request_key(context(id))
    assert key.id == id
    assert type(key.id) is type(id)
    assert key.of("7") != key.of(7)
    assert len({key.of("7"), key.of(7)}) == 2


FASTMCP = """
import asyncio
from fastmcp import Context, FastMCP
from mcpapps_cli.server import request_key
from mcpapps_cli.testing.memory import connect_in_memory

mcp = FastMCP("keys")

@mcp.tool()
def ask(ctx: Context) -> str:
    return f"{ctx.request_id!r} {request_key(ctx).id!r}"

async def main():
    async with connect_in_memory(mcp) as client:
        result = await client.request("tools/call", {"name": "ask", "arguments": {}})
        print(result["content"][0]["text"])

asyncio.run(main())
"""


def test_e25_a_number_stays_one_where_the_sdk_makes_a_string_of_it() -> None:
    done = subprocess.run(
        [sdk_env("fastmcp-4"), "-c", FASTMCP],
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    theirs, ours = done.stdout.split() or [done.stderr, ""]
    assert theirs == f"'{int(ours)}'"


def test_e27_the_scope_of_an_id_depends_on_the_wire() -> None:
    from starlette.datastructures import Headers

    session = SimpleNamespace(headers=Headers({"Mcp-Session-Id": "s1"}))
    stateless = SimpleNamespace(headers=Headers({}))
    assert request_key(context(1)) == RequestKey(1, "process")
    assert request_key(context(1, request=None)) == RequestKey(1, "process")
    assert request_key(context(1, request=session)) == RequestKey(1, "session", "s1")
    assert request_key(context(1, request=stateless)) == RequestKey(1, "in-flight")
    modern = context(1, version="2026-07-28", request=session)
    assert request_key(modern) == RequestKey(1, "in-flight")
    assert request_key(modern, owner="ada") == RequestKey(1, "in-flight", owner="ada")
    assert request_key(modern, owner="ada").of(2) != request_key(modern, owner="bob").of(2)


def test_e27_the_scopes_are_documented() -> None:
    said = " ".join((RequestKey.__doc__ or "").split())
    assert "stdio with the handshake of 2025-11-25: the life of the process" in said
    assert "streamable HTTP with a session: that session" in said
    assert (
        "2026-07-28, and HTTP without a session: the sender's requests that have no answer" in said
    )


@pytest.mark.parametrize("id", [None, True, 1.5, [], {}])
def test_what_is_no_request_id_is_refused(id: Any) -> None:
    with pytest.raises(ValueError, match="must be a string or an integer"):
        RequestKey(1, "process").of(id)


def test_outside_of_a_request_there_is_no_key_and_nothing_is_supported() -> None:
    for nothing in (Context(), None, object()):
        with pytest.raises(ValueError, match="belongs to no request"):
            request_key(nothing)
        assert client_supports(nothing) is False
        assert client_extension(nothing) is None


UI_ID = "io.modelcontextprotocol/ui"
MIME = "text/html;profile=mcp-app"


@both_eras
@pytest.mark.parametrize("ui", [True, False])
async def test_e16_k10_r23_a_handler_learns_what_the_client_declared(era: Era, ui: bool) -> None:
    apps = Apps()

    @apps.tool(visibility=["app"])
    def ask(ctx: Context[Any]) -> str:
        said = [client_supports(ctx), client_extension(ctx), client_extension(ctx, "com.example/x")]
        return json.dumps([*said, client_supports(ctx, mime_type="text/html")])

    async with talking(apps.server(), era, ui=ui) as client:
        answer = json.loads(await text(client, "ask"))
    assert answer == [ui, {"mimeTypes": [MIME]} if ui else None, None, False]


def declared(**settings: Any) -> dict[str, Any]:
    return {"extensions": {UI_ID: settings}}


@pytest.mark.parametrize(
    ("session", "request_says", "supported"),
    [
        (None, None, False),
        ({}, None, False),
        (declared(mimeTypes=[MIME]), None, True),
        (declared(mimeTypes=[MIME]), {}, True),
        (declared(mimeTypes=[MIME]), "nonsense", True),
        (declared(mimeTypes=[MIME]), {"extensions": 7}, True),
        ({}, declared(mimeTypes=[MIME]), True),
        (None, declared(mimeTypes=[MIME]), True),
        (declared(), declared(mimeTypes=["text/html"]), False),
    ],
)
def test_k11_what_the_request_says_is_added_to_what_the_connection_said(
    session: Any, request_says: Any, supported: bool
) -> None:
    meta = {"io.modelcontextprotocol/clientCapabilities": request_says}
    ctx = context(1, session=SimpleNamespace(client_capabilities=session), params={"_meta": meta})
    assert client_supports(ctx) is supported


def test_r23_the_request_comes_before_the_connection() -> None:
    meta = {"io.modelcontextprotocol/clientCapabilities": declared(mimeTypes=["request"])}
    session = SimpleNamespace(client_capabilities=declared(mimeTypes=["session"]))
    both = context(1, session=session, params={"_meta": meta})
    assert client_extension(both) == {"mimeTypes": ["request"]}
    assert client_extension(context(1, session=session)) == {"mimeTypes": ["session"]}


def test_an_older_sdk_keeps_its_capabilities_in_the_initialize_params() -> None:
    params = SimpleNamespace(capabilities=SimpleNamespace(**declared(mimeTypes=[MIME])))
    ctx = SimpleNamespace(request_id=1, session=SimpleNamespace(client_params=params))
    assert client_supports(SimpleNamespace(request_context=ctx))
    assert request_key(SimpleNamespace(request_context=ctx)) == RequestKey(1, "process")
