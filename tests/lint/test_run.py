"""`--run`: what a View does in a real browser, and the rules that look at it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mcpapps_cli.lint import run_rules
from mcpapps_cli.lint.collect import Wanted, collect
from mcpapps_cli.lint.observed import Observed
from mcpapps_cli.lint.rule import HANDSHAKE, META, page
from mcpapps_cli.model import Inventory, SampleCall, ServerSpec
from mcpapps_cli.wire import MIME_TYPE

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

URI = "ui://app/chart.html"
# Answers from a file, lists its tool only to a client with MCP Apps, and counts its calls.
SERVER = """\
import json, sys
page, meta, mime = json.loads(open("answers.json", encoding="utf-8").read())
uri = "ui://app/chart.html"
tool = {"name": "chart", "title": "Chart", "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True}, "_meta": {"ui": {"resourceUri": uri}}}
listing = {"uri": uri, "name": "chart", "mimeType": mime, "_meta": {"ui": meta}}
for line in sys.stdin:
    ask = json.loads(line)
    if "id" not in ask:
        continue
    answer = {"jsonrpc": "2.0", "id": ask["id"]}
    match ask["method"]:
        case "initialize":
            apps = "extensions" in ask["params"]["capabilities"]
            answer["result"] = {
                "protocolVersion": "2025-11-25", "serverInfo": {"name": "chart", "version": "1"},
                "capabilities": {"tools": {}, "resources": {},
                                 "extensions": {"io.modelcontextprotocol/ui": {}}}}
        case "tools/list":
            answer["result"] = {"tools": [tool] if apps else []}
        case "resources/list":
            answer["result"] = {"resources": [listing]}
        case "resources/read":
            answer["result"] = {"contents": [{**listing, "text": page}]}
        case "tools/call":
            open("called", "a").write("x")
            answer["result"] = {"content": [{"type": "text", "text": "Oslo"}]}
        case _:
            answer["error"] = {"code": -32601, "message": "Method not found"}
    print(json.dumps(answer), flush=True)
"""
FAULTY = (
    HANDSHAKE.replace("height: 120", "height: 900")
    + """
    send({ id: 7, method: "ui/open-page", params: {} });
    addEventListener("message", () => {
      fetch(["https:/", "api.example.com", "v1"].join("/")).catch(() => {});
      try { window["local" + "Storage"].getItem("a"); } catch {}
      missing.call();
    }, { once: true });
"""
)


async def collected(
    folder: Path, script: str, *calls: SampleCall, meta: object = META
) -> tuple[Inventory, Observed]:
    answers = [page(script=script).html, meta, MIME_TYPE]
    (folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    (folder / "server.py").write_text(SERVER, encoding="utf-8")
    spec = ServerSpec(command=("python", "server.py"), cwd=folder)
    wanted = Wanted(calls=calls, run=True)
    return await collect(spec, wanted=wanted, era="legacy", timeout=30)


async def findings(
    folder: Path, script: str, *calls: SampleCall, meta: object = META
) -> set[tuple[str, str]]:
    inventory, observed = await collected(folder, script, *calls, meta=meta)
    assert inventory.unread == ()
    report = run_rules(inventory, observed=observed)
    return {(one.rule, one.severity) for one in report.findings if one.pointer is not None}


async def test_a_clean_view_has_no_finding_of_a_browser_and_its_tool_is_not_called(
    tmp_path: Path, chromium: Path
) -> None:
    found = await findings(tmp_path, HANDSHAKE)
    assert found == {("ui-gated-on-capability", "info")}
    assert not (tmp_path / "called").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the browser is a shell script")
async def test_a_browser_that_opens_no_page_tells_nothing_of_the_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Ends at once, as a browser does that a sandbox forbids or that misses a library.
    browser = tmp_path / "browser"
    browser.write_text("#!/bin/sh\necho one line >&2\necho libnss3.so is missing >&2\nexit 127\n")
    browser.chmod(0o755)
    monkeypatch.setenv("MCPAPPS_BROWSER", str(browser))
    inventory, observed = await collected(tmp_path, HANDSHAKE)
    (skip,) = inventory.unread
    assert (skip.subject, skip.reason) == (
        f"{URI} in a browser",
        "the browser ended before it opened the host page: libnss3.so is missing",
    )
    assert observed.mounted == ()


async def test_a_sample_call_is_made_and_its_view_mounted(tmp_path: Path, chromium: Path) -> None:
    found = await findings(tmp_path, HANDSHAKE, SampleCall("chart"))
    assert found == {("ui-gated-on-capability", "info")}
    assert (tmp_path / "called").exists()


async def test_what_goes_wrong_in_a_browser_is_found(tmp_path: Path, chromium: Path) -> None:
    assert await findings(tmp_path, FAULTY) == {
        ("ui-gated-on-capability", "info"),
        ("call-before-initialized", "error"),
        ("unknown-ui-method", "error"),
        ("undeclared-connect-origin", "error"),
        ("storage-unguarded", "warning"),
        ("script-error", "error"),
        ("inline-height", "info"),
    }


async def test_a_view_that_never_says_hello_is_found(tmp_path: Path, chromium: Path) -> None:
    script = HANDSHAKE.replace(
        "    send({\n      id: 1,", "    if (window.never) send({\n      id: 1,"
    )
    assert script != HANDSHAKE
    assert await findings(tmp_path, script) == {
        ("ui-gated-on-capability", "info"),
        ("handshake-missing", "error"),
    }


async def test_a_view_that_answers_no_ping_and_shows_nothing_is_found(
    tmp_path: Path, chromium: Path
) -> None:
    answer = " else if (data.id !== undefined && data.method) send({ id: data.id, result: {} });"
    script = "    document.body.textContent = '';\n" + HANDSHAKE.replace(answer, "")
    assert await findings(tmp_path, script) == {
        ("ui-gated-on-capability", "info"),
        ("ping-unanswered", "warning"),
        ("no-idle-state", "info"),
    }
