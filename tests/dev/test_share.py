"""The current server as one endpoint for other clients, while it is replaced behind it."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack

import httpx
import pytest
from mcp.client.client import Client
from mcp.shared.subscriptions import ToolsListChanged

from mcpapps_cli.dev.share import Share
from mcpapps_cli.errors import RpcError
from mcpapps_cli.model import ServerSpec
from mcpapps_cli.rpc import connect

pytestmark = pytest.mark.anyio


@pytest.fixture
async def shared(lab):
    lab = lab()
    await lab.supervisor.start()
    async with Share(lab.supervisor) as share:
        yield lab, share
    await lab.close()


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_a_client_keeps_its_connection_over_a_reload(shared, era):
    lab, share = shared
    async with connect(ServerSpec(url=share.url), era=era) as client:
        assert client.server_info["name"] == "first"
        assert [tool["name"] for tool in await client.list_tools()] == ["first"]
        lab.edit('NAME = "first"', 'NAME = "second"')
        assert await lab.supervisor.restart()
        assert [tool["name"] for tool in await client.list_tools()] == ["second"]
        result = await client.call_tool("second", {})
        assert result["content"][0]["text"] == "second"
        with pytest.raises(RpcError) as caught:
            await client.request("no/such/method")
        assert caught.value.code == -32601


async def test_a_listening_client_is_told_that_the_lists_changed(shared):
    _, share = shared
    told: asyncio.Queue[str] = asyncio.Queue()
    async with connect(
        ServerSpec(url=share.url),
        era="legacy",
        on_notification=lambda method, params: told.put_nowait(method),
    ) as client:
        assert client.capabilities["tools"] == {"listChanged": True}
        async with asyncio.timeout(10):
            while told.empty():
                share.announce()
                await asyncio.sleep(0.01)
            assert await told.get() == "notifications/tools/list_changed"


async def test_the_reference_client_listens_as_of_2026_07_28(shared):
    _, share = shared
    async with asyncio.timeout(60), Client(share.url) as client:
        assert client.session.protocol_version == "2026-07-28"
        async with client.listen(tools_list_changed=True) as changes:
            assert changes.honored.tools_list_changed is True
            assert changes.honored.prompts_list_changed is None
            share.announce()
            assert await anext(changes) == ToolsListChanged()


async def test_a_subscription_is_acknowledged_filtered_and_ended_in_words(lab):
    lab = lab()
    await lab.supervisor.start()
    wanted = {"toolsListChanged": True, "resourceSubscriptions": ["ui://a/b"]}
    listen = {
        "jsonrpc": "2.0",
        "id": 7,
        "method": "subscriptions/listen",
        "params": {"notifications": wanted},
    }
    async with AsyncExitStack() as stack:
        share = await stack.enter_async_context(Share(lab.supervisor))
        http = httpx.AsyncClient(trust_env=False, timeout=20)
        async with http, http.stream("POST", share.url, json=listen) as response:
            lines = (line async for line in response.aiter_lines() if line.startswith("data: "))
            heard = [json.loads((await anext(lines)).removeprefix("data: "))]
            share.announce()
            heard.append(json.loads((await anext(lines)).removeprefix("data: ")))
            closing = asyncio.create_task(stack.aclose())
            heard += [json.loads(line.removeprefix("data: ")) async for line in lines]
            await closing
    await lab.close()
    meta = {"io.modelcontextprotocol/subscriptionId": 7}
    assert response.headers["content-type"].startswith("text/event-stream")
    assert heard == [
        {
            "jsonrpc": "2.0",
            "method": "notifications/subscriptions/acknowledged",
            "params": {"notifications": {"toolsListChanged": True}, "_meta": meta},
        },
        {
            "jsonrpc": "2.0",
            "method": "notifications/tools/list_changed",
            "params": {"_meta": meta},
        },
        {"jsonrpc": "2.0", "id": 7, "result": {"resultType": "complete", "_meta": meta}},
    ]


async def test_only_this_machine_with_the_token_and_no_page_is_answered(shared):
    _, share = shared
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    async with httpx.AsyncClient(trust_env=False) as http:

        async def status(url: str = share.url, method: str = "POST", **headers: str) -> int:
            return (await http.request(method, url, json=ping, headers=headers)).status_code

        assert await status() == 200
        assert await status(share.url + "x") == 404
        assert await status(share.url.rpartition("/")[0]) == 404
        assert await status(Origin="http://localhost:3000") == 403
        assert await status(Host="evil.example") == 421
        assert await status(method="PUT") == 405
        assert (await http.post(share.url, content=b"{")).status_code == 400
