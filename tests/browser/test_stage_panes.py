"""The panes beside the Views: messages, CSP workbench, what the model sees, keys and address."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from mcpapps_cli.config import read_project
from mcpapps_cli.metadata import resource_meta
from mcpapps_cli.stage import MessageEvent, ViolationEvent
from tests.browser.conftest import Open, Scene
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.views import view

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

URI = "ui://weather/forecast"
ANSWERING = 'parent.postMessage({ jsonrpc: "2.0", id, result: on[method]?.(params) ?? {} }, "*");'


def server(script: str = "", body: str = '<p id="out">waiting</p>', **more: Any) -> MemoryBackend:
    return MemoryBackend(
        tools=[tool("forecast", URI)],
        pages={URI: view(script, body)},
        results={"forecast": text_result("sunny")},
        **more,
    )


async def painted(scene: Open, backend: MemoryBackend, **more: Any) -> Scene:
    opened = await scene(backend, **more)
    await opened.call("forecast")
    await opened.step("painted")
    return opened


async def test_tools_of_a_view_are_listed_called_and_asked_about(scene: Open) -> None:
    backend = server("""
      on["tools/list"] = () => ({ tools: [
        { name: "zoom", description: "Zoom the map", inputSchema: { type: "object" } },
        { name: "look", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
      ] });
      on["tools/call"] = ({ name, arguments: args }) =>
        ({ content: [{ type: "text", text: name + " " + JSON.stringify(args) }] });
    """)
    backend.pages[URI] = re.sub(
        r"on\[method\]\?\.\(params\);\s*parent\.postMessage\(.*?\);",
        lambda found: ANSWERING,
        backend.pages[URI],
        count=1,
    ).replace("appCapabilities: {}", "appCapabilities: { tools: {} }")
    hosts = {"apps": {"app-tools": True, "consent": ["app-tool"]}}
    opened = await painted(scene, backend, profile="apps", hosts=hosts)
    page = opened.page
    await page.get_by_role("tab", name="Model sees").click()
    tools = page.get_by_role("list", name="Tools of the Views")
    await expect(tools.get_by_role("listitem")).to_have_count(2)
    await expect(tools).to_contain_text("Zoom the map")
    seen = page.get_by_role("list", name="What the model sees")
    await tools.get_by_label("Arguments of look").fill('{"at": "Oslo"}')
    await tools.get_by_role("button", name="Call look").click()
    await expect(seen).to_contain_text('look {"at":"Oslo"}')
    await tools.get_by_label("Arguments of zoom").fill("{")
    await tools.get_by_role("button", name="Call zoom").click()
    await expect(tools.get_by_label("Arguments of zoom")).to_have_attribute("aria-invalid", "true")
    await tools.get_by_label("Arguments of zoom").fill("{}")
    card = page.get_by_role("group", name="The host calls a tool of the View")
    for answer, text in (("Decline", "declined"), ("Allow", "zoom {}")):
        await tools.get_by_role("button", name="Call zoom").click()
        await card.get_by_role("button", name=answer).click()
        await expect(seen).to_contain_text(text)


async def test_h28_model_sees_text_and_the_newest_context_and_nothing_else(scene: Open) -> None:
    backend = server("""
      on["ui/notifications/tool-input"] = async () => {
        for (const text of ["first", "second"])
          await request("ui/update-model-context", { content: [{ type: "text", text }] });
      };
    """)
    image = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    backend.results["forecast"] = text_result("sunny", structuredContent={"secret": 1})
    backend.results["forecast"]["content"].append(image)
    opened = await scene(backend)
    await opened.call("forecast")
    seen = opened.page.get_by_role("list", name="What the model sees").get_by_role("listitem")
    await opened.page.get_by_role("tab", name="Model sees").click()
    await expect(seen).to_have_count(2)
    await expect(seen.filter(has_text="result")).to_have_text(
        re.compile(r"^result · v1\s*sunny\n\[image image/png\]$")
    )
    await expect(seen.filter(has_text="context")).to_have_text(
        re.compile(r"^context for later turns · v1\s*second$")
    )
    await expect(opened.page.locator("model-pane")).not_to_contain_text("secret")


async def test_messages_are_searched_copied_exported_and_cleared(
    scene: Open, tmp_path: Path
) -> None:
    opened = await painted(scene, server())
    page = opened.page
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    log, labels = page.locator("message-log"), page.locator("message-log .label")
    await log.get_by_label("Filter messages").fill('"sunny"')
    await expect(labels).to_have_text(["ui/notifications/tool-result"])
    await labels.click()
    await log.get_by_role("button", name="copy").click()
    await expect(log.get_by_role("button", name="copied")).to_be_visible()
    copied = json.loads(await page.evaluate("navigator.clipboard.readText()"))
    assert copied == {
        "jsonrpc": "2.0",
        "method": "ui/notifications/tool-result",
        "params": text_result("sunny"),
    }
    await log.get_by_label("Filter messages").fill("no such words")
    await expect(labels).to_have_count(0)
    await expect(log).to_contain_text("No message holds these words.")
    await page.keyboard.press("Escape")
    await expect(labels).to_have_count(7)
    async with page.expect_download() as saving:
        await log.get_by_role("button", name="Export").click()
    await (await saving.value).save_as(tmp_path / "messages.jsonl")
    lines = (tmp_path / "messages.jsonl").read_text(encoding="utf-8").splitlines()
    exported = [json.loads(line)["message"] for line in lines]
    assert exported == [event.message for event in opened.all(MessageEvent)]
    await log.get_by_role("button", name="Clear").click()
    await expect(labels).to_have_count(0)
    await expect(log).to_contain_text("No message yet.")


async def test_declaration_pasted_into_the_project_file_lets_the_connection_through(
    scene: Open, tmp_path: Path
) -> None:
    origin = "http://127.0.0.1:9"
    backend = server(f'fetch("{origin}/v1").catch(() => {{}});')
    backend.meta = {"csp": {"connectDomains": ["https://kept.test"], "resourceDomains": []}}
    opened = await painted(scene, backend)
    page = opened.page
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.get_by_role("tab", name="CSP").click()
    await expect(page.locator("csp-pane")).to_contain_text("connectDomains: https://kept.test")
    row = page.get_by_role("list", name="Blocked by the policy").get_by_role("listitem")
    await row.get_by_role("button", name="copy", exact=True).click()
    await expect(row.get_by_role("button", name="copied")).to_be_visible()
    line = await page.evaluate("navigator.clipboard.readText()")
    await row.get_by_role("button", name="copy as JSON").click()
    await expect(row.get_by_role("button", name="copied")).to_have_count(2)
    member = json.loads(f"{{{await page.evaluate('navigator.clipboard.readText()')}}}")
    entry = f'[tool.mcpapps.views.forecast]\nentry = "a.html"\nuri = "{URI}"\n{line}\n'
    (tmp_path / "pyproject.toml").write_text(entry)
    (project_view,) = read_project(tmp_path).views
    assert project_view.csp is not None
    assert project_view.csp.connect == ("https://kept.test", origin)
    assert member["csp"]["connectDomains"] == ["https://kept.test", origin]
    backend.meta = dict(resource_meta(csp=project_view.csp))
    before = len(opened.all(ViolationEvent))
    assert before == 1
    await opened.stage.remount()
    await expect(page.locator("console-pane")).to_contain_text(f"{origin}/v1")
    await expect(row).to_have_count(0)
    await expect(page.locator("csp-pane")).to_contain_text(
        f"connect-src 'self' https://kept.test {origin}"
    )
    assert len(opened.all(ViolationEvent)) == before


async def test_every_key_of_the_help_does_what_it_says(scene: Open) -> None:
    opened = await painted(scene, server())
    page = opened.page

    def hellos() -> int:
        posted = [event.message.get("method") for event in opened.all(MessageEvent)]
        return posted.count("ui/initialize")

    await page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    await expect(dialog.get_by_role("term")).to_have_text(["r", "c", "t", "/", "Esc", "?"])
    await page.keyboard.press("c")
    await page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await expect(page.locator("view-turn")).to_have_count(1)
    await page.keyboard.press("r")
    await opened.until(lambda: hellos() == 2)
    await page.keyboard.press("c")
    await expect(page.locator("view-turn")).to_have_count(2)
    await page.keyboard.press("t")
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    await page.keyboard.press("/")
    search = page.get_by_label("Filter messages")
    await expect(search).to_be_focused()
    await page.keyboard.type("crt?")
    await expect(search).to_have_value("crt?")
    await expect(page.locator("view-turn")).to_have_count(2)
    await opened.stage.show_error({"message": "wrong"})
    await page.locator("host-bar h1").click()
    await page.keyboard.press("Escape")
    await expect(page.locator("build-overlay")).to_be_hidden()


async def test_what_is_chosen_in_the_page_is_in_its_address_and_comes_back(scene: Open) -> None:
    opened = await scene(server())
    page = opened.page
    await page.goto(opened.stage.url)
    await page.get_by_label("city").fill("Oslo")
    await page.get_by_role("button", name="Call", exact=True).click()
    await opened.step("painted")
    await page.get_by_role("combobox", name="Host").select_option("chatgpt")
    await page.get_by_role("combobox", name="Width").select_option("480")
    await page.get_by_role("group", name="Theme").get_by_role("button", name="light").click()
    await page.get_by_role("tab", name="Host").click()
    pane = page.locator("host-pane")
    await pane.get_by_label("meta-dropped").check()
    await expect(pane.get_by_label("meta-dropped")).to_be_checked()
    await pane.get_by_label("Origin of Views").select_option("opaque")
    await expect(pane.get_by_label("Origin of Views")).to_have_value("opaque")
    chosen = {
        **{"Locale": "nb-NO", "Time zone": "Europe/Oslo", "Largest height": "700"},
        **{"Safe area": "1,2,3,4", "Style variables": '{"--font-sans": "Inter"}'},
    }
    for label, text in chosen.items():
        await pane.get_by_label(label).fill(text)
        await pane.get_by_label(label).blur()
    for label, value in {"Touch": "1", "Hover": "0", "Platform": "mobile"}.items():
        await pane.get_by_label(label).select_option(value)
    address = page.url
    query = urlsplit(address).query
    for part in (
        *("tool=forecast", "args=%7B%22city%22%3A%22Oslo%22%7D", "profile=chatgpt", "width=480"),
        *("quirk=meta-dropped", "origin=opaque", "theme=light"),
        *("locale=nb-NO", "tz=Europe%2FOslo", "platform=mobile", "touch=1", "hover=0"),
        *("inset=1%2C2%2C3%2C4", "height=700", "styles=%7B%22--font-sans%22%3A%22Inter%22%7D"),
    ):
        assert part in query
    await page.reload()
    await opened.step("painted")
    assert page.url == address
    await page.get_by_role("tab", name="Host").click()
    for label, text in chosen.items():
        field = pane.get_by_label(label)
        shown = await field.input_value()
        assert shown == text or json.loads(shown) == json.loads(text)
    await expect(pane.get_by_label("meta-dropped")).to_be_checked()
    await expect(page.get_by_role("combobox", name="Width")).to_have_value("480")


async def test_h30_partial_input_is_healed_at_every_character(scene: Open) -> None:
    opened = await scene(server())
    page = opened.page
    await page.goto(opened.stage.url)
    await page.get_by_label("city").fill('a"b')
    slider = page.get_by_label("Partial input")
    text = '{"city":"a\\"b"}'
    await expect(page.locator("partial-input")).to_contain_text(f"15 of {len(text)} characters")
    await slider.fill("1")
    await opened.step("initialized")
    for at in range(2, len(text) + 1):
        await slider.fill(str(at))

    def told() -> list[dict[str, Any]]:
        partial = "ui/notifications/tool-input-partial"
        told = [e.message for e in opened.all(MessageEvent) if e.message.get("method") == partial]
        return [message["params"]["arguments"] for message in told]

    await opened.until(lambda: {"city": 'a"b'} in told())
    heard = [*dict.fromkeys(json.dumps(arguments) for arguments in told())]
    steps: list[dict[str, str]] = [{}, {"city": ""}, {"city": "a"}, {"city": 'a"'}]
    every = [json.dumps(step) for step in [*steps, {"city": 'a"b'}]]
    assert heard == every
