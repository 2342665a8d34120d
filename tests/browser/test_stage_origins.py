"""Where a View lives: behind the proxy page, on another origin than the host's."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.async_api import Frame, expect

from tests.browser.conftest import Open
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.views import view

pytestmark = [pytest.mark.anyio, pytest.mark.browser]


def views(frame: Frame) -> list[Frame]:
    return [one for one in frame.page.frames if one.url == "about:srcdoc"]


async def test_h6_h13_h14_views_without_a_domain_are_behind_the_sandboxs_default_origin(
    scene: Open,
) -> None:
    names = ("forecast", "alerts")
    opened = await scene(
        MemoryBackend(
            tools=[tool(name, f"ui://weather/{name}") for name in names],
            pages={f"ui://weather/{name}": view() for name in names},
            results={name: text_result(name) for name in names},
        )
    )
    page = opened.page
    await opened.call("forecast")
    await opened.step("painted")
    await page.get_by_role("list", name="Tools").get_by_text("alerts").click()
    await page.get_by_role("button", name="Call", exact=True).click()
    await expect(page.locator("[data-step=painted][data-state=ok]")).to_have_count(2)
    host = urlsplit(opened.stage.url)
    found = views(page.main_frame)
    assert len(found) == 2
    for inner in found:
        outer = inner.parent_frame
        assert outer is not None
        assert outer.parent_frame == page.main_frame
        assert f"{await outer.evaluate('origin')}/" == opened.stage.sandbox_url
        assert await outer.evaluate("origin") != f"{host.scheme}://{host.netloc}"
        assert urlsplit(outer.url).hostname != host.hostname
