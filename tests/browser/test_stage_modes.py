"""Display modes in the page: entered, left, asked for by a View, refused, and several at once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.async_api import expect

from mcpapps_cli.stage import MessageEvent
from tests.browser.conftest import Open, Scene
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.views import view

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

URI = "ui://weather/forecast"
HOSTS = {
    "wide": {"display-modes": ["inline", "fullscreen", "pip"], "context": {}},
}
ASKING = """
  on["ui/notifications/host-context-changed"] = (changed) => {
    if (changed.displayMode) document.body.dataset.mode = changed.displayMode;
    const size = changed.containerDimensions;
    if (size) document.body.dataset.size = [size.width, size.height].join("x");
  };
  for (const mode of ["inline", "fullscreen", "pip"])
    document.getElementById(mode).onclick = async () => {
      const answer = await request("ui/request-display-mode", { mode });
      document.getElementById("out").textContent = JSON.stringify(answer);
    };
"""
BUTTONS = "".join(
    f'<button id="{mode}">{mode}</button>' for mode in ("inline", "fullscreen", "pip")
)


def server(modes: list[str] | None = None) -> MemoryBackend:
    page = view(ASKING, f'{BUTTONS}<p id="out">waiting</p>')
    if modes is not None:
        declared = f"appCapabilities: {{ availableDisplayModes: {json.dumps(modes)} }}"
        page = page.replace("appCapabilities: {}", declared)
    return MemoryBackend(
        tools=[tool("forecast", URI)],
        pages={URI: page},
        results={"forecast": text_result("sunny")},
    )


async def opened_view(scene: Open, backend: MemoryBackend, **more: Any) -> Scene:
    opened = await scene(backend, profile="wide", hosts=HOSTS, **more)
    await opened.call("forecast")
    await opened.step("painted")
    return opened


async def test_h22_view_asks_for_a_mode_and_page_bar_address_and_view_follow(scene: Open) -> None:
    opened = await opened_view(scene, server(["inline", "fullscreen", "pip"]))
    page, turn, inner = opened.page, opened.page.locator("view-turn"), opened.view()
    bar = page.get_by_role("group", name="Display mode")
    for mode in ("pip", "fullscreen"):
        await inner.get_by_role("button", name=mode).click()
        await expect(turn).to_have_attribute("mode", mode)
        await expect(inner.locator("#out")).to_have_text(f'{{"mode":"{mode}"}}')
        await expect(inner.locator("body")).to_have_attribute("data-mode", mode)
        await expect(bar.get_by_role("button", name=mode)).to_have_attribute("aria-pressed", "true")
        assert f"mode={mode}" in page.url
        # The View is told the size that its frame really has.
        frame = page.locator("view-turn iframe").first
        size = await frame.evaluate("(element) => element.clientWidth + 'x' + element.clientHeight")
        await expect(inner.locator("body")).to_have_attribute("data-size", size)
    await turn.get_by_role("button", name="Back to inline").click()
    await expect(turn).not_to_have_attribute("mode", "fullscreen")
    await expect(inner.locator("body")).to_have_attribute("data-mode", "inline")
    assert "mode=" not in page.url


async def test_h23_mode_that_the_host_lacks_is_refused_to_view_and_user(
    scene: Open,
) -> None:
    opened = await scene(server(["inline", "fullscreen"]))
    await opened.call("forecast")
    await opened.step("painted")
    await opened.view().get_by_role("button", name="fullscreen").click()
    await expect(opened.view().locator("#out")).to_have_text('{"mode":"inline"}')
    await expect(opened.page.locator("view-turn")).not_to_have_attribute("mode", "fullscreen")
    await expect(opened.page.locator("console-pane")).to_contain_text("does not offer it")
    chosen = opened.page.get_by_role("group", name="Display mode")
    button = chosen.get_by_role("button", name="fullscreen")
    await expect(button).to_be_disabled()
    await expect(button).to_have_attribute("title", "spec does not offer fullscreen")


async def test_h21_mode_that_the_view_does_not_support_is_not_entered(scene: Open) -> None:
    opened = await opened_view(scene, server(["inline"]))
    bar = opened.page.get_by_role("group", name="Display mode")
    await bar.get_by_role("button", name="fullscreen").click()
    await expect(opened.page.locator("console-pane")).to_contain_text(
        'the View does not support the display mode "fullscreen"'
    )
    await expect(bar.get_by_role("button", name="inline")).to_have_attribute("aria-pressed", "true")
    await expect(opened.page.locator("view-turn")).not_to_have_attribute("mode", "fullscreen")


async def test_escape_brings_every_view_back_also_an_older_one(scene: Open) -> None:
    opened = await opened_view(scene, server(["inline", "fullscreen", "pip"]))
    page = opened.page
    await page.get_by_role("button", name="Call", exact=True).click()
    turns = page.locator("view-turn")
    await expect(page.locator("[data-step=painted][data-state=ok]")).to_have_count(2)
    first, second = (
        turn.frame_locator("iframe").frame_locator("iframe") for turn in (turns.first, turns.last)
    )
    await second.get_by_role("button", name="pip").click()
    await expect(turns.last).to_have_attribute("mode", "pip")
    await first.get_by_role("button", name="fullscreen").click()
    await expect(turns.first).to_have_attribute("mode", "fullscreen")
    await page.locator("host-bar h1").click()
    await page.keyboard.press("Escape")
    for turn, inner in ((turns.first, first), (turns.last, second)):
        await expect(turn).not_to_have_attribute("mode", "fullscreen")
        await expect(turn).not_to_have_attribute("mode", "pip")
        await expect(inner.locator("body")).to_have_attribute("data-mode", "inline")


async def test_mode_of_the_address_waits_for_the_profile_of_the_address(scene: Open) -> None:
    opened = await scene(server(), hosts=HOSTS)
    query = "&tool=forecast&args={}&profile=wide&mode=pip"
    await opened.page.goto(opened.stage.url + query)
    await expect(opened.page.locator("view-turn")).to_have_attribute("mode", "pip")
    await expect(opened.view().locator("#out")).to_have_text("sunny")
    contexts = [
        event.message["result"]["hostContext"]["displayMode"]
        for event in opened.all(MessageEvent)
        if "hostContext" in event.message.get("result", {})
    ]
    assert contexts == ["pip"]
    assert "mode=pip" in opened.page.url
    await opened.page.get_by_role("combobox", name="Host").select_option("spec")
    await expect(opened.page.locator("view-turn")).not_to_have_attribute("mode", "pip")


async def test_h34_theme_reaches_every_view_and_leaves_its_mode(scene: Open) -> None:
    opened = await opened_view(scene, server(["inline", "fullscreen", "pip"]))
    page = opened.page
    await opened.view().get_by_role("button", name="pip").click()
    await expect(page.locator("view-turn")).to_have_attribute("mode", "pip")
    await page.get_by_role("button", name="Call", exact=True).click()
    await expect(page.locator("view-turn")).to_have_count(2)
    await expect(page.locator("[data-step=painted][data-state=ok]")).to_have_count(2)
    await page.locator("view-turn").last.get_by_role("button", name="Back to inline").click()
    await expect(page.locator("view-turn").last).not_to_have_attribute("mode", "pip")
    await page.get_by_role("tab", name="Host").click()
    await page.get_by_label("Locale").fill("nb-NO")
    await page.get_by_label("Locale").press("Enter")

    def told() -> list[dict[str, Any]]:
        return [
            event.message["params"]
            for event in opened.all(MessageEvent)
            if event.message.get("method") == "ui/notifications/host-context-changed"
            and "locale" in event.message["params"]
        ]

    await opened.until(lambda: len(told()) == 2)
    assert ["displayMode" in change for change in told()] == [False, False]
    await expect(page.locator("view-turn").first).to_have_attribute("mode", "pip")
