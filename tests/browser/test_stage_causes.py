"""A server with one fault in every tool: the page and the JSON log name the first broken step."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from playwright.async_api import Browser, expect

from mcpapps_cli.dev.event import event_json
from mcpapps_cli.errors import ServerError
from mcpapps_cli.inventory import take_inventory
from mcpapps_cli.model import Inventory, ServerSpec
from mcpapps_cli.stage import StepEvent
from tests.browser.conftest import Open
from tests.devlog import DevLog, run_dev
from tests.host.test_causes import CASES
from tests.stage.backend import MemoryBackend

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

SERVER = Path(__file__).with_name("broken_server.py")
# Tool, first broken step, cause, rule; what is not in the View's hands comes first.
CAUSES = [
    ("no-such-tool", "tool", "no-such-tool", None),
    ("unreadable", "resource", "unreadable", "resource-uri-dangling"),
    ("wrong-mime", "mime", "wrong-mime", "mime-type"),
    ("not-html", "html", "not-html", "content-not-html"),
    ("script-blocked", "initialize", "script-blocked", "undeclared-resource-origin"),
    ("script-error", "initialize", "script-error", None),
    ("storage-refused", "initialize", "storage-refused", "storage-unguarded"),
    ("wrong-method", "initialize", "wrong-method", "initialize-wrong-method"),
    ("rejected-parameters", "initialize", "rejected-parameters", "initialize-params"),
    ("handshake-missing", "initialize", "handshake-missing", "handshake-missing"),
    ("early-request", "initialized", "early-request", "call-before-initialized"),
    ("handshake-unfinished", "initialized", "handshake-unfinished", "handshake-incomplete"),
    ("late-listener", "input", "late-listener", "late-handler"),
    ("call-refused", "painted", "call-refused", "app-tool-unlisted"),
    ("size-not-reported", "painted", "size-not-reported", "no-size-report"),
    ("size-growing", "painted", "size-growing", "viewport-height"),
    ("connection-blocked", "painted", "connection-blocked", "undeclared-connect-origin"),
    ("network-failed", "painted", "network-failed", None),
    ("cors-refused", "painted", "cors-refused", None),
    ("cors-or-network", "painted", "cors-or-network", None),
]
STEPS = [
    *("server", "tool", "resource", "mime", "html", "frame"),
    *("initialize", "initialized", "input", "result", "painted"),
]


@asynccontextmanager
async def other_server() -> AsyncIterator[tuple[str, list[str]]]:
    """Answer every request with 200 and no CORS permission; note the request lines."""
    lines: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            # A browser connects ahead.
            writer.close()
            return
        lines.append(head.split(b"\r\n")[0].decode())
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", lines


class Site:
    """The broken server under `dev`, and the one that its Views ask."""

    def __init__(self, dev: DevLog, asked: list[str]):
        self.dev = dev
        self.asked = asked


@pytest.fixture(scope="module")
async def site(anyio_backend: str, tmp_path_factory: Any) -> AsyncIterator[Site]:
    async with other_server() as (origin, asked):
        command = shlex.join([sys.executable, str(SERVER), origin])
        folder = tmp_path_factory.mktemp("broken")
        async with run_dev("--command", command, "--era", "legacy", cwd=folder) as dev:
            yield Site(dev, asked)


@pytest.mark.parametrize(("tool", "step", "cause", "rule"), CAUSES, ids=[c[0] for c in CAUSES])
async def test_first_broken_step_and_cause_are_in_the_page_and_in_the_log(
    site: Site, browser: Browser, tool: str, step: str, cause: str, rule: str | None
) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    page.set_default_timeout(30_000)
    await page.goto(site.dev.url(tool))
    logged = await site.dev.wait("step", tool=tool, state="broken", cause=cause)
    assert (logged["step"], logged.get("rule")) == (step, rule)
    turn = page.locator("view-turn")
    await expect(turn.locator(f"[data-step={step}]")).to_have_attribute("data-state", "broken")
    await expect(turn.locator(".notice.bad")).to_contain_text(f"Broken at {step}.")
    broken = turn.locator("[data-state=broken]")
    assert await broken.first.get_attribute("data-step") == step
    before = STEPS[: STEPS.index(step)]
    states = [
        await turn.locator(f"[data-step={name}]").get_attribute("data-state") for name in before
    ]
    assert states == ["ok"] * len(before)
    if rule is not None:
        await expect(turn.locator(".notice.bad")).to_contain_text(f"mcpapps explain {rule}")
    await context.close()


@pytest.mark.parametrize("tool", ["healthy", "zod-probe"])
async def test_healthy_view_and_one_that_only_probes_eval_are_painted(
    site: Site, browser: Browser, tool: str
) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(site.dev.url(tool))
    await site.dev.wait("step", tool=tool, step="painted", state="ok")
    of_tool = [event for event in site.dev.events if event.get("tool") == tool]
    assert not any(event.get("state") == "broken" for event in of_tool)
    assert not any(event["event"] == "note" and event["level"] != "info" for event in of_tool)
    await expect(page.locator("view-turn .notice")).to_have_count(0)
    await context.close()


async def test_only_a_failed_get_to_a_declared_origin_is_repeated(
    site: Site, browser: Browser
) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    for tool in ("cors-refused", "cors-or-network"):
        site.asked.clear()
        await page.goto(site.dev.url(tool))
        await site.dev.wait("step", tool=tool, state="broken", cause=tool)
        asked = [line.split()[:2] for line in site.asked]
        if tool == "cors-refused":
            assert asked == [["GET", "/a"], ["GET", "/a"]]
        else:
            assert asked == [["POST", "/post"]]
    await context.close()


class FailedBackend(MemoryBackend):
    """A server that never answered, with what `take_inventory` said of it."""

    failure: ServerError

    def inventory(self) -> Inventory:
        raise self.failure


@pytest.mark.parametrize(
    ("how", "cause", "rule"),
    [("--silent", "no-answer", None), ("--noisy", "noise-on-stdout", "stdout-pollution")],
)
async def test_server_that_does_not_negotiate_breaks_the_first_step(
    scene: Open, how: str, cause: str, rule: str | None
) -> None:
    backend = FailedBackend(tools=[], pages={})
    spec = ServerSpec(command=(sys.executable, str(SERVER), how), label="python broken_server.py")
    with pytest.raises(ServerError) as caught:
        await take_inventory(spec, timeout=2.0)
    backend.failure = caught.value
    opened = await scene(backend)
    await opened.call("healthy")
    await expect(opened.page.locator("view-turn .notice.bad")).to_contain_text("Broken at server.")
    (step,) = [event for event in opened.all(StepEvent) if event.state == "broken"]
    logged = json.loads(json.dumps(event_json(step)))
    assert (logged["step"], logged["cause"], logged.get("rule")) == ("server", cause, rule)
    if how == "--noisy":
        assert logged["detail"]["lines"] == ["Server running on stdio"]


async def test_every_line_of_the_log_is_of_the_published_schema(
    site: Site, browser: Browser
) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(site.dev.url("connection-blocked"))
    await site.dev.wait("step", tool="connection-blocked", state="broken")
    schema = json.loads((SERVER.parents[2] / "docs" / "dev-events.schema.json").read_text())
    validator = Draft202012Validator(schema)
    kinds = {event["event"] for event in site.dev.events}
    assert {"ready", "step", "violation", "message", "note"} <= kinds
    for event in site.dev.events:
        validator.validate(event)
    await context.close()


Words = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
SEEN = ("uri", "tool", "error", "mimeType", "begins", "method", "path", "api", "message", "url")


@pytest.fixture(scope="module")
async def words(site: Site, browser: Browser) -> AsyncIterator[Words]:
    """What the page says of a step."""
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(str(site.dev.ready["url"]))

    async def explain(step: dict[str, Any]) -> dict[str, Any]:
        call = "async (step) => (await import('/causes.js')).explain(step)"
        said: dict[str, Any] = await page.evaluate(call, step)
        return said

    yield explain
    await context.close()


@pytest.mark.parametrize("made", CASES, ids=[case[0] for case in CASES])
async def test_cause_is_told_with_what_was_seen_and_what_to_do(words: Words, made: Any) -> None:
    cause, name, _, _, make, _ = made
    (step,) = [step for step in make() if (step.cause, step.step) == (cause, name)]
    said = await words(
        {
            "step": name,
            "state": step.state,
            "cause": cause,
            "rule": step.rule,
            "detail": step.detail,
        }
    )
    shown = " ".join([said["what"], *said["seen"]])
    assert not re.search("undefined|null|NaN|object Object", shown.replace("x is null", ""))
    assert said["what"].endswith(".")
    assert said["help"].endswith(".")
    assert said["help"] not in said["what"]
    for key, value in (step.detail or {}).items():
        if key in SEEN and isinstance(value, str):
            assert value.rstrip(".") in shown
