"""One turn of the conversation in a real browser: what is told of its View, and its controls."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest
from playwright.async_api import expect

from mcpapps_cli.stage import MessageEvent, NoteEvent, StepEvent
from tests.browser.bridge.reference_view import until
from tests.browser.conftest import Open
from tests.browser.forecast import URI, server
from tests.stage.backend import text_result, tool
from tests.stage.views import view

pytestmark = [pytest.mark.anyio, pytest.mark.browser]


async def test_script_error_is_shown_with_the_line_of_the_document(scene: Open) -> None:
    opened = await scene(server())
    opened.backend.pages[URI] = (
        "<!doctype html><title>x</title>\n<p>text</p>\n<script>\n  missing();\n</script>"
    )
    await opened.call("forecast")
    await expect(opened.page.locator("console-pane")).to_contain_text("missing is not defined")
    note = next(e for e in opened.all(NoteEvent) if "missing" in e.text)
    assert note.level == "error"
    await expect(opened.page.locator("console-pane")).to_contain_text("v1:4")


async def test_column_on_the_line_of_the_probe_is_that_of_the_author(scene: Open) -> None:
    opened = await scene(server())
    page = "<!doctype html><p>x</p><script>boom()</script>"
    opened.backend.pages[URI] = page
    await opened.call("forecast")
    await opened.step("initialize", "broken")
    step = next(e for e in opened.all(StepEvent) if e.state == "broken")
    assert step.cause == "script-error"
    assert (step.detail["line"], step.detail["column"]) == (1, page.index("boom") + 1)


async def test_storage_in_the_opaque_origin_is_told_with_its_line(scene: Open) -> None:
    opened = await scene(server('try { localStorage.setItem("a", "b"); } catch {}'))
    await opened.call("forecast")
    await opened.step("painted")
    html = opened.backend.pages[URI]
    line = html[: html.index("localStorage")].count("\n") + 1
    row = opened.page.locator("console-pane li", has_text="storage refused: localStorage")
    await expect(row).to_contain_text(f"v1:{line}")


async def test_result_that_meets_no_listener_is_a_broken_rung(scene: Open) -> None:
    opened = await scene(server())
    opened.backend.pages[URI] = """<!doctype html><p>text</p><script>
      addEventListener("message", () => {
        parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/initialized" }, "*");
      }, { once: true });
      parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/initialize", params: {
        appInfo: { name: "v", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26",
      } }, "*");
    </script>"""
    await opened.call("forecast")
    await opened.step("input", "broken")
    await expect(opened.page.locator("view-turn .notice.bad")).to_contain_text("Broken at input.")


async def test_answer_without_cors_permission_is_told_apart_from_a_dead_server(scene: Open) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as other:
        origin = f"http://127.0.0.1:{other.sockets[0].getsockname()[1]}"
        script = f'fetch("{origin}/v1").catch(() => {{}});'
        opened = await scene(server(script, meta={"csp": {"connectDomains": [origin]}}))
        await opened.call("forecast")
        await expect(opened.page.locator("console-pane")).to_contain_text("request failed")
    sent = [json.loads(text) for text in opened.sent]
    (report,) = [message for message in sent if message.get("kind") == "network"]
    assert (report["detail"]["url"], report["detail"]["cors"]) == (f"{origin}/v1", True)


async def test_without_the_probe_the_document_is_byte_for_byte_and_painted_is_unknown(
    scene: Open,
) -> None:
    opened = await scene(server(), probe=False)
    await opened.call("forecast")
    await opened.step("painted", "unknown")
    inner = next(f for f in opened.page.frames if f.url == "about:srcdoc")
    outer = opened.page.frame_locator("view-turn iframe").locator("iframe")
    assert await outer.get_attribute("srcdoc") == opened.backend.pages[URI]
    assert await inner.evaluate("document.compatMode") == "CSS1Compat"


async def test_probe_leaves_mode_tree_and_language_of_the_document(scene: Open) -> None:
    opened = await scene(server())
    await opened.call("forecast")
    await opened.step("painted")
    inner = next(f for f in opened.page.frames if f.url == "about:srcdoc")
    assert await inner.evaluate("document.compatMode") == "CSS1Compat"
    assert await inner.evaluate("document.documentElement.lang") == "en"
    assert await inner.evaluate("document.head.firstElementChild.localName") == "meta"


async def test_relative_url_of_a_view_is_told(scene: Open) -> None:
    opened = await scene(server(body='<p id="out"></p><img src="img/logo.png" alt="">'))
    await opened.call("forecast")
    await expect(opened.page.locator("console-pane")).to_contain_text('asked for "img/logo.png"')


async def test_remount_shows_the_new_document_with_the_old_result(scene: Open) -> None:
    backend = server()
    opened = await scene(backend)
    await opened.call("forecast", city="Oslo")
    await opened.step("painted")
    backend.pages[URI] = view(body='<h1>Second</h1><p id="out">waiting</p>')
    await opened.stage.remount()
    await expect(opened.view().locator("h1")).to_have_text("Second")
    await expect(opened.view().locator("#out")).to_have_text("sunny")
    await opened.step("painted")
    assert [method for method, _ in backend.requests] == ["tools/call"]


async def test_h32_h33_buttons_cancel_tear_down_reload_and_close(scene: Open) -> None:
    async def never(params: Any) -> Any:
        await asyncio.Event().wait()

    backend = server('on["ui/resource-teardown"] = () => { window.torn = true; };')
    backend.results["forecast"] = never
    opened = await scene(backend)
    await opened.call("forecast")
    await opened.step("input")
    turn = opened.page.locator("view-turn")
    await turn.get_by_role("button", name="Cancel").click()
    await expect(turn.get_by_role("button", name="Cancel")).to_be_disabled()
    await turn.get_by_role("button", name="Teardown").click()
    await expect(turn).to_contain_text("Unmounted")
    await expect(turn.locator("iframe")).to_have_count(0)
    await turn.get_by_role("button", name="Reload", exact=True).click()
    await expect(turn.locator("iframe")).to_have_count(1)
    await turn.get_by_role("button", name="Close").click()
    await expect(turn).to_have_count(0)
    methods = [e.message.get("method") for e in opened.all(MessageEvent)]
    assert "ui/notifications/tool-cancelled" in methods
    assert "ui/resource-teardown" in methods


async def test_h34_theme_reaches_page_and_view(scene: Open) -> None:
    changed = (
        'on["ui/notifications/host-context-changed"] = (p) => '
        "{ if (p.theme) document.body.dataset.theme = p.theme; };"
    )
    opened = await scene(server(changed))
    await opened.call("forecast")
    await opened.step("painted")
    await opened.page.get_by_role("button", name="dark").click()
    await expect(opened.page.locator("html")).to_have_attribute("data-theme", "dark")
    await expect(opened.view().locator("body")).to_have_attribute("data-theme", "dark")
    assert "theme=dark" in opened.page.url


async def test_h26_link_is_opened_only_after_the_user_agrees(scene: Open) -> None:
    link = """
      on["ui/notifications/tool-input"] = () => request("ui/open-link", { url: "https://a.test/" })
        .then(() => "opened", () => "refused").then((text) => { document.title = text; });
    """
    opened = await scene(server(link))
    await opened.call("forecast")
    await opened.page.locator("view-turn").get_by_role("button", name="Decline").click()
    inner = next(f for f in opened.page.frames if f.url == "about:srcdoc")
    await until(inner, "document.title === 'refused'")
    assert len(opened.page.context.pages) == 1


async def test_tools_carry_marks_and_the_form_follows_the_schema(scene: Open) -> None:
    backend = server()
    backend.tools[0]["inputSchema"] = {
        "type": "object",
        "required": ["city"],
        "properties": {
            "city": {"type": "string"},
            "days": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 7},
            "units": {"$ref": "#/$defs/Units"},
            "hourly": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "$defs": {"Units": {"enum": ["metric", "imperial"], "type": "string"}},
    }
    opened = await scene(backend)
    page = opened.page
    await page.goto(opened.stage.url)
    rows = page.get_by_role("list", name="Tools").get_by_role("listitem")
    await expect(rows).to_have_text(
        [
            re.compile(r"^forecast\s*View$"),
            re.compile(r"^save\s*app only$"),
            re.compile(r"^search\s*model only$"),
        ]
    )
    await page.get_by_label("city").fill("Oslo")
    await page.get_by_label("units").select_option("imperial")
    await page.get_by_label("hourly").check()
    await page.get_by_role("button", name="Add to tags").click()
    await page.get_by_role("textbox", name="tags 1").fill("a")
    await page.get_by_label("days").fill("seven")
    await page.get_by_role("button", name="Call").click()
    await expect(page.get_by_label("days")).to_have_attribute("aria-invalid", "true")
    await page.get_by_label("days").fill("7")
    await page.get_by_role("button", name="Call").click()
    await opened.step("painted")
    expected = {"city": "Oslo", "days": 7, "units": "imperial", "hourly": True, "tags": ["a"]}
    assert backend.requests == [("tools/call", {"name": "forecast", "arguments": expected})]
    await page.get_by_role("button", name="JSON").click()
    assert json.loads(await page.get_by_label("JSON").input_value()) == expected


async def test_tool_without_a_view_shows_its_answer_and_what_the_model_sees(scene: Open) -> None:
    opened = await scene(server())
    await opened.call("save")
    await expect(opened.page.locator("view-turn .answer")).to_contain_text("saved")
    await opened.page.get_by_role("tab", name="Model sees").click()
    await expect(opened.page.get_by_role("list", name="What the model sees")).to_contain_text(
        "saved"
    )


async def test_build_error_lies_over_the_views_until_escape(scene: Open) -> None:
    opened = await scene(server())
    await opened.call("forecast")
    await opened.step("painted")
    source = '  <script src="./chrat.js"></script>'
    position = {"path": "views/a.html", "line": 14, "column": 16, "length": 10, "source": source}
    await opened.stage.show_error(
        {"message": '"./chrat.js" does not exist', "help": "look", "position": position}
    )
    overlay = opened.page.locator("build-overlay")
    await expect(overlay).to_contain_text("views/a.html:14:16")
    assert await overlay.locator("pre").inner_text() == (
        f"14 | {source}\n   |                ^^^^^^^^^^"
    )
    log = await opened.page.locator("side-panel").bounding_box()
    over = await overlay.bounding_box()
    assert log is not None
    assert over is not None
    assert over["x"] + over["width"] <= log["x"]
    await opened.page.keyboard.press("Escape")
    await expect(overlay).to_be_hidden()


async def test_markup_of_the_server_is_shown_as_text(scene: Open) -> None:
    backend = server()
    name = "<img src=x onerror=alert(1)>"
    backend.tools.append(tool(name))
    backend.results[name] = text_result("<script>alert(2)</script>")
    opened = await scene(backend)
    await opened.call(name)
    await expect(opened.page.locator("tool-list")).to_contain_text(name)
    await expect(opened.page.locator(".answer")).to_contain_text("<script>alert(2)</script>")
    assert await opened.page.locator("img").count() == 0


async def test_h37_p3_p6_messages_are_logged_in_order_and_filtered(scene: Open) -> None:
    opened = await scene(server())
    await opened.call("forecast")
    await opened.step("painted")
    labels = opened.page.locator("message-log .label")
    await expect(labels).to_have_text(
        [
            "ui/notifications/sandbox-proxy-ready",
            "ui/notifications/sandbox-resource-ready",
            "ui/initialize",
            "result",
            "ui/notifications/initialized",
            "ui/notifications/tool-input",
            "ui/notifications/tool-result",
        ]
    )
    await opened.page.keyboard.press("/")
    await opened.page.keyboard.type("tool-")
    # The document that was handed over names both, too: what a message holds is searched as well.
    await expect(labels).to_have_count(3)
    await opened.page.get_by_label("Filter messages").fill('"arguments":{}')
    await expect(labels).to_have_text(["ui/notifications/tool-input"])
