"""A project of the template `live`: its View shows progress before the call has its result."""

from __future__ import annotations

import shlex
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.conftest import CURRENT
from tests.devlog import DevLog, run_dev
from tests.scaffolds.live import Live, make_live, serving

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

WIRES = [
    ("mcp", "stdio", "legacy"),
    ("mcp", "stdio", "modern"),
    ("mcp", "http", "legacy"),
    ("mcp", "http", "modern"),
    ("fastmcp", "http", "modern"),
    ("mcp1", "http", "legacy"),
]


class Turn:
    """A page of its own that shows one call."""

    def __init__(self, page: Page, total: int):
        self.page = page
        self.total = total
        self.view = page.frame_locator(f"view-turn {CURRENT}").frame_locator("iframe")

    async def shows(self, state: str, throws: int) -> None:
        await expect(self.view.locator("#count")).to_have_text(
            f"{throws:,} of {self.total:,} darts"
        )
        await expect(self.view.locator("#view")).to_have_attribute("data-state", state)

    async def has_result(self, has: bool) -> None:
        rung = self.page.locator("[data-step=result][data-state=ok]")
        await expect(rung).to_have_count(1 if has else 0)


@pytest.fixture(params=WIRES, ids="-".join)
async def project(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[tuple[Live, DevLog]]:
    sdk, transport, era = request.param
    live = make_live(tmp_path, sdk)
    with ExitStack() as stack:
        server = ("--command", shlex.join(live.command))
        if transport == "http":
            server = ("--url", stack.enter_context(serving(live)))
        async with run_dev(*server, "--era", era, "--timeout", "60", cwd=live.root) as dev:
            yield live, dev
            # A run that waits would keep its server from ending.
            live.open()


async def test_two_calls_show_their_own_progress_before_either_has_its_result(
    project: tuple[Live, DevLog], browser: Browser
) -> None:
    live, dev = project
    context = await browser.new_context()
    turns = [Turn(await context.new_page(), total) for total in (2000, 3000)]
    for turn in turns:
        await turn.page.goto(dev.url("estimate_pi", {"throws": turn.total}))
    for turn in turns:
        await turn.shows("running", 1000)
        await turn.has_result(False)
    live.open()
    for turn in turns:
        await turn.shows("done", turn.total)
        await turn.has_result(True)
    await context.close()
