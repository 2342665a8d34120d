"""What a browser keeps of two stages, and what the sandbox gives and says by itself."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.async_api import expect

from mcpapps_cli.stage import MessageEvent
from tests.browser.conftest import Open
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.peer import cookie_of, token_of
from tests.stage.views import view

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

URI = "ui://weather/forecast"


def server(**more: object) -> MemoryBackend:
    return MemoryBackend(
        tools=[tool("forecast", URI)],
        pages={URI: view()},
        results={"forecast": text_result("sunny")},
        **more,  # type: ignore[arg-type]
    )


async def test_second_stage_neither_reads_nor_overwrites_the_cookie_of_the_first(
    scene: Open,
) -> None:
    first, second = await scene(server()), await scene(server())
    await first.call("forecast")
    await first.step("painted")
    # The same browser, as two tabs of one user are.
    tab = await first.page.context.new_page()
    await tab.goto(second.stage.url)
    await expect(tab.locator("tool-list li")).to_have_count(1)
    cookies = {c["name"]: c for c in await first.page.context.cookies("http://127.0.0.1/")}
    ports = [urlsplit(one.stage.url).port for one in (first, second)]
    assert set(cookies) == {f"mcpapps_{port}" for port in ports}
    assert cookies[f"mcpapps_{ports[0]}"]["value"] == token_of(first.stage)
    assert cookies[f"mcpapps_{ports[1]}"]["value"] == token_of(second.stage)
    assert all(c["httpOnly"] and c["sameSite"] == "Strict" for c in cookies.values())
    assert await tab.evaluate("document.cookie") == ""
    await first.page.reload()
    await first.step("painted")
    async with httpx.AsyncClient(trust_env=False) as client:
        refused = await client.get(
            f"http://127.0.0.1:{ports[0]}/", headers={"Cookie": cookie_of(second.stage)}
        )
    assert refused.status_code == 403
    await tab.close()


async def test_p2_outer_frame_allows_what_the_inner_one_has_but_never_the_page(
    scene: Open,
) -> None:
    tokens = ["allow-scripts", "allow-popups", "allow-top-navigation"]
    opened = await scene(server(), hosts={"spec": {"sandbox": tokens}})
    await opened.call("forecast")
    outer = opened.page.locator("view-turn iframe")
    given = (await outer.get_attribute("sandbox") or "").split()
    assert given == ["allow-scripts", "allow-same-origin", "allow-popups"]
    inner = opened.page.frame_locator("view-turn iframe").locator("iframe")
    assert await inner.get_attribute("sandbox") == " ".join(tokens)
    await opened.step("painted")


async def test_p5_declared_permissions_are_allowed_on_both_frames(scene: Open) -> None:
    opened = await scene(server(meta={"permissions": {"clipboardWrite": {}, "camera": {}}}))
    await opened.call("forecast")
    await opened.step("painted")
    outer = opened.page.locator("view-turn iframe")
    inner = opened.page.frame_locator("view-turn iframe").locator("iframe")
    # The names of the permissions policy, in the specification's order.
    assert await outer.get_attribute("allow") == "camera; clipboard-write"
    assert await inner.get_attribute("allow") == "camera; clipboard-write"


async def test_p6_answers_of_the_view_are_relayed_too(scene: Open) -> None:
    opened = await scene(server())
    await opened.call("forecast")
    await opened.step("painted")
    opened.stage.ping()

    def messages() -> list[Any]:
        return [event.message for event in opened.all(MessageEvent)]

    await opened.until(lambda: messages()[-1].get("result") == {})
    ping, answer = messages()[-2:]
    assert ping["method"] == "ping"
    assert answer == {"jsonrpc": "2.0", "id": ping["id"], "result": {}}


async def test_p7_proxy_makes_no_request_of_its_own(scene: Open) -> None:
    opened = await scene(server())
    await opened.call("forecast")
    await opened.step("painted")
    requests = [
        event.message["method"]
        for event in opened.all(MessageEvent)
        if "id" in event.message and "method" in event.message
    ]
    assert requests == ["ui/initialize"]


async def test_p4_policy_of_the_view_is_a_header_with_what_it_declares(scene: Open) -> None:
    csp = {"connectDomains": ["https://api.weather.test"], "frameDomains": []}
    opened = await scene(server(meta={"csp": csp}))
    responses: list[str] = []
    opened.page.on(
        "response",
        lambda r: (
            responses.append(r.headers.get("content-security-policy", ""))
            if "localhost" in r.url
            else None
        ),
    )
    await opened.call("forecast")
    await opened.step("painted")
    policy = responses[0]
    for part in (
        "default-src 'none'",
        "connect-src 'self' https://api.weather.test",
        "frame-src 'none'",
        "object-src 'none'",
        "base-uri 'self'",
    ):
        assert part in policy
