"""A View that is mounted anew in a real browser: what is seen meanwhile, and what stays."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from mcpapps_cli.stage import MessageEvent
from tests.browser.conftest import CURRENT, Open, Scene
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.views import view

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

URI = "ui://weather/forecast"
TALL = """on["ui/notifications/tool-input"] = () => {
  notify("ui/notifications/size-changed", { width: 300, height: 900 });
};"""


def server(body: str = '<p id="out">waiting</p>', script: str = "") -> MemoryBackend:
    return MemoryBackend(
        tools=[tool("forecast", URI)],
        pages={URI: view(script, body)},
        results={"forecast": text_result("sunny")},
    )


async def shown(scene: Open, backend: MemoryBackend) -> Scene:
    """A View that is painted, with the next frame in reserve."""
    opened = await scene(backend, reloads=True)
    await opened.call("forecast", city="Oslo")
    await opened.step("painted")
    await expect(opened.page.locator("view-turn iframe.spare")).to_have_count(1)
    return opened


async def test_frame_in_reserve_becomes_the_view_and_is_loaded_only_once(scene: Open) -> None:
    backend = server()
    opened = await shown(scene, backend)
    spare = await opened.page.locator("view-turn iframe.spare").get_attribute("src")
    backend.pages[URI] = view("", '<h1>Second</h1><p id="out">waiting</p>')
    await opened.stage.remount()
    await expect(opened.view().locator("h1")).to_have_text("Second")
    await expect(opened.view().locator("#out")).to_have_text("sunny")
    await opened.step("painted")
    turn = opened.page.locator("view-turn")
    await expect(turn.locator(CURRENT)).to_have_attribute("src", str(spare))
    await expect(turn.locator(CURRENT)).to_be_visible()
    await expect(turn.locator("iframe.leaving")).to_have_count(0)
    ready = "ui/notifications/sandbox-proxy-ready"
    methods = [event.message.get("method") for event in opened.all(MessageEvent)]
    assert methods.count(ready) == 2


async def test_old_view_is_seen_until_the_new_one_can_be(scene: Open) -> None:
    backend = server()
    opened = await shown(scene, backend)
    backend.pages[URI] = "<!doctype html><p>I never shake hands</p>"
    await opened.stage.remount()
    leaving = opened.page.locator("view-turn iframe.leaving")
    await expect(leaving).to_be_visible()
    await expect(opened.page.locator("view-turn iframe.coming")).to_be_hidden()
    await opened.step("initialize", "broken")
    await expect(leaving).to_have_count(0)
    # What comes next begins as if nothing had been broken.
    backend.pages[URI] = view("", '<h1>Third</h1><p id="out">waiting</p>')
    await opened.stage.remount()
    await expect(opened.view().locator("#out")).to_have_text("sunny")
    await expect(opened.page.locator("view-turn iframe:not(.spare)")).to_have_count(1)


async def test_page_keeps_its_scroll_position_and_what_is_typed(scene: Open) -> None:
    backend = server(script=TALL)
    opened = await shown(scene, backend)
    frame = opened.page.locator(f"view-turn {CURRENT}")
    turns = opened.page.locator("#turns")
    await expect(frame).to_have_js_property("offsetHeight", 900)
    await turns.evaluate("turns => { turns.scrollTop = 10_000; }")
    before = await turns.evaluate("turns => turns.scrollTop")
    assert before > 300
    await opened.page.locator("call-form").get_by_label("city").fill("Bergen")
    backend.pages[URI] = view(TALL, '<h1>Second</h1><p id="out">waiting</p>')
    await opened.stage.remount()
    await expect(opened.view().locator("h1")).to_have_text("Second")
    await opened.step("painted")
    await expect(frame).to_have_js_property("offsetHeight", 900)
    assert await turns.evaluate("turns => turns.scrollTop") == before
    await expect(opened.page.locator("call-form").get_by_label("city")).to_have_value("Bergen")


async def test_result_of_an_older_schema_is_said_to_be_one_and_can_be_asked_for_anew(
    scene: Open,
) -> None:
    backend = server()
    opened = await shown(scene, backend)
    backend.tools[:] = [tool("forecast", URI, outputSchema={"type": "object"})]
    backend.results["forecast"] = text_result("rainy")
    await opened.stage.refresh()
    notice = opened.page.get_by_role("group", name="The result is out of date")
    await expect(notice).to_be_visible()
    await expect(opened.view().locator("#out")).to_have_text("sunny")
    await notice.get_by_role("button", name="Call again").click()
    await expect(opened.view().locator("#out")).to_have_text("rainy")
    await expect(notice).to_have_count(0)
