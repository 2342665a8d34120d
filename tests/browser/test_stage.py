"""The stage in a real browser, with Views written by hand from the specification."""

from __future__ import annotations

import json

import pytest
from playwright.async_api import expect

from mcpapps_cli.stage import MessageEvent, NoteEvent, StepEvent, ViolationEvent
from tests.browser.conftest import Open
from tests.browser.forecast import LADDER, URI, server

pytestmark = [pytest.mark.anyio, pytest.mark.browser]


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
    proxy = frame.parent_frame
    assert proxy is not None
    assert await proxy.evaluate("origin") != await opened.page.evaluate("origin")
    # What the browser makes of that: neither can reach into the other.
    assert await outer.evaluate("frame => frame.contentDocument") is None


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
