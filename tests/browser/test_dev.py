"""`mcpapps dev` on the scaffolded project, in a real browser: what a save does to a View."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.conftest import CURRENT
from tests.devlog import DevLog, run_dev

pytestmark = [pytest.mark.anyio, pytest.mark.browser]


class Loop:
    """A project under `dev`, and its View in a browser."""

    def __init__(self, root: Path, dev: DevLog, page: Page):
        self.root = root
        self.dev = dev
        self.page = page
        self.view = page.frame_locator(f"view-turn {CURRENT}").frame_locator("iframe")

    async def call(self, **arguments: Any) -> None:
        await self.page.goto(self.dev.url("show_daylight", arguments))
        await self.dev.wait("step", step="painted", state="ok")

    def edit(self, path: str, old: str, new: str) -> None:
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
async def loop(browser: Browser, tmp_path: Path) -> AsyncIterator[Loop]:
    subprocess.run(
        [sys.executable, "-m", "mcpapps_cli", "new", "hello", "--yes"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    root = tmp_path / "hello"
    async with run_dev(cwd=root) as dev:
        context = await browser.new_context()
        page = await context.new_page()
        page.set_default_timeout(20_000)
        yield Loop(root, dev, page)
        await context.close()


async def test_a_changed_view_is_shown_with_the_last_input_and_result(loop: Loop) -> None:
    await loop.call(place="Tokyo")
    await expect(loop.view.locator("#place")).to_have_text("Tokyo")
    loop.edit("views/daylight/index.html", "<label>Place", "<label>Somewhere")
    built = await loop.dev.wait("bundle-ready", view="daylight", written=True)
    assert built["uri"] == "ui://hello/daylight.html"
    await loop.dev.wait("step", step="painted", state="ok")
    await expect(loop.view.locator("label")).to_contain_text("Somewhere")
    await expect(loop.view.locator("#place")).to_have_text("Tokyo")
    assert not any(event["event"].startswith("server-ready") for event in loop.dev.events)


async def test_a_changed_server_is_restarted_listed_anew_and_replayed(loop: Loop) -> None:
    await loop.call(place="Tokyo")
    loop.edit("hello/server.py", '"""Show how many hours', '"""Tell how many hours')
    ready = await loop.dev.wait("server-ready")
    assert ready["tools"] == ["show_daylight"]
    await loop.dev.wait("step", step="painted", state="ok")
    await expect(loop.page.locator("call-form")).to_contain_text("Tell how many hours")
    await expect(loop.view.locator("#place")).to_have_text("Tokyo")


async def test_a_broken_view_leaves_the_last_good_one_under_an_overlay(loop: Loop) -> None:
    await loop.call(place="Tokyo")
    loop.edit("views/daylight/index.html", 'src="view.js"', 'src="veiw.js"')
    failed = await loop.dev.wait("build-failed", view="daylight")
    assert failed["error"]["position"]["path"] == "views/daylight/index.html"
    overlay = loop.page.locator("build-overlay")
    await expect(overlay).to_be_visible()
    await expect(overlay).to_contain_text("veiw.js")
    await expect(loop.view.locator("#place")).to_have_text("Tokyo")
    loop.edit("views/daylight/index.html", 'src="veiw.js"', 'src="view.js"')
    await loop.dev.wait("bundle-ready", view="daylight")
    await expect(overlay).to_be_hidden()


async def test_a_broken_server_keeps_the_old_one_and_heals(loop: Loop) -> None:
    await loop.call(place="Tokyo")
    loop.edit("hello/server.py", "apps = Apps()\n", "apps = Apps(\n")
    failed = await loop.dev.wait("server-failed")
    assert any("'(' was never closed" in line for line in failed["error"]["details"])
    # The View calls its server, and the old one answers.
    await loop.view.locator("#places").select_option("Oslo")
    await expect(loop.view.locator("#place")).to_have_text("Oslo")
    overlay = loop.page.locator("build-overlay")
    await expect(overlay).to_contain_text("was never closed")
    loop.edit("hello/server.py", "apps = Apps(\n", "apps = Apps()\n")
    await loop.dev.wait("server-ready")
    await expect(overlay).to_be_hidden()
