"""`mcpapps test` on a project whose Views each do one thing, right or wrong."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from tests.testing.project import write_project

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("chromium")]


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mcpapps_cli", "test", *args],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    views = ("good", "blocked", "throws", "silent", "unsized", "wide")
    return write_project(tmp_path_factory.mktemp("shop") / "shop", views=views)


@pytest.fixture(scope="module")
def done(project: Path) -> subprocess.CompletedProcess[str]:
    calls = [f"--call={name}={{}}" for name in ("good", "blocked", "throws", "silent", "unsized")]
    options = ("--call=fails={}", '--call=good={"city": "<b>Rome"}', "--junit", "out/junit.xml")
    where = ("--theme", "light", "--format", "json", "--size", "500")
    return run(project, *calls, "--call=wide={}", *options, *where)


@pytest.fixture(scope="module")
def cells(done: subprocess.CompletedProcess[str]) -> dict[str, dict[str, Any]]:
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)["cells"]
    return {cell["tool"] + cell["args"].get("city", ""): cell for cell in found}


def test_a_cell_that_does_well_passes(cells: dict[str, dict[str, Any]]) -> None:
    cell = cells["good"]
    assert (cell["state"], cell["faults"], cell["steps"]["painted"]) == ("passed", [], "ok")
    assert (cell["profile"], cell["theme"], cell["mode"], cell["size"]) == (
        *("spec", "light", "inline", "500"),
    )


@pytest.mark.parametrize(
    ("tool", "kind", "words"),
    [
        ("blocked", "violation", "connect-src blocked https://api.weather.test/v1"),
        ("throws", "script-error", "missing is not defined"),
        ("silent", "ladder", 'broken at "initialize": handshake-missing'),
        ("unsized", "size", "its frame 150 px; it never reported its size"),
        ("wide", "size", "its frame 500 px"),
        ("fails", "tool-error", "the tool answered with isError: no"),
    ],
)
def test_each_fault_fails_its_cell(
    cells: dict[str, dict[str, Any]], tool: str, kind: str, words: str
) -> None:
    cell = cells[tool]
    assert cell["state"] == "failed"
    assert any(fault["kind"] == kind and words in fault["text"] for fault in cell["faults"])


def test_the_outcome_is_told_by_exit_code_progress_and_junit(
    done: subprocess.CompletedProcess[str], project: Path
) -> None:
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert (found["passed"], found["failed"], found["skipped"]) == (2, 6, 0)
    assert "[8/8]" in done.stderr
    suite = ET.parse(project / "out" / "junit.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("8", "6")
    [case] = [one for one in suite.iter("testcase") if one.get("classname") == "silent()"]
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("type") == "ladder"


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]


def test_the_report_is_one_file_that_shows_every_picture_and_loads_nothing(
    done: subprocess.CompletedProcess[str], project: Path, chromium: Path, chromium_flags: list[str]
) -> None:
    report = Path(json.loads(done.stdout)["report"])
    assert report == project / "reports" / "mcpapps-test.html"
    page = _Page()
    page.feed(report.read_text(encoding="utf-8"))
    assert all(address.startswith("data:image/png;base64,") for address in page.addresses)
    # What a tool was given is text, not markup.
    assert "b" in page.tags
    assert "<b>Rome" not in report.read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium), args=chromium_flags)
        shown = browser.new_page()
        asked: list[str] = []
        shown.on("request", lambda request: asked.append(request.url))
        shown.goto(report.as_uri())
        assert shown.locator("article.failed").count() == 6
        widths = shown.locator("img").evaluate_all("all => all.map(one => one.naturalWidth)")
        browser.close()
    assert len(widths) >= 7
    assert set(widths) == {500}
    assert [url for url in asked if not url.startswith(("data:", "file:"))] == []


def test_what_is_allowed_passes_and_the_rest_is_left(project: Path) -> None:
    options = ("--theme", "dark", "--report", "reports/allowed.html")
    allowed = ("--allow", "violation: api.weather.test")
    done = run(project, "--call=blocked={}", *allowed, *options)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "The only cell passed.\nReport: reports/allowed.html\n"


def test_a_mode_that_a_host_lacks_is_skipped(project: Path) -> None:
    options = ("--mode", "inline", "--mode", "fullscreen", "--theme", "dark", "--format", "json")
    done = run(project, "--call=good={}", "--profile", "spec", "--profile", "claude", *options)
    cells = json.loads(done.stdout)["cells"]
    assert [(cell["profile"], cell["mode"], cell["state"]) for cell in cells] == [
        ("spec", "inline", "passed"),
        ("spec", "fullscreen", "skipped"),
        ("claude", "inline", "passed"),
        ("claude", "fullscreen", "passed"),
    ]
    assert done.returncode == 0


def test_sample_calls_are_made_of_what_only_reads(tmp_path: Path) -> None:
    shop = write_project(tmp_path / "shop", views=("good",))
    done = run(shop, "--theme", "light", "--format", "json", "--allow", "tool-error")
    found = json.loads(done.stdout)
    assert [cell["tool"] for cell in found["cells"]] == ["good", "fails"]
    assert [each["tool"] for each in found["untried"]] == ["slow", "writes"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--call=god={}"], 'error: there is no tool "god" with a View'),
        (["--call=good={"], '--call: the arguments of "good" are not JSON'),
        (["--profile=claud"], 'error: there is no host profile "claud"\n help: did you mean "cl'),
        (["--theme=blue"], 'error: "blue" is no theme\n help: use light, dark'),
        (["--mode=big"], 'error: "big" is no display mode'),
        (["--size=1"], 'error: "1" is no size\n help: write 320, 320x600 or host'),
        (["--allow=all"], 'error: "all" cannot be allowed'),
        (["--format=xml"], 'error: "xml" is not a format'),
        (["--recording=none.jsonl"], 'error: "none.jsonl" cannot be read'),
    ],
)
def test_a_wrong_option_is_told_with_exit_code_2(
    project: Path, options: list[str], words: str
) -> None:
    done = run(project, *options)
    assert done.returncode == 2
    assert words in done.stderr


def test_an_error_is_json_where_json_is_asked_for(project: Path) -> None:
    done = run(project, "--call=god={}", "--format", "json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["message"] == 'there is no tool "god" with a View'
