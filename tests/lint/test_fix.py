"""What `--fix` changes in a project's own files, and what it leaves alone."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from mcpapps_cli.lint import fix_python, fix_view
from mcpapps_cli.lint.fix import plan_fixes, write_fixes
from mcpapps_cli.lint.fix_project import Origins, add_origins
from mcpapps_cli.model import Finding, Position, Project, Report, View

URI = "ui://app/chart.html"
TABLE = "tool.mcpapps."
ENTRY = """\
<!doctype html>
<html><head><meta charset="utf-8"></head><body>
<script>
new WebSocket("ws://live.example.com/");
const html = "<b></b><script></script>";
</script>
</body></html>
"""
PYPROJECT = """\
# kept
[project]
name = "app"

[tool.mcpapps.views.chart]
entry = "chart.html"
uri = "ui://app/chart.html"  # kept too

[tool.other]
a = 1
"""
SERVER = """\
@mcp.resource("ui://app/chart.html", mime_type="text/html")
def view():
    return HTML

@mcp.tool(meta={"ui/resourceUri": URI, "x": 1})
def chart():
    return "Größe"

@mcp.tool(meta={"ui": {"resourceUri": "ui://app/chart.html", "csp": {"connectDomains": ["https://b.example"]}}})
def table():
    return ""
"""


def view(root: Path) -> View:
    return View(name="chart", entry=root / "chart.html", uri=URI)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "chart.html").write_text(ENTRY, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    return Project(tmp_path, "app", tmp_path / "built", views=(view(tmp_path),))


def finding(rule: str, message: str = "", pointer: str | None = None) -> Finding:
    position = None if pointer else Position(URI, 1, 1)
    return Finding(rule, "MA000", "error", URI, message, "", pointer, position)


def report(*rules: str) -> Report:
    return Report(findings=tuple(finding(rule) for rule in rules))


def fixed(project: Project, *findings: Finding) -> dict[str, str]:
    return {fix.shown: fix.after for fix in plan_fixes(project, Report(findings=findings))}


def test_a_report_without_findings_changes_nothing(project: Project) -> None:
    assert plan_fixes(project, Report()) == ()


def test_mime_and_flat_key_are_corrected_in_python(project: Project) -> None:
    after = fixed(project, finding("mime-type"), finding("flat-key-only"))
    assert after == {
        "server.py": SERVER.replace('"text/html"', '"text/html;profile=mcp-app"').replace(
            '{"ui/resourceUri": URI, "x": 1}', '{"ui": {"resourceUri": URI}, "x": 1}'
        )
    }


def test_sockets_and_closing_tags_are_corrected_in_the_view(project: Project) -> None:
    after = fixed(project, finding("insecure-socket"), finding("script-terminated-early"))
    assert after == {
        "chart.html": ENTRY.replace("ws://", "wss://").replace(
            '"<b></b><script></script>"', '"<b></b><script><\\/script>"'
        )
    }


def test_an_undeclared_origin_goes_into_the_table_of_its_view(project: Project) -> None:
    message = '"https://api.example.com" is not in connectDomains: this connection is blocked'
    after = fixed(project, finding("undeclared-connect-origin", message))
    assert after == {
        "pyproject.toml": PYPROJECT.replace(
            "# kept too\n",
            '# kept too\ncsp = { connectDomains = ["https://api.example.com"] }\n',
        )
    }


def test_csp_moves_from_the_tool_to_the_table_of_the_view(project: Project) -> None:
    after = fixed(project, finding("csp-on-tool", pointer="tools/table#/_meta/ui/csp"))
    moved = '{"ui": {"resourceUri": "ui://app/chart.html"}}'
    assert after.keys() == {"pyproject.toml", "server.py"}
    assert f"@mcp.tool(meta={moved})\ndef table" in after["server.py"]
    assert 'csp = { connectDomains = ["https://b.example"] }\n' in after["pyproject.toml"]


def test_fixes_are_written_whole_and_shown_as_a_diff(project: Project) -> None:
    (fix,) = plan_fixes(project, report("mime-type"))
    write_fixes([fix])
    assert (project.root / "server.py").read_text(encoding="utf-8") == fix.after
    assert [line for line in fix.diff.splitlines() if line[:1] in "+-"] == [
        "--- a/server.py",
        "+++ b/server.py",
        '-@mcp.resource("ui://app/chart.html", mime_type="text/html")',
        '+@mcp.resource("ui://app/chart.html", mime_type="text/html;profile=mcp-app")',
    ]
    assert plan_fixes(project, report("mime-type")) == ()


@pytest.mark.parametrize(
    "text",
    [
        'mime_type = "text/html"\n',
        '@app.get("/", mime_type="text/html")\ndef page(): ...\n',
        '@mcp.resource("https://a.example/", mime_type="text/html")\ndef page(): ...\n',
        '@mcp.resource("ui://a", mime_type=MIME)\ndef page(): ...\n',
        "def broken(:\n",
    ],
)
def test_python_that_is_not_the_fault_stays_as_it_is(text: str) -> None:
    assert fix_python.mime_type(text) == text


def test_both_keys_together_stay_as_they_are() -> None:
    text = 'meta = {"ui": {"resourceUri": URI}, "ui/resourceUri": URI}\n'
    assert fix_python.flat_key(text) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '[tool.mcpapps.views.chart]\ncsp = { resourceDomains = ["https://c.example"] }\n',
            '[tool.mcpapps.views.chart]\ncsp = { resourceDomains = ["https://c.example"], '
            'connectDomains = ["https://a.example"] }\n',
        ),
        (
            "[tool.mcpapps.views.chart]\n",
            '[tool.mcpapps.views.chart]\ncsp = { connectDomains = ["https://a.example"] }\n',
        ),
        (
            '[tool.mcpapps.views.chart]\r\nuri = "u"\r\n',
            '[tool.mcpapps.views.chart]\r\nuri = "u"\r\n'
            'csp = { connectDomains = ["https://a.example"] }\r\n',
        ),
    ],
)
def test_an_origin_is_added_and_every_other_byte_kept(before: str, after: str) -> None:
    origins = Origins()
    origins.add(URI, "connectDomains", "https://a.example")
    assert add_origins(before, TABLE, [view(Path("/"))], origins) == after
    assert tomllib.loads(after)


@pytest.mark.parametrize(
    "text",
    [
        "[tool.mcpapps.views.chart]\ncsp = {\n",
        '[tool.mcpapps.views.chart]\ncsp.connectDomains = ["https://b.example"]\n',
        "[tool.mcpapps.views.chart.csp]\nconnectDomains = []\n",
        '[tool.mcpapps]\nviews = { chart = { uri = "u" } }\n',
        '[tool.mcpapps.views.other]\nuri = "u"\n',
    ],
)
def test_a_table_written_in_another_way_stays_as_it_is(text: str) -> None:
    origins = Origins()
    origins.add(URI, "connectDomains", "https://a.example")
    assert add_origins(text, TABLE, [view(Path("/"))], origins) == text


@pytest.mark.parametrize(
    "text",
    [
        "<script>const a = 1;</script><p>ws://a.example</p>",
        '<script>new WebSocket("ws://localhost:3000");</script>',
        '<script>const text = "ws://a.example";</script>',
        "<script>this is no script</script>",
    ],
)
def test_a_page_without_the_fault_stays_as_it_is(text: str) -> None:
    assert fix_view.secure_sockets(text) == text
    assert fix_view.closing_tags(text) == text
