"""`mcpapps dev` with several servers, with none that runs, and with hosts that know no Views."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.conftest import CURRENT
from tests.devlog import SCHEMA, run_dev

pytestmark = [pytest.mark.anyio, pytest.mark.browser]
SOURCE = Path(__file__).with_name("plain_server.py")


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context()
    page = await context.new_page()
    page.set_default_timeout(30_000)
    yield page
    await context.close()


@pytest.fixture
def server(tmp_path: Path) -> Path:
    file = tmp_path / "server.py"
    file.write_text(SOURCE.read_text())
    return file


def view(page: Page, number: int = 0) -> Any:
    turn = page.locator("view-turn").nth(number)
    return turn.frame_locator(CURRENT).frame_locator("iframe")


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


async def test_two_servers_share_a_conversation_and_each_is_started_anew(
    page: Page, server: Path
) -> None:
    other = server.with_name("other.py")
    other.write_text(server.read_text())
    first, second = f"{sys.executable} server.py one", f"two={sys.executable} other.py two"
    async with run_dev("--command", first, "--server", second, cwd=server.parent) as dev:
        assert dev.ready["tools"] == ["show", "again", "only_one"]
        said = [each for each in dev.events if each["event"] == "server-output"]
        # One has no name: it is the project's own.
        while len(said) < 2:
            said.append(await dev.wait("server-output"))
        assert {(each.get("server"), each["line"]) for each in said} == {
            (None, "one is here"),
            ("two", "two is here"),
        }
        # Both have a tool "show": the project's own comes first, unless the server is named.
        await page.goto(dev.url("show"))
        await expect(view(page).locator("#out")).to_have_text("hello from one, show, with Views")
        await expect(page.locator("tool-list h2")).to_have_text(
            [f"Tools of {server.parent.name}", "Tools of two"]
        )
        await page.locator("tool-list button", has_text="only_two").click()
        await page.locator("call-form button", has_text="Call").click()
        await expect(view(page, 1).locator("#out")).to_have_text(
            "hello from two, only_two, with Views"
        )
        # A View's calls go to its own server.
        await view(page, 1).locator("#ask").click()
        await expect(view(page, 1).locator("#out")).to_have_text(
            "hello from two, again, with Views"
        )
        # That server says that it has one more tool now.
        await expect(page.locator("tool-list button", has_text="late")).to_have_count(1)
        # A saved file of the one leaves the other alone.
        edit(other, '"hello"', '"good day"')
        ready = await dev.wait("server-ready")
        assert (ready["server"], ready["generation"]) == ("two", 2)
        await dev.wait("step", tool="only_two", step="painted", state="ok")
        await view(page, 1).locator("#ask").click()
        await expect(view(page, 1).locator("#out")).to_have_text(
            "good day from two, again, with Views"
        )
        # One that dies is started again, and its View is told.
        await page.locator("tool-list button", has_text="late").click()
        await page.locator("call-form button", has_text="Call").click()
        gone = await dev.wait("server-failed")
        assert (gone["server"], gone["error"]["message"]) == (
            "two",
            "the server ended with exit code 3",
        )
        ready = await dev.wait("server-ready")
        assert (ready["server"], ready["generation"]) == ("two", 3)


async def test_the_server_of_an_equal_name_can_be_named(page: Page, server: Path) -> None:
    line = f"{sys.executable} server.py"
    async with run_dev(
        "--command", f"{line} one", "--server", f"two={line} two", cwd=server.parent
    ) as dev:
        await page.goto(dev.url("show", server="two"))
        await expect(view(page).locator("#out")).to_have_text("hello from two, show, with Views")


async def test_without_ui_a_server_shows_what_it_gives_to_other_hosts(
    page: Page, server: Path
) -> None:
    command = f"{sys.executable} server.py one"
    async with run_dev("--command", command, "--no-ui", cwd=server.parent) as dev:
        assert dev.ready["ui_tools"] == []
        await page.goto(dev.url("show", profile="claude"))
        await expect(page.locator("view-turn .answer")).to_contain_text(
            "hello from one, show, in text only"
        )
        await expect(page.locator("view-turn iframe")).to_have_count(0)
        await expect(page.locator("status-bar")).to_contain_text("this host shows no Views")
        # The next server is told the same.
        edit(server, '"hello"', '"good day"')
        await dev.wait("server-ready")
        await page.goto(dev.url("show"))
        await expect(page.locator("view-turn .answer")).to_contain_text(
            "good day from one, show, in text only"
        )


async def test_a_view_hears_of_a_new_list_where_the_host_says_so_and_may_call_what_is_new(
    page: Page, server: Path
) -> None:
    edit(server, 'name: "again"', 'name: called ? "late" : "again"')
    edit(server, ".onclick = () => {", ".onclick = () => {\n    const called = heard.textContent;")
    edit(server, "os._exit(3)", 'result = {"content": [{"type": "text", "text": "new"}]}')
    command = f"{sys.executable} server.py one"
    async with run_dev("--command", command, cwd=server.parent) as dev:
        await page.goto(dev.url("show", profile="vscode"))
        await view(page).locator("#ask").click()
        await expect(view(page).locator("#heard")).to_have_text("notifications/tools/list_changed")
        await view(page).locator("#ask").click()
        await expect(view(page).locator("#out")).to_have_text("new")


BROKEN = {
    "ends": ("NAME = sys.argv[1]", "NAME = sys.argv[7]", "no-answer", "IndexError"),
    "noisy": (
        '    print(f"{NAME} is here", file=sys.stderr, flush=True)',
        '    print("Welcome!", flush=True)\n    return',
        "noise-on-stdout",
        "Welcome!",
    ),
    "silent": ("    for line in sys.stdin:", "    for line in []:\n        pass\n    import time"
               "\n    time.sleep(600)\n    for line in []:", "no-answer", "did not answer within"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
async def test_a_first_start_that_fails_leaves_the_page_which_goes_on_when_it_is_mended(
    page: Page, server: Path, kind: str
) -> None:
    whole = server.read_text()
    old, new, cause, words = BROKEN[kind]
    edit(server, old, new)
    command = f"{sys.executable} server.py one"
    async with run_dev("--command", command, "--timeout", "3", cwd=server.parent) as dev:
        assert dev.ready["tools"] == []
        failed = await dev.wait("server-failed")
        assert words in "\n".join([failed["error"]["message"], *failed["error"]["details"]])
        await page.goto(dev.url("show"))
        step = await dev.wait("step", step="server", state="broken")
        assert (step["tool"], step["cause"]) == ("show", cause)
        await expect(page.locator("build-overlay")).to_contain_text(words)
        await expect(page.locator("[data-step=server][data-state=broken]")).to_be_visible()
        server.write_text(whole)
        assert (await dev.wait("server-ready"))["tools"] == ["show", "again", "only_one"]
        await expect(view(page).locator("#out")).to_have_text("hello from one, show, with Views")
        await expect(page.locator("build-overlay")).to_be_hidden()
        await dev.wait("step", tool="show", step="painted", state="ok")


async def test_a_view_hears_that_its_server_has_gone_and_is_shown_again(
    page: Page, server: Path
) -> None:
    command = f"{sys.executable} server.py one"
    edit(
        server, "ui = extra = False", "ui = extra = False\n    print(os.getpid(), file=sys.stderr)"
    )
    async with run_dev("--command", command, "--no-standby", cwd=server.parent) as dev:
        said = [each["line"] for each in dev.events if each["event"] == "server-output"]
        while not said or not said[-1].isdigit():
            said.append((await dev.wait("server-output"))["line"])
        await page.goto(dev.url("show"))
        await dev.wait("step", step="painted", state="ok")
        os.kill(int(said[-1]), signal.SIGKILL)
        await dev.wait(
            "note", view="v1", text="the server is gone: the server was ended by SIGKILL"
        )
        await dev.wait("server-ready")
        await dev.wait("step", step="painted", state="ok")
        await expect(view(page).locator("#out")).to_have_text("hello from one, show, with Views")


async def test_every_kind_of_event_is_told_and_is_as_the_schema_says(
    page: Page, server: Path
) -> None:
    # `DevLog` validates each event that it reads.
    edit(server, "post({ id: 0,", 'fetch("https://api.test/").catch(() => {});\n  post({ id: 0,')
    entry = server.with_name("view.html")
    entry.write_text("<!doctype html><title>x</title>")
    server.with_name("mcpapps.toml").write_text(
        '[views.forecast]\nentry = "view.html"\nuri = "ui://one/forecast.html"\n'
        f"[server]\ncommand = {f'{sys.executable} server.py one'!r}\n"
    )
    async with run_dev("--share-mcp", cwd=server.parent) as dev:
        await page.goto(dev.url("show"))
        await dev.wait("violation", directive="connect-src")
        entry.write_text('<!doctype html><title>x</title><script src="gone.js"></script>')
        await dev.wait("build-failed", view="forecast")
        text = server.read_text()
        server.write_text("def broken(:\n")
        await dev.wait("server-failed")
        server.write_text(text)
        await dev.wait("server-ready")
        kinds = {each["properties"]["event"]["const"] for each in SCHEMA["oneOf"]}
        while missing := kinds - {each["event"] for each in dev.events}:
            await dev.wait(min(missing))
