"""Our bridge in a frame of the reference SDK's host, in Chromium: every message, both ways."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.bridge.conftest import ORIGIN, Host, view_page
from tests.browser.bridge.reference_view import PACKAGES, reference_view

pytestmark = [pytest.mark.anyio, pytest.mark.browser, pytest.mark.node]

ALL = {
    "openLinks": {},
    "serverTools": {"listChanged": True},
    "serverResources": {"listChanged": True},
    "logging": {},
    "downloadFile": {},
    "updateModelContext": {"text": {}},
    "message": {"text": {}},
    "sampling": {"tools": {}},
}
TOOL = {"name": "forecast", "inputSchema": {"type": "object"}}
CONTEXT = {
    "theme": "dark",
    "displayMode": "inline",
    "availableDisplayModes": ["inline", "fullscreen"],
    "toolInfo": {"id": "call-7", "tool": TOOL},
}
OPTIONS = {"capabilities": ALL, "context": CONTEXT}
SCRIPT = """
  window.told = [];
  view.registerTool("move", { description: "Move a piece" },
    ({ to }) => ({ structuredContent: { to } }));
  view.on("notifications/tools/list_changed", () => told.push("tools changed"));
  view.run(({ defer }) => defer(() => told.push("finalized")));
"""


async def mount(host: Host, script: str = SCRIPT, options: Any = OPTIONS) -> Any:
    await host.page.goto(f"{ORIGIN}/reference")
    await host.page.wait_for_function("'mount' in window")
    await host.run(
        "async ([html, options]) => { await mount(html, options); await open; }",
        [view_page(script, body="<p style='height:200px;margin:0'>"), options],
    )
    return host.view


def heard(all_heard: list[Any], name: str) -> list[Any]:
    return [params for kind, params in all_heard if kind == name]


async def test_the_handshake_is_accepted_and_its_answer_understood(host: Host) -> None:
    view = await mount(host)
    assert await host.run("bridge.getAppVersion()") == {"name": "v", "version": "1"}
    assert await host.run("bridge.getAppCapabilities()") == {"tools": {"listChanged": True}}
    assert await view.evaluate("view.ready.then(() => view.hostInfo)") == {
        "name": "reference",
        "version": "2.0.4",
    }
    assert await view.evaluate("view.hostCapabilities") == ALL
    assert await view.evaluate("({ ...view.hostContext })") == CONTEXT
    assert await view.evaluate("view.toolInfo.id") == "call-7"
    assert host.errors == []


async def test_input_partials_and_result_arrive(host: Host) -> None:
    view = await mount(host)
    await host.run(
        """async () => {
          await bridge.sendToolInputPartial({ arguments: { city: "O" } });
          await bridge.sendToolInput({ arguments: { city: "Oslo" } });
          await bridge.sendToolResult({
            content: [{ type: "text", text: "12" }], structuredContent: { degrees: 12 } });
        }"""
    )
    partials = """(async () => { const all = [];
      for await (const args of view.toolInputPartial) all.push(args); return all; })()"""
    assert await view.evaluate(partials) == [{"city": "O"}]
    assert await view.evaluate("view.toolInput") == {"city": "Oslo"}
    assert await view.evaluate("view.toolResult") == {
        "content": [{"type": "text", "text": "12"}],
        "structuredContent": {"degrees": 12},
    }


async def test_a_cancellation_arrives(host: Host) -> None:
    view = await mount(host)
    await host.run("bridge.sendToolCancelled({ reason: 'stopped' })")
    reason = (
        "view.toolResult.catch((error) => [error instanceof mcpapps.ToolCancelled, error.reason])"
    )
    assert await view.evaluate(reason) == [True, "stopped"]


async def test_context_changes_arrive_merged(host: Host) -> None:
    view = await mount(host)
    await host.run("context => bridge.setHostContext(context)", {**CONTEXT, "theme": "light"})
    await view.wait_for_function("view.hostContext.theme == 'light'")
    assert await view.evaluate("({ ...view.hostContext })") == {**CONTEXT, "theme": "light"}


async def test_requests_are_answered(host: Host) -> None:
    view = await mount(host)
    answers = await view.evaluate(
        """async () => ({
          call: await view.callTool("clock", { zone: "UTC" }),
          resource: await view.readResource("data://a"),
          resources: await view.listResources(),
          link: await view.openLink("https://a.example/"),
          message: await view.sendMessage("hi"),
          context: await view.updateModelContext({
            content: "3 chosen", structuredContent: { n: 3 } }),
          mode: await view.requestDisplayMode("fullscreen"),
          file: await view.downloadFile({ type: "resource",
            resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "a" } }),
          sample: (await view.createMessage({ maxTokens: 5,
            messages: [{ role: "user", content: { type: "text", text: "?" } }] })).model,
          ping: await view.ping(),
        })"""
    )
    assert answers == {
        "call": {
            "content": [{"type": "text", "text": "called clock"}],
            "structuredContent": {"zone": "UTC"},
        },
        "resource": {"contents": [{"uri": "data://a", "text": "read"}]},
        "resources": {"resources": [{"uri": "data://a", "name": "a"}]},
        "link": {},
        "message": {},
        "context": {},
        "mode": "inline",
        "file": {},
        "sample": "m",
        "ping": {},
    }
    all_heard = await host.run("heard")
    text = {"type": "text", "text": "hi"}
    assert heard(all_heard, "message") == [{"role": "user", "content": [text]}]
    assert heard(all_heard, "display-mode") == [{"mode": "fullscreen"}]
    assert heard(all_heard, "model-context") == [
        {"content": [{"type": "text", "text": "3 chosen"}], "structuredContent": {"n": 3}}
    ]
    assert heard(all_heard, "error") == []


async def test_notifications_are_heard(host: Host) -> None:
    view = await mount(host)
    await view.evaluate(
        """async () => {
          await view.log("warning", { n: 1 }, "chart");
          await view.requestTeardown();
          await view.ping();
        }"""
    )
    await host.page.wait_for_function("heard.some(([name]) => name == 'size')")
    all_heard = await host.run("heard")
    assert heard(all_heard, "log") == [{"level": "warning", "data": {"n": 1}, "logger": "chart"}]
    assert heard(all_heard, "request-teardown") == [{}]
    assert heard(all_heard, "size")[0]["height"] == 200
    assert heard(all_heard, "error") == []


async def test_refusals_are_errors(host: Host) -> None:
    view = await mount(host)
    failures = await view.evaluate(
        """async () => {
          const why = (promise) =>
            promise.catch(({ name, code, message }) => [name, code ?? null, message]);
          return [
            await why(view.callTool("bad")),
            await why(view.openLink("https://evil.example/")),
            await why(view.listTools()),
          ];
        }"""
    )
    assert failures == [
        ["ToolError", None, "bad input"],
        ["HostError", -32000, "ui/open-link failed"],
        ["HostError", -32601, "Method not found"],
    ]


async def test_a_host_without_capabilities_is_asked_nothing(host: Host) -> None:
    view = await mount(host, options={"capabilities": {}, "context": {}})
    names = await view.evaluate(
        """async () => Promise.all([
            view.callTool("x"), view.readResource("a://b"),
            view.openLink("https://a.example"), view.log("info", 1),
          ].map((promise) => promise.catch(({ name }) => name)))"""
    )
    assert names == ["CapabilityError"] * 4
    assert [name for name, _ in await host.run("heard") if name != "size"] == []


async def test_an_abort_reaches_the_hosts_handler(host: Host) -> None:
    view = await mount(host)
    await view.evaluate(
        """() => { window.stop = new AbortController();
          window.slow = view.callTool("slow", {}, { signal: stop.signal })
            .catch(({ message }) => message); }"""
    )
    await host.page.wait_for_function("heard.some(([name]) => name == 'slow')")
    await view.evaluate("stop.abort(new Error('enough'))")
    assert await view.evaluate("slow") == "enough"
    await host.page.wait_for_function("heard.some(([name]) => name == 'slow-cancelled')")


async def test_the_views_tools_are_listed_and_called(host: Host) -> None:
    await mount(host)
    assert await host.run("bridge.listTools({})") == {
        "tools": [
            {"name": "move", "description": "Move a piece", "inputSchema": {"type": "object"}}
        ]
    }
    assert await host.run("bridge.callTool({ name: 'move', arguments: { to: 'e4' } })") == {
        "content": [],
        "structuredContent": {"to": "e4"},
    }
    unknown = "bridge.callTool({ name: 'none' }).catch(({ code }) => code)"
    assert await host.run(unknown) == -32602


async def test_list_changes_of_the_server_arrive(host: Host) -> None:
    view = await mount(host)
    await host.run("bridge.sendToolListChanged()")
    await view.wait_for_function("told.includes('tools changed')")


async def test_teardown_is_answered_after_the_finalizers(host: Host) -> None:
    view = await mount(host)
    await view.evaluate("view.ready")
    assert await host.run("bridge.teardownResource({})") == {}
    assert await view.evaluate("told") == ["finalized"]


@pytest.mark.parametrize("version", PACKAGES)
async def test_the_reference_view_breaks_no_rule_of_the_test_host(host: Host, version: str) -> None:
    """The test host is written from the specification; the reference page must pass it too."""
    script = """
      const app = new App({ name: "theirs", version: "1" }, {}, { autoResize: true });
      app.ontoolinput = async ({ arguments: args }) => {
        await app.callServerTool({ name: "clock", arguments: args });
        await app.sendMessage({ role: "user", content: [{ type: "text", text: "hi" }] });
        await app.openLink({ url: "https://a.example/" });
        await app.sendLog({ level: "info", data: "done" });
      };
      app.onteardown = async () => ({});
      await app.connect();
    """
    page = reference_view(version, script, "<p style='height:90px;margin:0'></p>")
    await host.mount(page, hostContext={"theme": "dark"})
    await host.run(
        """async () => {
          await host.sendToolInput({ zone: "UTC" });
          await host.next("notifications/message");
          await host.sendToolResult({ content: [] });
          await host.ping();
          await host.teardown("done");
          host.close();
        }"""
    )
    methods = await host.run("host.received.map(({ method }) => method ?? 'answer')")
    for method in ("tools/call", "ui/message", "ui/open-link", "ui/notifications/size-changed"):
        assert method in methods
