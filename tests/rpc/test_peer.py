"""Requests and replies as they are on the wire."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.errors import RpcError, ServerError
from mcpapps_cli.rpc import Client, Limits, connect, reserve_id
from tests.rpc.servers import write_server

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def served(folder: Path, body: str, **options: Any) -> AsyncIterator[Client]:
    spec = write_server(folder, f"shake_hands()\n{body}\nreceive()\n")
    limits = Limits(close_seconds=0.1)
    async with connect(spec, era="legacy", limits=limits, **options) as client:
        yield client


async def test_a_result_is_returned_as_received(tmp_path: Path) -> None:
    body = 'reply(receive(), {"resultType": "input_required", "unknown": [1]})'
    async with served(tmp_path, body) as client:
        result = await client.request("tools/call", timeout=10)
    assert result == {"resultType": "input_required", "unknown": [1]}


async def test_an_error_answer_keeps_code_message_and_data(tmp_path: Path) -> None:
    body = """
m = receive()
send({"jsonrpc": "2.0", "id": m["id"], "error": {"code": -5, "message": "No", "data": [1]}})
"""
    async with served(tmp_path, body) as client:
        with pytest.raises(RpcError) as caught:
            await client.request("x", timeout=10)
    assert (caught.value.code, caught.value.message, caught.value.data) == (-5, "No", [1])


@pytest.mark.parametrize("error", ['"broken"', "{}", '{"code": "x", "message": 1}', "[]"])
async def test_an_error_of_any_shape_is_an_error(tmp_path: Path, error: str) -> None:
    body = f'm = receive()\nsend({{"jsonrpc": "2.0", "id": m["id"], "error": {error}}})'
    async with served(tmp_path, body) as client:
        with pytest.raises(RpcError) as caught:
            await client.request("x", timeout=10)
    assert caught.value.code == -32603


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("{}", 'the answer to "x" has neither a result nor an error'),
        ('{"result": [1]}', 'the result of "x" is not an object'),
        ('{"result": None}', 'the result of "x" is not an object'),
    ],
)
async def test_an_answer_without_a_proper_result_is_an_error(
    tmp_path: Path, fields: str, message: str
) -> None:
    body = f'm = receive()\nsend({{"jsonrpc": "2.0", "id": m["id"], **{fields}}})'
    async with served(tmp_path, body) as client:
        with pytest.raises(ServerError) as caught:
            await client.request("x", timeout=10)
    assert caught.value.message == message


async def test_an_id_that_comes_back_as_text_matches(tmp_path: Path) -> None:
    body = """
m = receive()
assert isinstance(m["id"], int)
for odd in (True, None, "x", 99, [1], 1.5, "9" * 30):
    send({"jsonrpc": "2.0", "id": odd, "result": {"odd": True}})
send({"jsonrpc": "2.0", "id": str(m["id"]), "result": {"ok": True}})
"""
    async with served(tmp_path, body) as client:
        assert await client.request("x", timeout=10) == {"ok": True}


async def test_an_id_is_reserved_once_for_all_connections(tmp_path: Path) -> None:
    body = """
for _ in range(2):
    m = receive()
    reply(m, {"id": m["id"]})
"""
    reserved = [reserve_id(), reserve_id()]
    seen: list[int] = []
    for each in reserved:
        async with served(tmp_path, body) as client:
            seen.append((await client.request("x", request_id=each, timeout=10))["id"])
            seen.append((await client.request("y", timeout=10))["id"])
    assert [seen[0], seen[2]] == reserved
    assert len(set(seen)) == 4


async def test_answers_in_another_order_reach_their_own_requests(tmp_path: Path) -> None:
    body = """
messages = [receive() for _ in range(3)]
for m in reversed(messages):
    reply(m, {"method": m["method"]})
"""
    async with served(tmp_path, body) as client:
        results = await asyncio.gather(*(client.request(name, timeout=10) for name in "abc"))
    assert [result["method"] for result in results] == ["a", "b", "c"]


async def test_cancelling_the_awaiting_task_tells_the_server(tmp_path: Path) -> None:
    body = """
m = receive()
send({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "got it"}})
cancelled = receive()
reply(m, {"late": True})
reply(receive(), {"asked": m["id"], "cancelled": cancelled})
"""
    arrived = asyncio.Event()
    async with served(tmp_path, body, on_notification=lambda *_: arrived.set()) as client:
        task = asyncio.create_task(client.request("x"))
        await asyncio.wait_for(arrived.wait(), 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        result = await client.request("y", timeout=10)
    assert result["cancelled"]["method"] == "notifications/cancelled"
    assert result["cancelled"]["params"]["requestId"] == result["asked"]


async def test_a_time_out_tells_the_server_too(tmp_path: Path) -> None:
    body = """
m = receive()
cancelled, other = sorted((receive(), receive()), key=lambda message: "id" in message)
reply(other, {"asked": m["id"], "cancelled": cancelled})
"""
    async with served(tmp_path, body) as client:
        with pytest.raises(ServerError, match=r'"x" was not answered within 0\.2 s'):
            await client.request("x", timeout=0.2)
        result = await client.request("y", timeout=10)
    assert result["cancelled"]["params"]["requestId"] == result["asked"]


async def test_progress_reaches_its_callback_and_other_notifications_theirs(
    tmp_path: Path,
) -> None:
    body = """
m = receive()
token = m["params"]["_meta"]["progressToken"]
for progress in (1, 2):
    send({"jsonrpc": "2.0", "method": "notifications/progress",
          "params": {"progressToken": token, "progress": progress}})
send({"jsonrpc": "2.0", "method": "notifications/progress",
      "params": {"progressToken": "foreign", "progress": 9}})
send({"jsonrpc": "2.0", "method": "notifications/unheard/of"})
reply(m, m["params"])
"""
    steps: list[object] = []
    others: list[tuple[str, object]] = []
    async with served(
        tmp_path, body, on_notification=lambda method, params: others.append((method, params))
    ) as client:
        params = await client.request(
            "x", {"a": 1, "_meta": {"k": 2}}, on_progress=lambda p: steps.append(p["progress"])
        )
    assert params["a"] == 1
    assert params["_meta"]["k"] == 2
    assert steps == [1, 2]
    assert others == [
        ("notifications/progress", {"progressToken": "foreign", "progress": 9}),
        ("notifications/unheard/of", {}),
    ]


async def test_a_ping_of_the_server_is_answered_and_other_requests_refused(
    tmp_path: Path,
) -> None:
    body = """
m = receive()
answers = {}
for number, method in enumerate(["ping", "roots/list", "sampling/createMessage"]):
    send({"jsonrpc": "2.0", "id": f"s{number}", "method": method})
    answer = receive()
    answers[method] = [answer["id"], answer.get("result"), (answer.get("error") or {}).get("code")]
reply(m, answers)
"""
    async with served(tmp_path, body) as client:
        assert await client.request("x", timeout=10) == {
            "ping": ["s0", {}, None],
            "roots/list": ["s1", None, -32601],
            "sampling/createMessage": ["s2", None, -32601],
        }


async def test_a_notification_is_sent_without_an_id(tmp_path: Path) -> None:
    async with served(tmp_path, 'n = receive()\nreply(receive(), {"n": n})') as client:
        await client.notify("notifications/x", {"a": 1})
        result = await client.request("y", timeout=10)
    assert result["n"] == {"jsonrpc": "2.0", "method": "notifications/x", "params": {"a": 1}}


async def test_a_server_that_asks_without_end_and_reads_nothing_stops_nobody(
    tmp_path: Path,
) -> None:
    body = """
m = receive()
for number in range(20000):
    send({"jsonrpc": "2.0", "id": number, "method": "ping", "params": {"x": "y" * 100}})
reply(m, {"done": True})
wait_for_ever()
"""
    async with served(tmp_path, body) as client:
        assert await client.request("x", timeout=30) == {"done": True}
