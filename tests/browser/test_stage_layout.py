"""How the page holds what is much, little, large or written from the other side."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Open
from tests.browser.test_stage_page import BUSY, URI, busy, serious_faults, server
from tests.stage.backend import MemoryBackend, tool

pytestmark = [pytest.mark.anyio, pytest.mark.browser, pytest.mark.node]


@pytest.mark.parametrize("size", [(640, 400), (400, 500)])
async def test_small_window_or_large_text_scrolls_and_cuts_nothing_off(
    scene: Open, size: tuple[int, int]
) -> None:
    # 1280 by 800 pixels at 200 % have room for 640 by 400 (WCAG 2.2, 1.4.4 and 1.4.10).
    opened = await scene(server(BUSY), size=size)
    await busy(opened)
    page = opened.page
    assert await page.evaluate("document.documentElement.scrollWidth") == size[0]
    for role, name in (("button", "Call"), ("button", "Decline"), ("tab", "Host")):
        control = page.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
        await control.scroll_into_view_if_needed()
        await expect(control).to_be_in_viewport(ratio=1)
    await page.get_by_role("tab", name="Host").click()
    await expect(page.locator("host-pane h2").first).to_be_in_viewport()


async def test_long_list_of_tools_leaves_the_form_in_sight_and_is_filtered(scene: Open) -> None:
    backend = server()
    for number in range(60):
        name = f"a_tool_with_a_name_that_is_longer_than_the_column_is_wide_{number}"
        backend.tools.append({"name": name, "description": f"Does thing {number}."})
    opened = await scene(backend)
    page = opened.page
    last = "a_tool_with_a_name_that_is_longer_than_the_column_is_wide_59"
    await page.goto(f"{opened.stage.url}&tool={last}")
    rows = page.get_by_role("list", name="Tools").get_by_role("listitem")
    await expect(rows).to_have_count(62)
    await expect(rows.last).to_be_in_viewport()
    await expect(page.get_by_role("button", name="Call", exact=True)).to_be_in_viewport(ratio=1)
    # The end of the name tells it from the others.
    assert await rows.last.locator("code").evaluate("(e) => e.scrollWidth <= e.clientWidth")
    await expect(page.locator("call-form")).to_contain_text("Does thing 59.")
    await page.get_by_label("Filter tools").fill("thing 17")
    await expect(rows).to_have_count(1)
    await page.get_by_label("Filter tools").fill("xyzzy")
    await expect(page.locator("tool-list")).to_contain_text("No tool has these words")


@pytest.mark.parametrize(
    ("tools", "sentence"),
    [
        ([], "This server has no tools"),
        ([{"name": "plain"}], "No tool has a View"),
        ([tool("forecast", URI)], "Pick a tool with the mark View"),
    ],
)
async def test_empty_page_says_what_to_do_next(
    scene: Open, tools: list[dict[str, Any]], sentence: str
) -> None:
    opened = await scene(MemoryBackend(tools=tools, pages={}))
    await opened.page.goto(opened.stage.url)
    await expect(opened.page.locator("#turns .empty")).to_contain_text(sentence)
    assert await serious_faults(opened.page) == []


async def test_focus_and_caret_stay_when_the_page_is_drawn_anew(scene: Open) -> None:
    opened = await scene(server())
    page = opened.page
    await page.goto(opened.stage.url)
    await page.get_by_role("button", name="dark").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    await expect(page.get_by_role("button", name="dark")).to_be_focused()
    await page.get_by_label("city").fill("Osl")
    await page.keyboard.press("Home")
    await opened.stage.refresh()
    await expect(page.locator("status-bar")).to_contain_text("generation 2")
    await expect(page.get_by_label("city")).to_be_focused()
    await page.keyboard.type("x")
    await expect(page.get_by_label("city")).to_have_value("xOsl")
    await page.locator("tool-list button").last.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("tool-list button").last).to_be_focused()
    await expect(page.locator("tool-list button").last).to_have_attribute("aria-current", "true")


async def test_words_from_right_to_left_keep_the_order_of_what_is_around_them(scene: Open) -> None:
    backend = server()
    backend.tools[0]["inputSchema"] = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "units": {"type": "string"}},
    }
    opened = await scene(backend)
    await opened.call("forecast", city="أوسلو", units="متري")
    await opened.step("painted")
    page = opened.page
    await expect(page.locator("view-turn .bubble")).to_have_text(
        'forecast(city="أوسلو", units="متري")'
    )
    await expect(page.get_by_label("city")).to_have_css("direction", "rtl")
    parts = page.locator("view-turn .bubble bdi")
    lefts = [
        await part.evaluate("(e) => e.getBoundingClientRect().left") for part in await parts.all()
    ]
    assert len(lefts) == 3
    assert lefts == sorted(lefts)
