"""The draft's messages of the reference SDK, in a host that lacks them and in one that has them."""

from __future__ import annotations

import pytest
from playwright.async_api import Frame, expect

from mcpapps_cli.host.message import notification
from mcpapps_cli.stage import MessageEvent
from tests.browser.bridge.reference_view import PACKAGES, begin, seen
from tests.browser.conftest import Open, Scene

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.browser,
    pytest.mark.node,
    pytest.mark.parametrize("version", PACKAGES),
]

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


async def draft(scene: Open, version: str) -> tuple[Scene, Frame]:
    return await begin(scene, version, profile="draft", hosts=DRAFT)


async def test_the_draft_is_refused_by_the_stable_specification(scene: Open, version: str) -> None:
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
    assert [answer["code"] for answer in refused] == [-32601] * 4
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
    await turn.get_by_role("textbox", name="Answer of the model").fill("forty-two")
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
    # The room that the mode gives is told after it.
    told = [
        change["displayMode"] for change in await seen(inner, "context") if "displayMode" in change
    ]
    assert told == ["fullscreen"]


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
