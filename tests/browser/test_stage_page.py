"""How the page looks and can be used: two sizes, two themes, no serious fault that axe finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Open, Scene
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.views import view

pytestmark = [pytest.mark.anyio, pytest.mark.browser, pytest.mark.node]

AXE = Path(__file__).parents[1] / "peers" / "node_modules" / "axe-core" / "axe.min.js"
URI = "ui://weather/forecast"
SCHEMA = {
    "type": "object",
    "required": ["city"],
    "properties": {
        "city": {"type": "string", "description": "Name of the city"},
        "days": {"type": "integer", "default": 7},
        "units": {"enum": ["metric", "imperial"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "place": {"type": "object", "properties": {"lat": {"type": "number"}}},
    },
}


def server(script: str = "", **more: Any) -> MemoryBackend:
    return MemoryBackend(
        tools=[
            {**tool("forecast", URI), "inputSchema": SCHEMA},
            {"name": "save", "_meta": {"ui": {"visibility": ["app"]}}},
        ],
        pages={URI: view(script)},
        results={"forecast": text_result("sunny"), "save": text_result("saved")},
        **more,
    )


async def serious_faults(page: Page) -> list[str]:
    """Return the rules of axe that fail with serious or critical impact, with their elements."""
    # The page's own policy lets no other script in; a test may put one there.
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found = await page.evaluate(
        # The View is the author's, and the frame's inside is not the page's.
        "axe.run(document, { iframes: false, resultTypes: ['violations'] })"
    )
    assert len(found["passes"]) > 10
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


async def busy(opened: Scene) -> None:
    """Bring the page into a state that shows most of what it has."""
    await opened.call("forecast", city="Oslo", days=7, tags=["a"], place={"lat": 59.9})
    await opened.step("painted")
    await expect(opened.page.locator("view-turn .notice").first).to_be_visible()


BUSY = """
  fetch("https://api.weather.test/v1").catch(() => {});
  on["ui/notifications/tool-input"] = () => {
    request("ui/open-link", { url: "https://example.test/" }).catch(() => {});
    request("tools/call", { name: "nothing" }).catch(() => {});
  };
"""

ASKS_MUCH = """
  on["ui/notifications/tool-input"] = () => {
    const said = [{ role: "user", content: { type: "text", text: "Rain?" } }];
    for (const [method, params] of [
      ["ui/open-link", { url: "https://example.test/" }],
      ["sampling/createMessage", { messages: said, maxTokens: 9 }],
    ]) request(method, params).catch(() => {});
  };
"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800])
async def test_page_has_no_serious_fault_of_accessibility(
    scene: Open, tmp_path: Path, theme: str, width: int
) -> None:
    opened = await scene(server(BUSY), theme=theme, size=(width, 800))
    page = opened.page
    await page.goto(opened.stage.url)
    await expect(page.locator("tool-list li")).to_have_count(2)
    assert await serious_faults(page) == []
    await busy(opened)
    shot = await page.screenshot(path=tmp_path / f"page-{width}-{theme}.png")
    assert shot.startswith(b"\x89PNG")
    assert await page.locator("html").get_attribute("data-theme") == theme
    assert await serious_faults(page) == []
    for tab in ("CSP", "Model sees", "Console", "Host"):
        await page.get_by_role("tab", name=tab).click()
        assert await serious_faults(page) == [], tab


@pytest.mark.parametrize("width", [1280, 800])
async def test_nothing_of_the_page_is_cut_off_at_the_side(scene: Open, width: int) -> None:
    opened = await scene(server(BUSY), size=(width, 800))
    await busy(opened)
    page = opened.page
    assert await page.evaluate("document.documentElement.scrollWidth") == width
    for element in ("host-bar", "tool-list", "call-form", "side-panel", "status-bar"):
        box = await page.locator(element).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


async def test_keyboard_alone_picks_a_tool_fills_the_form_calls_and_answers(scene: Open) -> None:
    opened = await scene(server(BUSY))
    page = opened.page
    await page.goto(opened.stage.url)
    await page.locator("tool-list button").first.focus()
    await page.keyboard.press("Enter")
    await page.get_by_label("city").focus()
    await page.keyboard.type("Oslo")
    await page.keyboard.press("Enter")
    await opened.step("painted")
    await page.get_by_role("button", name="Decline").focus()
    await page.keyboard.press("Space")
    await expect(page.get_by_role("button", name="Decline")).to_have_count(0)
    await page.get_by_role("tab", name="Messages").focus()
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_role("tab", name="CSP")).to_have_attribute("aria-selected", "true")
    (request,) = [params for method, params in opened.backend.requests if method == "tools/call"]
    assert request["arguments"] == {"city": "Oslo", "days": 7}


async def test_dialogs_cards_and_empty_states_have_no_serious_fault(scene: Open) -> None:
    for theme, width in (("light", 800), ("dark", 1280)):
        opened = await scene(server(ASKS_MUCH), theme=theme, size=(width, 800))
        page = opened.page
        await page.goto(opened.stage.url)
        await page.keyboard.press("?")
        await expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
        assert await serious_faults(page) == []
        await page.keyboard.press("Escape")
        position = {"path": "a.html", "line": 1, "column": 2, "length": 3, "source": "<script>"}
        await opened.stage.show_error({"message": "no", "help": "look", "position": position})
        await expect(page.locator("build-overlay pre")).to_be_visible()
        assert await serious_faults(page) == []
        await opened.stage.show_error(None)
        for profile, cards in (("vscode", 2), ("spec", 1)):
            await page.goto(f"{opened.stage.url}&tool=forecast&args={{}}&profile={profile}")
            await expect(page.locator("view-turn .notice.ask")).to_have_count(cards)
            assert await serious_faults(page) == []


async def test_step_that_is_broken_and_one_that_is_unknown_have_no_serious_fault(
    scene: Open,
) -> None:
    for theme, probe, script, state in (
        ("light", True, "missing();", "broken"),
        ("dark", True, "missing();", "broken"),
        ("dark", False, "", "unknown"),
    ):
        opened = await scene(server(script), theme=theme, probe=probe)
        await opened.call("forecast")
        await opened.step("initialize" if state == "broken" else "painted", state)
        assert await serious_faults(opened.page) == []
