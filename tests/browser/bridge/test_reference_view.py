"""The View half of the reference SDK in our host, in Chromium: every message, both ways.

Expected values are those of the specification 2026-01-26; section 3 names who sends what.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.async_api import Frame, expect

from mcpapps_cli.host.message import notification
from mcpapps_cli.stage import MessageEvent, NoteEvent
from tests.browser.bridge.reference_view import PACKAGES, reference_view
from tests.browser.conftest import Open, Scene
from tests.stage.backend import MemoryBackend, text_result, tool

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.browser,
    pytest.mark.node,
    pytest.mark.parametrize("version", PACKAGES),
]

URI = "ui://weather/forecast"
# Beside the stable messages this host serves every one of the draft.
DRAFT = {
    "draft": {
        "capabilities": {
            **{"downloadFile": {}, "message": {"text": {}}, "updateModelContext": {"text": {}}},
            **{"sampling": {}, "serverTools": {"listChanged": True}},
        },
        "display-modes": ["inline", "fullscreen"],
        "app-tools": True,
        "methods": [
            *("ui/initialize", "ui/open-link", "ui/message", "ui/request-display-mode", "ping"),
            *("ui/update-model-context", "ui/download-file", "ui/notifications/request-teardown"),
            *("tools/call", "tools/list", "resources/read", "resources/list"),
            *("resources/templates/list", "prompts/list", "sampling/createMessage"),
        ],
    }
}
SCRIPT = """
  window.seen = [];
  const note = (name, answer) => (params) => { seen.push([name, params]); return answer; };
  const app = window.app = new App(
    { name: "theirs", version: "1" },
    { availableDisplayModes: ["inline", "fullscreen"], tools: { listChanged: true } },
    { autoResize: true });
  app.ontoolinputpartial = note("partial");
  app.ontoolinput = note("input");
  app.ontoolresult = note("result");
  app.ontoolcancelled = note("cancelled");
  app.onhostcontextchanged = note("context");
  app.onteardown = note("teardown", {});
  app.onlisttools = async () => ({ tools: [
    { name: "move", description: "Move a piece", inputSchema: { type: "object" },
      annotations: { readOnlyHint: true } }] });
  app.oncalltool = async ({ name, arguments: args }) =>
    ({ content: [{ type: "text", text: `${name} to ${args.to}` }] });
  app.onerror = (error) => seen.push(["error", String(error)]);
  /** How a promise ends: its value, or code and message of its error. */
  window.outcome = (promise) => promise.then((value) => ({ value }),
    ({ code, message }) => ({ code: code ?? null, message }));
  await app.connect();
  window.connected = true;
"""


@dataclass
class WeatherBackend(MemoryBackend):
    """A server whose tool `slow` tells progress and ends when it is cancelled."""

    cancelled: bool = False

    async def request(
        self, method: str, params: Any, *, on_progress: Callable[[Any], None] | None = None
    ) -> Any:
        match method:
            case "tools/list":
                return {"tools": self.tools}
            case "resources/list":
                return {"resources": [{"uri": "data://a", "name": "a"}]}
            case _ if params.get("name") == "slow":
                assert on_progress is not None
                on_progress({"progressToken": 99, "progress": 1, "total": 2, "message": "half"})
                return await self._wait()
        return await super().request(method, params, on_progress=on_progress)

    async def _wait(self) -> Any:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise


def weather(version: str, script: str = SCRIPT) -> WeatherBackend:
    body = "<p style='height:210px;margin:0'>text</p>"
    return WeatherBackend(
        tools=[
            tool("forecast", URI),
            tool("slow"),
            tool("save"),
            {"name": "search", "_meta": {"ui": {"visibility": ["model"]}}},
        ],
        pages={URI: reference_view(version, script, body), "data://a": "read"},
        results={
            "forecast": text_result("sunny", structuredContent={"degrees": 12}),
            "save": text_result("saved", structuredContent={"n": 3}, _meta={"k": 1}),
        },
    )


async def begin(scene: Open, version: str, **options: Any) -> tuple[Scene, Frame]:
    """Call the tool and wait for its result in the View."""
    opened = await scene(weather(version), **options)
    await opened.call("forecast", city="Oslo")
    await opened.step("result")
    return opened, await view_of(opened)


async def view_of(opened: Scene) -> Frame:
    inner = next(frame for frame in opened.page.frames if frame.url == "about:srcdoc")
    await until(inner, "window.connected")
    return inner


async def until(inner: Frame, expression: str) -> None:
    """Wait for something in a View, whose policy forbids `wait_for_function` its eval."""
    await inner.evaluate(
        f"""new Promise((resolve) => {{
          const look = () => ({expression}) ? resolve() : setTimeout(look, 5);
          look();
        }})"""
    )


async def draft(scene: Open, version: str) -> tuple[Scene, Frame]:
    return await begin(scene, version, profile="draft", hosts=DRAFT)


async def seen(inner: Frame, name: str) -> list[Any]:
    await until(inner, f"seen.some(([kind]) => kind == '{name}')")
    return [params for kind, params in await inner.evaluate("seen") if kind == name]


def posted(opened: Scene, method: str) -> list[Any]:
    """The params of every message of the View of one method."""
    return [
        event.message.get("params")
        for event in opened.all(MessageEvent)
        if event.direction == "view-to-host" and event.message.get("method") == method
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
    assert opened.backend.cancelled is True
    (cancelled,) = posted(opened, "notifications/cancelled")
    assert cancelled["reason"].endswith("enough")


async def test_what_the_host_or_the_server_refuses_keeps_its_code(
    scene: Open, version: str
) -> None:
    _, inner = await begin(scene, version)
    refused = await inner.evaluate(
        """() => Promise.all([
          outcome(app.callServerTool({ name: "search", arguments: {} })),
          outcome(app.callServerTool({ name: "none", arguments: {} })),
          outcome(app.readServerResource({ uri: "data://none" })),
        ])"""
    )
    assert [answer["code"] for answer in refused] == [-32000, -32602, -32002]


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


async def test_the_draft_is_refused_by_the_stable_specification(
    scene: Open, version: str
) -> None:
    opened, inner = await begin(scene, version)
    refused = await inner.evaluate(
        """() => Promise.all([
          outcome(app.downloadFile({ contents: [{ type: "resource",
            resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "a" } }] })),
          outcome(app.listServerResources()),
          outcome(app.request({ method: "tools/list" }, AnyResult)),
          outcome(app.request({ method: "sampling/createMessage", params: {
            messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 5,
          } }, AnyResult)),
        ])"""
    )
    # The SDK itself keeps back what needs a capability that the host does not have.
    assert [answer["code"] for answer in refused] == [-32601, -32601, -32601, None]
    assert posted(opened, "sampling/createMessage") == []
    await inner.evaluate("app.requestTeardown()")
    await inner.evaluate("app.sendToolListChanged()")
    await inner.evaluate("app.request({ method: 'ping' }, AnyResult)")
    asked = [event.message.get("method") for event in opened.all(MessageEvent)]
    assert "ui/resource-teardown" not in asked
    assert "tools/list" not in [
        event.message.get("method")
        for event in opened.all(MessageEvent)
        if event.direction == "host-to-view"
    ]


async def test_the_draft_is_served_by_a_host_that_has_it(scene: Open, version: str) -> None:
    opened, inner = await draft(scene, version)
    turn = opened.page.locator("view-turn")
    await inner.evaluate(
        """() => {
          window.file = outcome(app.downloadFile({ contents: [{ type: "resource_link",
            uri: "https://a.test/a.txt", name: "a.txt" }] }));
          window.sample = outcome(app.createSamplingMessage({
            messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 5 }));
        }"""
    )
    await turn.get_by_label("Answer of the model").fill("forty-two")
    await turn.get_by_role("button", name="Answer").click()
    assert (await inner.evaluate("sample"))["value"]["content"] == {
        "type": "text",
        "text": "forty-two",
    }
    assert await inner.evaluate("file") == {"value": {}}
    assert await inner.evaluate("app.listServerResources()") == {
        "resources": [{"uri": "data://a", "name": "a"}]
    }
    listed = await inner.evaluate("app.request({ method: 'tools/list' }, AnyResult)")
    assert [entry["name"] for entry in listed["tools"]] == ["forecast", "slow", "save", "search"]
    assert await inner.evaluate("app.requestDisplayMode({ mode: 'fullscreen' })") == {
        "mode": "fullscreen"
    }
    assert (await seen(inner, "context"))[-1]["displayMode"] == "fullscreen"


async def test_a_view_that_asks_to_go_is_torn_down(scene: Open, version: str) -> None:
    opened, inner = await draft(scene, version)
    await inner.evaluate("app.requestTeardown()")
    turn = opened.page.locator("view-turn")
    await expect(turn).to_contain_text("Unmounted: the View asked for it")
    assert "ui/resource-teardown" in [e.message.get("method") for e in opened.all(MessageEvent)]


async def test_list_changes_of_the_server_arrive(scene: Open, version: str) -> None:
    opened, inner = await draft(scene, version)
    await inner.evaluate(
        """() => addEventListener("message", ({ data }) => {
          if (data.method == "notifications/tools/list_changed") seen.push(["list", data]);
        })"""
    )
    opened.stage.notify("notifications/tools/list_changed", {})
    assert await seen(inner, "list") == [notification("notifications/tools/list_changed", {})]


async def test_the_views_own_tools_are_listed_called_and_listed_again(
    scene: Open, version: str
) -> None:
    opened, inner = await draft(scene, version)
    await opened.page.get_by_role("tab", name="Model sees").click()
    await opened.page.get_by_label("Arguments of move").fill('{"to": "e4"}')
    await opened.page.get_by_role("button", name="Call move").click()
    told = opened.page.get_by_role("list", name="What the model sees")
    await expect(told).to_contain_text("move to e4")
    await inner.evaluate(
        """() => {
          app.onlisttools = async () => ({ tools: [
            { name: "undo", inputSchema: { type: "object" } }] });
          return app.sendToolListChanged();
        }"""
    )
    await expect(opened.page.get_by_role("button", name="Call undo")).to_be_visible()
    await expect(opened.page.get_by_role("button", name="Call move")).to_have_count(0)
