"""The stage in a real browser, with Views written by hand from the specification."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest
from playwright.async_api import expect

from mcpapps_cli.stage import MessageEvent, NoteEvent, StepEvent, ViolationEvent
from tests.browser.bridge.reference_view import until
from tests.browser.conftest import Open
from tests.stage.backend import MemoryBackend, text_result, tool
from tests.stage.views import view

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

URI = "ui://weather/forecast"
LADDER = [
    *("server", "tool", "resource", "mime", "html", "frame"),
    *("initialize", "initialized", "input", "result", "painted"),
]


def server(script: str = "", body: str = '<p id="out">waiting</p>', **more: Any) -> MemoryBackend:
    return MemoryBackend(
        tools=[
            tool("forecast", URI),
            {"name": "save", "_meta": {"ui": {"visibility": ["app"]}}},
            {"name": "search", "_meta": {"ui": {"visibility": ["model"]}}},
        ],
        pages={URI: view(script, body)},
        results={"forecast": text_result("sunny"), "save": text_result("saved")},
        **more,
    )


async def test_h29_h31_view_climbs_the_whole_ladder_and_shows_its_result(scene: Open) -> None:
    opened = await scene(server())
    await opened.call("forecast", city="Oslo")
    await opened.step("painted")
    await expect(opened.view().locator("#out")).to_have_text("sunny")
    steps = [(event.step, event.state) for event in opened.all(StepEvent)]
    assert steps == [(step, "ok") for step in LADDER]


async def test_token_leaves_the_address_and_the_rest_stays(scene: Open) -> None:
    opened = await scene(server())
    await opened.call("forecast", city="Oslo")
    await opened.step("painted")
    assert await opened.page.evaluate("location.search") == (
        "?tool=forecast&args=%7B%22city%22%3A%22Oslo%22%7D"
    )
    await opened.page.reload()
    await opened.step("painted")


async def test_h39_undeclared_fetch_is_blocked_and_shown_with_directive_url_line_and_remedy(
    scene: Open,
) -> None:
    opened = await scene(server('fetch("https://api.weather.test/v1").catch(() => {});'))
    await opened.call("forecast")
    notice = opened.page.locator("view-turn .notice")
    await expect(notice).to_contain_text("api.weather.test")
    await expect(notice).to_contain_text('connectDomains = ["https://api.weather.test"]')
    await opened.page.get_by_role("tab", name="CSP").click()
    row = opened.page.get_by_role("list", name="Blocked by the policy").get_by_role("listitem")
    await expect(row).to_contain_text("connect-src")
    await expect(row).to_contain_text("https://api.weather.test/v1")
    html = opened.backend.pages[URI]
    line = html[: html.index("https://api")].count("\n") + 1
    await expect(row).to_contain_text(f"line {line}")
    (violation,) = opened.all(ViolationEvent)
    assert (violation.directive, violation.blocked, violation.line) == (
        "connect-src",
        "https://api.weather.test/v1",
        line,
    )


async def test_h39_undeclared_image_is_blocked_and_shown(
    scene: Open,
) -> None:
    image = '<p id="out"></p><img src="https://img.weather.test/a.png" alt="">'
    opened = await scene(server(body=image))
    await opened.call("forecast")
    await opened.page.get_by_role("tab", name="CSP").click()
    row = opened.page.get_by_role("list", name="Blocked by the policy").get_by_role("listitem")
    await expect(row).to_contain_text("img-src")
    await expect(row).to_contain_text("https://img.weather.test/a.png")


async def test_h39_declared_origin_is_refused_by_cors_or_network_only(
    scene: Open,
) -> None:
    origin = "http://127.0.0.1:9"
    opened = await scene(
        server(
            f'fetch("{origin}/v1").catch(() => {{ document.title = "failed"; }});',
            meta={"csp": {"connectDomains": [origin]}},
        )
    )
    await opened.call("forecast")
    await opened.step("painted")
    await expect(opened.page.locator("console-pane")).to_contain_text(f"{origin}/v1")
    assert opened.all(ViolationEvent) == []


async def test_view_stays_hidden_but_laid_out_until_it_is_initialized(scene: Open) -> None:
    opened = await scene(server("const go = connect; connect = () => { window.go = go; };"))
    await opened.call("forecast")
    await opened.step("frame")
    frame = opened.page.locator("view-turn iframe")
    await expect(frame).to_have_css("visibility", "hidden")
    box = await frame.bounding_box()
    assert box is not None
    assert box["height"] == 150
    inner = next(f for f in opened.page.frames if f.url == "about:srcdoc")
    await inner.evaluate("window.go()")
    await expect(frame).to_have_css("visibility", "visible")


async def test_h20_frame_follows_the_size_that_the_view_reports(scene: Open) -> None:
    size = """on["ui/notifications/tool-input"] = () =>
      notify("ui/notifications/size-changed", { width: 345, height: 321 });"""
    both = {"maxWidth": 600, "maxHeight": 900}
    hosts = {"spec": {"context": {"containerDimensions": both}}}
    opened = await scene(server(size), hosts=hosts)
    await opened.call("forecast")
    frame = opened.page.locator("view-turn iframe")
    await expect(frame).to_have_css("height", "321px")
    await expect(frame).to_have_css("min-width", "min(345px, 100%)")


async def test_h36_p1_p2_inner_frame_is_opaque_and_the_outer_one_cannot_take_the_page_away(
    scene: Open,
) -> None:
    opened = await scene(server())
    await opened.call("forecast")
    outer = opened.page.locator("view-turn iframe")
    assert await outer.get_attribute("sandbox") == "allow-scripts allow-same-origin"
    inner = opened.page.frame_locator("view-turn iframe").locator("iframe")
    assert await inner.get_attribute("sandbox") == "allow-scripts"
    await opened.step("painted")
    frame = next(f for f in opened.page.frames if f.url == "about:srcdoc")
    assert await frame.evaluate("origin") == "null"


async def test_h36_view_cannot_navigate_the_page_or_read_it(scene: Open) -> None:
    opened = await scene(
        server(
            """
            const said = [];
            for (const attack of [
              () => { top.location = "https://evil.test/"; },
              () => { parent.location = "https://evil.test/"; },
              () => top.document.title,
              () => parent.document.title,
              () => open("https://evil.test/") || said.push("no popup"),
            ]) try { attack(); } catch (error) { said.push(error.name); }
            on["ui/notifications/tool-input"] = () => console.log("attacks: " + said.join());
            """
        )
    )
    await opened.call("forecast")
    await opened.step("painted")
    assert opened.page.url.startswith("http://127.0.0.1:")
    log = opened.page.locator("console-pane")
    await expect(log).to_contain_text(
        "attacks: SecurityError,SecurityError,SecurityError,SecurityError,no popup"
    )


async def test_h37_p6_messages_past_the_proxy_or_in_its_name_are_ignored(
    scene: Open,
) -> None:
    opened = await scene(
        server(
            """
            const params = { name: "save" };
            const forged = { jsonrpc: "2.0", id: 77, method: "tools/call", params };
            top.postMessage(forged, "*");
            top.postMessage({ channel: "guess", kind: "painted", detail: {} }, "*");
            notify("ui/notifications/sandbox-resource-ready", { html: "<p>forged" });
            notify("ui/notifications/sandbox-anything", {});
            """
        )
    )
    await opened.call("forecast")
    await opened.step("painted")
    posted = [e.message for e in opened.all(MessageEvent) if e.direction == "view-to-host"]
    assert [message.get("method") for message in posted if "id" not in message] == [
        "ui/notifications/sandbox-proxy-ready",
        "ui/notifications/initialized",
    ]
    assert opened.backend.requests == [("tools/call", {"name": "forecast", "arguments": {}})]


async def test_report_in_the_name_of_the_probe_is_an_ordinary_message(scene: Open) -> None:
    forged = {"channel": "guess", "kind": "console", "detail": {"level": "error", "text": "forged"}}
    opened = await scene(server(f'parent.postMessage({json.dumps(forged)}, "*");'))
    await opened.call("forecast")
    await opened.step("painted")
    assert forged in [event.message for event in opened.all(MessageEvent)]
    assert not any(event.text == "forged" for event in opened.all(NoteEvent))


async def test_two_views_of_one_resource_are_told_apart(scene: Open) -> None:
    opened = await scene(server())
    await opened.call("forecast")
    await opened.step("painted")
    await opened.page.locator("call-form button.main").click()
    await expect(opened.page.locator("[data-step=painted][data-state=ok]")).to_have_count(2)
    hellos = [
        e.view for e in opened.all(MessageEvent) if e.message.get("method") == "ui/initialize"
    ]
    assert hellos == ["v1", "v2"]


async def test_h40_flood_of_messages_is_cut_and_page_and_other_views_live_on(scene: Open) -> None:
    opened = await scene(
        server(
            """
            on["ui/notifications/tool-input"] = () => {
              for (let n = 0; n < 10000; n += 1) notify("x/flood", { n });
              parent.postMessage("x".repeat(5e6), "*");
              parent.postMessage(null, "*");
              parent.postMessage({ jsonrpc: "2.0", id: {}, method: 5 }, "*");
              parent.postMessage(new Map([[1, 10n]]), "*");
            };
            """
        )
    )
    await opened.call("forecast")
    await expect(opened.page.locator("console-pane")).to_contain_text(
        "messages of the View were dropped"
    )
    assert len(opened.all(MessageEvent)) < 5000
    await opened.page.locator("call-form button.main").click()
    await expect(opened.page.locator("view-turn")).to_have_count(2)
    await expect(opened.page.locator("[data-step=result][data-state=ok]")).to_have_count(2)


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
