"""What a View or a server asks the user in the page: agreed to, refused, filled in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, Route, expect

from mcpapps_cli.stage import MessageEvent
from tests.browser.conftest import Open, Scene
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.views import view

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

URI = "ui://weather/forecast"
ASKING = {
    "asking": {
        "capabilities": {
            **{"openLinks": {}, "message": {"text": {}}, "downloadFile": {}, "sampling": {}},
            "updateModelContext": {"text": {}},
        },
        "consent": ["link", "message", "download", "sampling"],
    }
}
# The answers of a View's requests, in the order of the buttons.
ASKS = """
  for (const button of document.querySelectorAll("button"))
    button.onclick = async () => {
      const { method, params } = JSON.parse(button.value);
      const answer = await request(method, params).catch((error) => ({ error: error.code }));
      document.getElementById("out").textContent = JSON.stringify(answer);
    };
"""


def server(*asks: tuple[str, str, dict[str, Any]]) -> MemoryBackend:
    """Return a server whose View has a button for each request."""
    buttons = "".join(
        f"<button value='{json.dumps({'method': method, 'params': params})}'>{label}</button>"
        for label, method, params in asks
    )
    return MemoryBackend(
        tools=[tool("forecast", URI)],
        pages={URI: view(ASKS, f'{buttons}<p id="out">waiting</p>')},
        results={"forecast": text_result("sunny")},
    )


async def asked(scene: Open, *asks: tuple[str, str, dict[str, Any]]) -> Scene:
    opened = await scene(server(*asks), profile="asking", hosts=ASKING)
    await opened.call("forecast")
    await opened.step("painted")
    return opened


async def press(opened: Scene, label: str, question: str) -> Locator:
    """Press a button of the View; return the card that asks the user."""
    await opened.view().get_by_role("button", name=label).click()
    card = opened.page.get_by_role("group", name=question)
    await expect(card).to_be_visible()
    return card


async def test_sampling_is_answered_by_whoever_is_at_the_keyboard_or_declined(scene: Open) -> None:
    params = {
        "messages": [{"role": "user", "content": {"type": "text", "text": "Umbrella?"}}],
        "systemPrompt": "Be brief.",
        "maxTokens": 20,
    }
    opened = await asked(scene, ("Ask", "sampling/createMessage", params))
    card = await press(opened, "Ask", "The View wants an answer of the model.")
    await expect(card.locator("pre").first).to_have_text("system: Be brief.\nuser: Umbrella?")
    await card.get_by_label("Answer of the model").fill("Yes.")
    await card.get_by_role("button", name="Answer").click()
    await expect(card).to_have_count(0)
    out = opened.view().locator("#out")
    await expect(out).to_contain_text('"content":{"type":"text","text":"Yes."}')
    await expect(out).to_contain_text('"role":"assistant"')
    card = await press(opened, "Ask", "The View wants an answer of the model.")
    await card.get_by_role("button", name="Decline").click()
    await expect(out).to_have_text('{"error":-32000}')


async def test_download_is_saved_under_its_name_after_the_user_agrees(
    scene: Open, tmp_path: Path
) -> None:
    resource = {"uri": "file:///notes/rain.csv", "mimeType": "text/csv", "text": "mm\n12\n"}
    contents = [
        {"type": "resource", "resource": resource},
        {"type": "resource_link", "uri": "https://example.test/a.pdf", "name": "a"},
    ]
    opened = await asked(scene, ("Get", "ui/download-file", {"contents": contents}))
    card = await press(opened, "Get", "The View wants to download a file.")
    await expect(card.locator("pre").first).to_have_text(
        "rain.csv · text/csv · 6 B\nhttps://example.test/a.pdf · a link, which is only shown"
    )
    async with opened.page.expect_download() as saving:
        await card.get_by_role("button", name="Download").click()
    file = await saving.value
    assert file.suggested_filename == "rain.csv"
    await file.save_as(tmp_path / "rain.csv")
    assert (tmp_path / "rain.csv").read_text() == "mm\n12\n"
    await expect(opened.view().locator("#out")).to_have_text("{}")
    card = await press(opened, "Get", "The View wants to download a file.")
    await card.get_by_role("button", name="Decline").click()
    await expect(opened.view().locator("#out")).to_have_text('{"error":-32000}')


async def test_h27_message_reaches_the_model_panel_only_when_it_is_allowed(scene: Open) -> None:
    def message(text: str) -> dict[str, Any]:
        return {"role": "user", "content": [{"type": "text", "text": text}]}

    opened = await asked(
        scene, ("Yes", "ui/message", message("take it")), ("No", "ui/message", message("leave it"))
    )
    seen = opened.page.get_by_role("list", name="What the model sees")
    await opened.page.get_by_role("tab", name="Model sees").click()
    question = "The View wants to say something in the conversation."
    card = await press(opened, "No", question)
    await expect(card.locator("pre").first).to_have_text("user: leave it")
    await card.get_by_role("button", name="Decline").click()
    await expect(opened.view().locator("#out")).to_have_text('{"error":-32000}')
    card = await press(opened, "Yes", question)
    await card.get_by_role("button", name="Allow").click()
    await expect(opened.view().locator("#out")).to_have_text("{}")
    await expect(seen).to_contain_text("said by the View · v1take it")
    await expect(seen).not_to_contain_text("leave it")


async def test_h26_link_opens_in_a_tab_of_its_own_without_the_page_as_opener(scene: Open) -> None:
    opened = await asked(scene, ("Go", "ui/open-link", {"url": "https://link.test/a?b=1"}))

    async def answer(route: Route) -> None:
        await route.fulfill(content_type="text/html", body="<title>there</title>")

    context = opened.page.context
    await context.route("https://link.test/**", answer)
    card = await press(opened, "Go", "The View wants to open a link.")
    await expect(card.locator("pre")).to_have_text("https://link.test/a?b=1")
    async with context.expect_page() as opening:
        await card.get_by_role("button", name="Open").click()
    tab = await opening.value
    await expect(tab).to_have_title("there")
    assert await tab.evaluate("[opener, document.referrer]") == [None, ""]
    await expect(opened.view().locator("#out")).to_have_text("{}")


async def test_h26_link_that_no_host_opens_is_refused_without_a_question(scene: Open) -> None:
    opened = await asked(scene, ("Go", "ui/open-link", {"url": "javascript:alert(1)"}))
    await opened.view().get_by_role("button", name="Go").click()
    await expect(opened.view().locator("#out")).to_have_text('{"error":-32000}')
    await expect(opened.page.locator("view-turn .notice.ask")).to_have_count(0)


async def test_elicitation_by_url_shows_why_and_where_and_is_accepted_without_content(
    scene: Open,
) -> None:
    async def asks(params: Any) -> dict[str, Any]:
        answers = params.get("inputResponses")
        if answers is not None:
            return text_result(json.dumps(answers))
        url = {"mode": "url", "message": "Sign in first", "url": "https://login.test/"}
        wanted = {"login": {"method": "elicitation/create", "params": url}}
        return {"resultType": "input_required", "inputRequests": wanted, "requestState": "s"}

    backend = server()
    backend.results["forecast"] = asks
    opened = await scene(backend)
    await opened.page.context.route("https://login.test/**", lambda route: route.fulfill(body="in"))
    await opened.call("forecast")
    card = opened.page.get_by_role("group", name="The server asks for input.")
    await expect(card).to_contain_text("Sign in first")
    await expect(card.locator("pre")).to_have_text("https://login.test/")
    async with opened.page.context.expect_page():
        await card.get_by_role("button", name="Open").click()
    await expect(opened.view().locator("#out")).to_have_text('{"login": {"action": "accept"}}')


async def test_whoever_answers_by_keyboard_comes_to_the_next_question(scene: Open) -> None:
    opened = await asked(
        scene,
        ("One", "ui/open-link", {"url": "https://a.test/"}),
        ("Two", "ui/open-link", {"url": "https://b.test/"}),
    )
    for label in ("One", "Two"):
        await opened.view().get_by_role("button", name=label).click()
    cards = opened.page.locator("view-turn .notice.ask")
    await expect(cards).to_have_count(2)
    await cards.first.get_by_role("button", name="Decline").focus()
    await opened.page.keyboard.press("Enter")
    await expect(cards).to_have_count(1)
    await expect(cards.get_by_role("button", name="Open")).to_be_focused()


async def test_question_in_fullscreen_stays_in_sight(scene: Open) -> None:
    opened = await scene(
        server(("Go", "ui/open-link", {"url": "https://a.test/"})),
        profile="asking",
        hosts={"asking": {**ASKING["asking"], "display-modes": ["inline", "fullscreen"]}},
    )
    await opened.page.goto(f"{opened.stage.url}&tool=forecast&args={{}}&mode=fullscreen")
    await expect(opened.view().locator("#out")).to_have_text("sunny")
    card = await press(opened, "Go", "The View wants to open a link.")
    await card.get_by_role("button", name="Decline").click()
    await expect(opened.view().locator("#out")).to_have_text('{"error":-32000}')
    methods = [event.message.get("method") for event in opened.all(MessageEvent)]
    assert methods.count("ui/open-link") == 1
