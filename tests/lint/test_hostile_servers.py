"""A whole lint of servers that send too much, too little or nonsense: it ends, in bounded memory.

What could not be checked is named with its reason, and everything else is checked all the same.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

URI = "ui://app/chart.html"
MEGABYTES = 500
SERVER = """\
import json, os, sys, time
URI, MIME = "ui://app/chart.html", "text/html;profile=mcp-app"
PAGE = "<!doctype html><html><head><meta charset=utf-8></head><body>Chart</body></html>"
META = {"csp": {"connectDomains": [], "resourceDomains": []}, "prefersBorder": True}
tool = {"name": "chart", "title": "Chart", "description": "Draws a chart.",
        "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True},
        "_meta": {"ui": {"resourceUri": URI}}}
listing = {"uri": URI, "name": "chart", "mimeType": MIME, "_meta": {"ui": META}}

def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()

def send(message):
    raw(json.dumps(message).encode() + b"\\n")

def reply(ask, result):
    send({"jsonrpc": "2.0", "id": ask["id"], "result": result})

def initialize(ask):
    reply(ask, {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "resources": {}},
                "serverInfo": {"name": "hostile", "version": "1"}})

def tools(ask):
    reply(ask, {"tools": [tool]})

def resources(ask):
    reply(ask, {"resources": [listing]})

def read(ask):
    reply(ask, {"contents": [{**listing, "text": PAGE}]})

OVERRIDE

answers = {"initialize": initialize, "tools/list": tools, "resources/list": resources,
           "resources/read": read}
for line in sys.stdin:
    ask = json.loads(line)
    if "id" in ask and ask["method"] in answers:
        answers[ask["method"]](ask)
    elif "id" in ask:
        send({"jsonrpc": "2.0", "id": ask["id"], "error": {"code": -32601, "message": "No"}})
"""


def lint(folder: Path, override: str, timeout: int) -> tuple[int, dict[str, Any], float]:
    """Return exit code, report and the largest resident size in MB of `mcpapps lint`."""
    (folder / "server.py").write_text(SERVER.replace("OVERRIDE", override), encoding="utf-8")
    report = folder / "report.json"
    lint = [sys.executable, "-m", "mcpapps_cli", "lint", "server.py", "--fail-on", "never"]
    command = [*lint, "--era", "legacy"]
    with report.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--format", "json", "--timeout", str(timeout)], cwd=folder, stdout=out
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    # Kilobytes on Linux, bytes on macOS.
    peak = used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return process.returncode, json.loads(report.read_bytes()), peak


def skips(report: dict[str, Any]) -> list[tuple[str, str]]:
    return [(skip["subject"], skip["reason"]) for skip in report["not_checked"]]


TOO_LONG = "a line of more than 64 MiB"


@pytest.mark.skipif(sys.platform == "win32", reason="os.wait4")
@pytest.mark.parametrize(
    ("override", "timeout", "skipped"),
    [
        pytest.param(
            """
def tools(ask):
    reply(ask, {"tools": [{**tool, "name": f"t{n}", "description": "x" * 5000}
                          for n in range(10_000)]})
""",
            240,
            [],
            id="a list of 50 MB",
        ),
        pytest.param(
            """
def tools(ask):
    reply(ask, {"tools": [{**tool, "name": f"t{n}"} for n in range(100_000)]})
""",
            240,
            [],
            id="100,000 tools",
        ),
        pytest.param(
            """
def tools(ask):
    reply(ask, {"tools": [{**tool, "description": "x" * 80_000_000}]})
""",
            240,
            [("tools/list", f"the server sent {TOO_LONG}")],
            id="a line over the limit",
        ),
        pytest.param(
            """
seen = 0
def tools(ask):
    global seen
    seen += 1
    reply(ask, {"tools": [{**tool, "name": f"t{seen}"}], "nextCursor": str(seen)})
""",
            240,
            [("tools/list", "stopped after 1000 pages")],
            id="pages without end",
        ),
        pytest.param(
            """
def read(ask):
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"contents":[{"text":"\\xff"}]}}\\n' % ask["id"])
""",
            240,
            [(URI, "the answer cannot be read: it is not UTF-8, byte 55 is wrong")],
            id="not UTF-8",
        ),
        pytest.param(
            """
def read(ask):
    raw(b'{"jsonrpc":"2.0","id":%d,"result":%s}\\n' % (ask["id"], b"[" * 10**6 + b"]" * 10**6))
""",
            240,
            [(URI, "the answer cannot be read: it is nested too deeply")],
            id="too deep",
        ),
        pytest.param(
            "def read(ask): pass",
            2,
            [(URI, '"resources/read" was not answered within 2 s')],
            id="a resource that is never answered",
        ),
        pytest.param(
            """
def read(ask):
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"contents":[{"text":"' % ask["id"])
    while True:
        raw(b"x" * 1000)
        time.sleep(0.001)
""",
            2,
            [(URI, '"resources/read" was not answered within 2 s')],
            id="a resource that never ends",
        ),
        pytest.param(
            "def read(ask): os._exit(3)",
            240,
            [(URI, "the server ended with exit code 3")],
            id="dies midway",
        ),
        pytest.param(
            """
def read(ask):
    raw(b"\\x00\\x01 garbage\\n{]\\n[1, 2]\\n")
    reply(ask, {"contents": 7})
""",
            240,
            # A finding says it already: content-not-html.
            [],
            id="garbage",
        ),
    ],
)
def test_lint_ends_with_what_it_could_not_check(
    override: str, timeout: int, skipped: list[tuple[str, str]], tmp_path: Path
) -> None:
    status, report, peak = lint(tmp_path, override, timeout)
    assert skips(report) == skipped
    assert status == (1 if skipped else 0)
    assert "internal-error" not in {finding["rule"] for finding in report["findings"]}
    assert peak < MEGABYTES


@pytest.mark.skipif(sys.platform == "win32", reason="os.wait4")
def test_the_first_answer_to_an_id_counts(tmp_path: Path) -> None:
    override = """
def tools(ask):
    reply(ask, {"tools": [tool]})
    reply(ask, {"tools": [{**tool, "name": "other"}, tool]})
    reply({"id": 1}, {"tools": []})
"""
    status, report, _ = lint(tmp_path, override, 240)
    assert (status, report["summary"]["tools"], skips(report)) == (0, 1, [])
