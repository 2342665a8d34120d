"""What can be chosen in the page: input, host, quirks, faults, surroundings, servers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from mcpapps_cli.host.record import read_recording
from mcpapps_cli.stage import MessageEvent, PlayedBackend, open_recording
from tests.browser.conftest import Open, Scene
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.views import view

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

URI = "ui://weather/forecast"
TELLING = """
  const told = [];
  const names = ["tool-input-partial", "tool-input", "tool-result", "tool-cancelled"];
  for (const method of [...names, "host-context-changed"])
    on["ui/notifications/" + method] = (params) => {
      told.push(method + " " + JSON.stringify(params.arguments ?? params));
      document.getElementById("out").textContent = told.join("\\n");
    };
"""


def server(script: str = "", name: str = "weather", **more: Any) -> MemoryBackend:
    return MemoryBackend(
        tools=[tool("forecast", URI)],
        pages={URI: view(script)},
        results={"forecast": text_result("sunny")},
        name=name,
        **more,
    )


def host_context(opened: Scene) -> dict[str, Any]:
    """Return the context that the newest View was greeted with."""
    answers = [
        event.message["result"]["hostContext"]
        for event in opened.all(MessageEvent)
        if "hostContext" in event.message.get("result", {})
    ]
    context: dict[str, Any] = answers[-1]
    return context


def sent(opened: Scene, method: str) -> list[dict[str, Any]]:
    return [
        event.message["params"]
        for event in opened.all(MessageEvent)
        if event.message.get("method") == method
    ]


async def test_nested_objects_and_arrays_are_filled_in_as_a_form(scene: Open) -> None:
    backend = server()
    backend.tools[0]["inputSchema"] = {
        "type": "object",
        "properties": {
            "place": {
                "type": "object",
                "required": ["lat"],
                "properties": {"lat": {"type": "number"}, "name": {"type": "string"}},
            },
            "stops": {
                "type": "array",
                "items": {"type": "object", "properties": {"city": {"type": "string"}}},
            },
        },
    }
    opened = await scene(backend)
    page = opened.page
    await page.goto(opened.stage.url)
    await page.get_by_role("textbox", name="lat *").fill("59.9")
    for city in ("Oslo", "Bergen"):
        await page.get_by_role("button", name="Add to stops").click()
        await page.get_by_label("city").last.fill(city)
    await page.get_by_role("button", name="Remove stops 1").click()
    await page.get_by_role("button", name="Call").click()
    await opened.step("painted")
    assert backend.requests[0][1]["arguments"] == {
        "place": {"lat": 59.9},
        "stops": [{"city": "Bergen"}],
    }


async def test_input_is_saved_under_a_name_loaded_and_forgotten(scene: Open) -> None:
    opened = await scene(server())
    page = opened.page
    await page.goto(opened.stage.url)
    await page.get_by_label("city").fill("Oslo")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_label("Name of the saved input").fill("north")
    await page.keyboard.press("Enter")
    await page.reload()
    await expect(page.get_by_label("city")).to_have_value("")
    await page.get_by_role("button", name="north", exact=True).click()
    await expect(page.get_by_label("city")).to_have_value("Oslo")
    await page.get_by_role("button", name="Forget north").click()
    await expect(page.get_by_role("button", name="north", exact=True)).to_have_count(0)


async def test_h30_partial_input_is_cut_anywhere_healed_and_finished(scene: Open) -> None:
    opened = await scene(server(TELLING))
    page = opened.page
    await page.goto(opened.stage.url)
    await page.get_by_label("city").fill("Oslo")
    slider = page.get_by_label("Partial input")
    await expect(page.locator("partial-input")).to_contain_text("15 of 15 characters")
    await slider.fill("11")
    await expect(opened.view().locator("#out")).to_contain_text('tool-input-partial {"city":"Os"}')
    await slider.fill("13")
    await expect(opened.view().locator("#out")).to_contain_text('{"city":"Oslo"}')
    assert opened.backend.requests == []
    await page.get_by_role("button", name="Finish the input").click()
    await expect(opened.view().locator("#out")).to_contain_text("tool-result")
    assert sent(opened, "ui/notifications/tool-input") == [{"arguments": {"city": "Oslo"}}]
    assert [method for method, _ in opened.backend.requests] == ["tools/call"]


async def test_h32_a_call_is_cancelled_while_its_input_is_written(scene: Open) -> None:
    opened = await scene(server(TELLING))
    page = opened.page
    await page.goto(opened.stage.url)
    await page.get_by_label("city").fill("Oslo")
    slider = page.get_by_label("Partial input")
    await slider.fill("11")
    await expect(opened.view().locator("#out")).to_contain_text('tool-input-partial {"city":"Os"}')
    await page.locator("view-turn").get_by_role("button", name="Cancel").click()
    await expect(opened.view().locator("#out")).to_contain_text("tool-cancelled")
    # What is written now is another call's.
    await slider.fill("12")
    await expect(page.locator("view-turn")).to_have_count(2)
    assert opened.backend.requests == []


async def test_profile_quirk_fault_origin_and_surroundings_are_parameters_of_the_address(
    scene: Open,
) -> None:
    opened = await scene(server())
    query = (
        "&tool=forecast&args={}&profile=chatgpt&quirk=structured-content-dropped&origin=own"
        "&fault=message-refused&theme=dark&locale=nb-NO&tz=Europe/Oslo&touch=1&hover=0&inset=10"
        "&height=700&styles=%7B%22--font-sans%22%3A%22Inter%22%7D"
    )
    await opened.page.goto(opened.stage.url + query)
    await opened.step("painted")
    context = host_context(opened)
    assert context["theme"] == "dark"
    assert context["locale"] == "nb-NO"
    assert context["timeZone"] == "Europe/Oslo"
    assert context["deviceCapabilities"] == {"touch": True, "hover": False}
    assert context["safeAreaInsets"] == {"top": 10, "right": 10, "bottom": 10, "left": 10}
    assert context["containerDimensions"]["maxHeight"] == 700
    assert context["styles"]["variables"]["--font-sans"] == "Inter"
    await expect(opened.page.locator("view-turn .chip")).to_have_text("own origin")
    inner = next(frame for frame in opened.page.frames if frame.url == "about:srcdoc")
    assert (await inner.evaluate("origin")).startswith("http://v")
    await opened.page.get_by_role("tab", name="Host").click()
    pane = opened.page.locator("host-pane")
    await expect(pane.get_by_label("structured-content-dropped")).to_be_checked()
    await expect(
        pane.get_by_role("group", name="faults").get_by_label("message-refused")
    ).to_be_checked()
    for part in ("profile=chatgpt", "quirk=structured-content-dropped", "fault=message-refused"):
        assert part in opened.page.url
    await opened.page.reload()
    await opened.step("painted")
    assert host_context(opened) == {**context, "toolInfo": host_context(opened)["toolInfo"]}


async def test_quirk_switched_on_in_the_page_changes_what_the_next_frame_hears(scene: Open) -> None:
    backend = server(TELLING)
    backend.results["forecast"] = text_result("sunny", structuredContent={"sky": "clear"})
    opened = await scene(backend)
    await opened.call("forecast")
    await opened.step("painted")
    await opened.page.get_by_role("button", name="Quirks: none").click()
    await opened.page.get_by_label("structured-content-dropped").check()
    await expect(opened.page.locator("host-bar")).to_contain_text("structured-content-dropped")
    await expect(opened.view().locator("#out")).to_contain_text("tool-result")
    results = sent(opened, "ui/notifications/tool-result")
    assert ["structuredContent" in result for result in results] == [True, False]
    assert [method for method, _ in backend.requests] == ["tools/call"]


async def test_other_profile_mounts_every_view_anew_under_its_own_host_info(scene: Open) -> None:
    opened = await scene(server())
    await opened.call("forecast")
    await opened.step("painted")
    await opened.page.locator("host-bar select").first.select_option("claude")
    await expect(opened.page.locator("host-pane h2").first).to_have_text("Claude")

    def infos() -> list[str]:
        return [
            event.message["result"]["hostInfo"]["name"]
            for event in opened.all(MessageEvent)
            if "hostInfo" in event.message.get("result", {})
        ]

    await opened.until(lambda: len(infos()) == 2)
    assert infos() == ["mcpapps", "Claude"]
    await expect(opened.page.locator("host-pane dl")).to_contain_text("2026-08-19")


async def test_question_of_the_server_is_answered_with_a_form(scene: Open) -> None:
    async def asks(params: Any) -> dict[str, Any]:
        answers = params.get("inputResponses")
        if answers is None:
            schema = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
            form = {"mode": "form", "message": "How many?", "requestedSchema": schema}
            wanted = {"many": {"method": "elicitation/create", "params": form}}
            return {"resultType": "input_required", "inputRequests": wanted, "requestState": "s"}
        assert params["requestState"] == "s"
        return text_result(json.dumps(answers))

    backend = server()
    backend.results["forecast"] = asks
    opened = await scene(backend)
    await opened.call("forecast")
    card = opened.page.get_by_role("group", name="The server asks for input.")
    await expect(card).to_contain_text("How many?")
    await card.get_by_label("n *").fill("many")
    await card.get_by_role("button", name="Submit").click()
    await expect(card.get_by_label("n *")).to_have_attribute("aria-invalid", "true")
    await card.get_by_label("n *").fill("3")
    await card.get_by_role("button", name="Submit").click()
    await expect(opened.view().locator("#out")).to_have_text(
        '{"many": {"action": "accept", "content": {"n": 3}}}'
    )


@pytest.mark.parametrize(("button", "action"), [("Decline", "decline"), ("Cancel", "cancel")])
async def test_question_of_the_server_is_declined_or_cancelled(
    scene: Open, button: str, action: str
) -> None:
    async def asks(params: Any) -> dict[str, Any]:
        answers = params.get("inputResponses")
        if answers is not None:
            return text_result(json.dumps(answers))
        form = {"message": "How many?", "requestedSchema": {"type": "object", "properties": {}}}
        wanted = {"many": {"method": "elicitation/create", "params": form}}
        return {"resultType": "input_required", "inputRequests": wanted, "requestState": "s"}

    backend = server()
    backend.results["forecast"] = asks
    opened = await scene(backend)
    await opened.call("forecast")
    card = opened.page.get_by_role("group", name="The server asks for input.")
    await card.get_by_role("button", name=button).click()
    await expect(opened.view().locator("#out")).to_have_text(
        json.dumps({"many": {"action": action}})
    )


async def test_faults_slow_tool_refused_link_and_failing_read(scene: Open) -> None:
    opened = await scene(server())
    await opened.page.goto(f"{opened.stage.url}&tool=forecast&args={{}}&fault=read-failing")
    await opened.step("resource", "broken")
    await expect(opened.page.locator("view-turn .notice")).to_contain_text("injected")
    await opened.page.goto(f"{opened.stage.url}&tool=forecast&args={{}}&fault=server-gone")
    await opened.step("result", "broken")
    await expect(opened.page.locator("view-turn .notice")).to_contain_text("server ended")
    await opened.page.goto(f"{opened.stage.url}&tool=forecast&args={{}}&fault=error-result")
    await opened.step("painted")
    assert sent(opened, "ui/notifications/tool-result")[-1]["isError"] is True


async def test_k123_equal_names_of_two_servers_are_told_apart_and_views_reach_only_their_own(
    scene: Open,
) -> None:
    calling = """on["ui/notifications/tool-input"] = () =>
      request("tools/call", { name: "only-b" }).catch((e) => console.log("refused " + e.code));"""
    first, second = server(calling, name="a"), server(name="b")
    second.tools.append(tool("only-b"))
    second.results |= {"forecast": text_result("rain"), "only-b": text_result("secret")}
    opened = await scene(first, others=[second])
    page = opened.page
    await page.goto(f"{opened.stage.url}&tool=forecast&args={{}}")
    await opened.step("painted")
    await expect(opened.view().locator("#out")).to_have_text("sunny")
    await expect(page.locator("console-pane")).to_contain_text("refused -32602")
    assert [params["name"] for _, params in second.requests] == []
    await page.get_by_role("list", name="Tools of b").get_by_role("button").first.click()
    await page.get_by_role("button", name="Call", exact=True).click()
    await expect(page.locator("view-turn")).to_have_count(2)
    last = page.locator("view-turn").last.frame_locator("iframe").frame_locator("iframe")
    await expect(last.locator("#out")).to_have_text("rain")
    assert "server=b" in page.url


async def test_session_is_recorded_and_played_without_its_server(
    scene: Open, tmp_path: Path
) -> None:
    file = tmp_path / "session.jsonl"
    calls = """on["ui/notifications/tool-input"] = () => request("tools/call", { name: "save" });"""
    backend = server(calls)
    backend.tools.append({"name": "save", "_meta": {"ui": {"visibility": ["app"]}}})
    backend.results["save"] = text_result("key-of-mine")
    opened = await scene(backend, record=file, secrets=["key-of-mine"])
    await opened.call("forecast", city="Oslo")
    await opened.step("painted")
    text = file.read_text()
    recording = read_recording(text)
    assert (recording.header.tool, recording.header.arguments) == ("forecast", {"city": "Oslo"})
    posted = [frame.message.get("method") for frame in recording.of_view("v1")]
    assert posted[2] == "ui/initialize"
    assert "ui/notifications/tool-result" in posted
    asked = [f.message.get("method") for f in recording.of_server() if f.sender == "host"]
    assert sorted(asked) == ["resources/read", "tools/call", "tools/call"]
    assert "key-of-mine" not in text
    played = await scene(PlayedBackend(open_recording(file)))  # type: ignore[arg-type]
    await played.call("forecast", city="Oslo")
    await played.step("painted")
    await expect(played.view().locator("#out")).to_have_text("sunny")


async def test_display_mode_fullscreen_and_back_reaches_page_and_view(scene: Open) -> None:
    wide = TELLING.replace("appCapabilities: {}", "")
    backend = server(wide)
    backend.pages[URI] = backend.pages[URI].replace(
        "appCapabilities: {}",
        'appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] }',
    )
    opened = await scene(backend, profile="basic-host")
    await opened.call("forecast")
    await opened.step("painted")
    await opened.page.get_by_role("button", name="fullscreen").click()
    turn = opened.page.locator("view-turn")
    await expect(turn).to_have_attribute("mode", "fullscreen")
    await expect(opened.view().locator("#out")).to_contain_text('"displayMode":"fullscreen"')
    await opened.page.keyboard.press("Escape")
    await expect(turn).not_to_have_attribute("mode", "fullscreen")
    await expect(opened.view().locator("#out")).to_contain_text('"displayMode":"inline"')
