"""The View half of the reference SDK in our host, in Chromium: every stable message, both ways.

Expected values are those of the specification 2026-01-26.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from playwright.async_api import expect

from mcpapps_cli.errors import RpcError
from mcpapps_cli.stage import MessageEvent, NoteEvent
from tests.browser.bridge.reference_view import (
    PACKAGES,
    WeatherBackend,
    begin,
    posted,
    seen,
    until,
    view_of,
    weather,
)
from tests.browser.conftest import Open

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.browser,
    pytest.mark.node,
    pytest.mark.parametrize("version", PACKAGES),
]


async def test_the_handshake_is_accepted_and_its_answer_understood(
    scene: Open, version: str
) -> None:
    opened, inner = await begin(scene, version)
    assert posted(opened, "ui/initialize") == [
        {
            "appInfo": {"name": "theirs", "version": "1"},
            "appCapabilities": {
                "availableDisplayModes": ["inline", "fullscreen"],
                "tools": {"listChanged": True},
            },
            "protocolVersion": "2026-01-26",
        }
    ]
    assert len(posted(opened, "ui/notifications/initialized")) == 1
    info = await inner.evaluate("app.getHostVersion()")
    assert info["name"] == "mcpapps"
    capabilities = await inner.evaluate("app.getHostCapabilities()")
    assert {"openLinks", "serverTools", "serverResources", "logging"} <= set(capabilities)
    context = await inner.evaluate("app.getHostContext()")
    assert context["toolInfo"]["tool"]["name"] == "forecast"
    assert context["toolInfo"]["id"] == 1
    assert (context["displayMode"], context["availableDisplayModes"]) == ("inline", ["inline"])
    assert await inner.evaluate("seen.filter(([name]) => name == 'error')") == []


async def test_input_and_result_arrive_once(scene: Open, version: str) -> None:
    _, inner = await begin(scene, version)
    assert await seen(inner, "input") == [{"arguments": {"city": "Oslo"}}]
    assert await seen(inner, "result") == [
        {"content": [{"type": "text", "text": "sunny"}], "structuredContent": {"degrees": 12}}
    ]


async def test_partial_input_arrives_before_the_whole(scene: Open, version: str) -> None:
    opened = await scene(weather(version))
    page = opened.page
    await page.goto(f"{opened.stage.url}&tool=forecast")
    await page.get_by_label("city").fill("Oslo")
    slider = page.get_by_label("Partial input")
    await slider.fill(str(len('{"city":"Os')))
    await opened.step("initialized")
    inner = await view_of(opened)
    assert (await seen(inner, "partial"))[-1] == {"arguments": {"city": "Os"}}
    assert await inner.evaluate("seen.some(([name]) => name == 'input')") is False
    await page.get_by_role("button", name="Finish the input").click()
    assert await seen(inner, "input") == [{"arguments": {"city": "Oslo"}}]
    await seen(inner, "result")
    order = await inner.evaluate("seen.map(([name]) => name)")
    kept = [name for name in order if name in ("partial", "input", "result")]
    assert kept == [*["partial"] * kept.count("partial"), "input", "result"]


async def test_a_cancellation_arrives_with_its_reason(scene: Open, version: str) -> None:
    backend = weather(version)

    async def never(params: Any) -> Any:
        await asyncio.Event().wait()

    backend.results["forecast"] = never
    opened = await scene(backend)
    await opened.call("forecast")
    await opened.step("input")
    await opened.page.locator("view-turn").get_by_role("button", name="Cancel").click()
    inner = await view_of(opened)
    assert await seen(inner, "cancelled") == [{"reason": "cancelled by the user"}]


async def test_a_context_change_arrives_and_is_merged(scene: Open, version: str) -> None:
    opened, inner = await begin(scene, version)
    await opened.page.get_by_role("button", name="dark").click()
    await until(inner, "app.getHostContext().theme == 'dark'")
    assert (await seen(inner, "context"))[-1]["theme"] == "dark"
    assert await inner.evaluate("app.getHostContext().toolInfo.tool.name") == "forecast"
    assert await inner.evaluate("seen.filter(([name]) => name == 'error')") == []


async def test_teardown_is_answered_before_the_frame_goes(scene: Open, version: str) -> None:
    opened, _ = await begin(scene, version)
    turn = opened.page.locator("view-turn")
    await turn.get_by_role("button", name="Teardown").click()
    await expect(turn.locator("iframe")).to_have_count(0)
    messages = [event.message for event in opened.all(MessageEvent)]
    (asked,) = [m for m in messages if m.get("method") == "ui/resource-teardown"]
    answer = messages[messages.index(asked) + 1 :]
    assert {"jsonrpc": "2.0", "id": asked["id"], "result": {}} in answer
    assert not any("did not answer" in note.text for note in opened.all(NoteEvent))


async def test_the_size_of_the_content_becomes_the_height_of_the_frame(
    scene: Open, version: str
) -> None:
    opened, inner = await begin(scene, version)
    frame = opened.page.locator("view-turn iframe")
    await expect(frame).to_have_css("height", "210px")
    await inner.evaluate("app.sendSizeChanged({ height: 333 })")
    await expect(frame).to_have_css("height", "333px")


async def test_a_tool_call_is_answered_whole(scene: Open, version: str) -> None:
    opened, inner = await begin(scene, version)
    call = "app.callServerTool({ name: 'save', arguments: { n: 3 } })"
    assert await inner.evaluate(call) == {
        "content": [{"type": "text", "text": "saved"}],
        "structuredContent": {"n": 3},
        "_meta": {"k": 1},
    }
    assert opened.backend.requests[-1] == ("tools/call", {"name": "save", "arguments": {"n": 3}})


async def test_progress_and_cancellation_go_both_ways(scene: Open, version: str) -> None:
    opened, inner = await begin(scene, version)
    await inner.evaluate(
        """() => {
          window.stop = new AbortController();
          window.slow = outcome(app.callServerTool({ name: "slow", arguments: {} }, {
            signal: stop.signal, onprogress: (update) => { window.progress = update } }));
        }"""
    )
    await until(inner, "window.progress")
    assert await inner.evaluate("progress") == {"progress": 1, "total": 2, "message": "half"}
    await inner.evaluate("stop.abort('enough')")
    assert "enough" in (await inner.evaluate("slow"))["message"]
    # A later request is answered after the cancellation was heard.
    await inner.evaluate("app.callServerTool({ name: 'save', arguments: {} })")
    assert isinstance(opened.backend, WeatherBackend)
    assert opened.backend.cancelled is True
    (cancelled,) = posted(opened, "notifications/cancelled")
    assert cancelled["reason"].endswith("enough")


async def test_refusals_of_host_and_server_keep_code_and_data(scene: Open, version: str) -> None:
    backend = weather(version)

    async def locked(params: Any) -> Any:
        raise RpcError(-32042, "sign in first", {"url": "https://a.test/login"})

    backend.results["save"] = locked
    opened = await scene(backend)
    await opened.call("forecast")
    await opened.step("result")
    inner = await view_of(opened)
    refused = await inner.evaluate(
        """() => Promise.all(["search", "none", "save"].map((name) =>
          app.callServerTool({ name, arguments: {} }).catch(({ code, data }) => [code, data])))"""
    )
    assert refused == [[-32000, None], [-32602, None], [-32042, {"url": "https://a.test/login"}]]


async def test_a_resource_is_read(scene: Open, version: str) -> None:
    _, inner = await begin(scene, version)
    read = await inner.evaluate("app.readServerResource({ uri: 'data://a' })")
    assert read["contents"][0]["text"] == "read"


@pytest.mark.parametrize("allowed", [True, False])
async def test_a_link_waits_for_the_user(scene: Open, version: str, allowed: bool) -> None:
    opened, inner = await begin(scene, version)
    await inner.evaluate(
        "() => { window.link = outcome(app.openLink({ url: 'https://a.test/' })) }"
    )
    turn = opened.page.locator("view-turn")
    name = "Open" if allowed else "Decline"
    await turn.get_by_role("button", name=name, exact=True).click()
    answer = await inner.evaluate("link")
    assert answer == {"value": {}} if allowed else answer["code"] == -32000


async def test_messages_context_modes_and_ping_are_answered(scene: Open, version: str) -> None:
    opened, inner = await begin(scene, version)
    answers = await inner.evaluate(
        """async () => ({
          message: await app.sendMessage(
            { role: "user", content: [{ type: "text", text: "hello there" }] }),
          context: await app.updateModelContext({
            content: [{ type: "text", text: "3 chosen" }], structuredContent: { n: 3 } }),
          mode: await app.requestDisplayMode({ mode: "fullscreen" }),
          ping: await app.request({ method: "ping" }, AnyResult),
        })"""
    )
    # "Inline" is all that this host offers: the answer is the current mode.
    assert answers == {"message": {}, "context": {}, "mode": {"mode": "inline"}, "ping": {}}
    await opened.page.get_by_role("tab", name="Model sees").click()
    told = opened.page.get_by_role("list", name="What the model sees")
    await expect(told).to_contain_text("hello there")
    await expect(told).to_contain_text("3 chosen")


async def test_a_log_message_is_shown(scene: Open, version: str) -> None:
    opened, inner = await begin(scene, version)
    await inner.evaluate("app.sendLog({ level: 'warning', data: 'careful', logger: 'chart' })")
    await inner.evaluate("app.request({ method: 'ping' }, AnyResult)")
    assert ("warning", "careful") in [(note.level, note.text) for note in opened.all(NoteEvent)]
