"""A page that loses its connection to `dev` for a while, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import WebSocketRoute, expect

from tests.browser.conftest import Open
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.views import view

pytestmark = [pytest.mark.anyio, pytest.mark.browser]
URI = "ui://weather/forecast"


async def test_a_lost_connection_leaves_the_conversation_and_views_go_on(scene: Open) -> None:
    backend = MemoryBackend(
        tools=[tool("forecast", URI), tool("plain")],
        pages={URI: view()},
        results={"forecast": text_result("sunny"), "plain": text_result("done")},
    )
    opened = await scene(backend)
    routes: list[tuple[WebSocketRoute, WebSocketRoute]] = []

    def connect(socket: WebSocketRoute) -> None:
        routes.append((socket, socket.connect_to_server()))

    await opened.page.route_web_socket(lambda url: "/socket" in url, connect)
    await opened.call("forecast", city="Oslo")
    await expect(opened.view().locator("#out")).to_have_text("sunny")
    await opened.page.locator("tool-list button", has_text="plain").click()
    await opened.page.locator("call-form button", has_text="Call").click()
    await expect(opened.page.locator("view-turn .answer")).to_contain_text("done")
    before = await opened.page.locator("view-turn iframe").first.get_attribute("src")
    page_side, server_side = routes[0]
    await server_side.close(code=3001)
    await page_side.close(code=3001)
    # The same turns, in the same order, with another frame.
    await expect(opened.page.locator("status-bar")).to_contain_text("connected · generation 1")
    await expect(opened.page.locator("view-turn iframe").first).not_to_have_attribute(
        "src", str(before)
    )
    await expect(opened.view().locator("#out")).to_have_text("sunny")
    await expect(opened.page.locator("view-turn .bubble")).to_have_text(
        ['forecast(city="Oslo")', "plain()"]
    )
    await expect(opened.page.locator("view-turn .answer")).to_contain_text("done")
    called: list[Any] = [params["name"] for method, params in backend.requests if "call" in method]
    assert called == ["forecast", "plain"]
    assert len(routes) == 2
