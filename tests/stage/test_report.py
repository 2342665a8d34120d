from __future__ import annotations

import json

import pytest

from mcpapps_cli.host.event import Violation
from mcpapps_cli.stage.report import excerpt, locate, read_report, remedy

# As Chromium 156 sends it for a `fetch` in a `srcdoc` frame with an opaque origin.
CSP_REPORT = {
    "csp-report": {
        "document-uri": "about",
        "referrer": "",
        "violated-directive": "connect-src",
        "effective-directive": "connect-src",
        "original-policy": "connect-src 'none'",
        "disposition": "enforce",
        "blocked-uri": "https://api.test/v1",
        "line-number": 45,
        "column-number": 7,
        "source-file": "about",
        "status-code": 200,
        "script-sample": "",
    }
}
# Reporting API: CSP 3, 5.3.
REPORTS = [
    {"type": "deprecation", "body": {"id": "x"}},
    {
        "type": "csp-violation",
        "age": 1,
        "url": "about:srcdoc",
        "body": {
            "effectiveDirective": "script-src-elem",
            "blockedURL": "inline",
            "lineNumber": 3,
            "columnNumber": 0,
            "sourceFile": "about:srcdoc",
            "sample": "alert(1)",
        },
    },
]


def violation(directive: str = "connect-src", blocked: str = "https://a.test/", **more: int):
    return Violation(directive, blocked, **more)  # type: ignore[arg-type]


def test_csp_report_is_read() -> None:
    assert read_report(json.dumps(CSP_REPORT).encode()) == (
        Violation("connect-src", "https://api.test/v1", 45, 7, "about", None),
    )


def test_csp_violation_among_other_reports_is_read() -> None:
    assert read_report(json.dumps(REPORTS).encode()) == (
        Violation("script-src-elem", "inline", 3, None, "about:srcdoc", "alert(1)"),
    )


def test_directive_is_taken_from_violated_directive_with_its_sources() -> None:
    body = {"csp-report": {"violated-directive": "img-src 'self' data:", "blocked-uri": "x"}}
    assert read_report(json.dumps(body).encode()) == (Violation("img-src", "x"),)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff",
        b"null",
        b"7",
        b'"text"',
        b"[1, null, []]",
        b'{"csp-report": 1}',
        b'{"csp-report": {"effective-directive": 5}}',
        b'[{"type": "csp-violation"}]',
        b"[" * 100_000,
    ],
)
def test_what_is_no_report_gives_nothing(body: bytes) -> None:
    assert read_report(body) == ()


def test_long_text_of_a_report_is_cut() -> None:
    body = {"csp-report": {"effective-directive": "img-src", "blocked-uri": "h" * 10_000}}
    assert len(read_report(json.dumps(body).encode())[0].blocked) == 2048


@pytest.mark.parametrize(
    ("directive", "blocked", "expected"),
    [
        ("connect-src", "https://api.test/v1?q=1", ("connectDomains", "https://api.test")),
        ("connect-src", "wss://api.test:8443/s", ("connectDomains", "wss://api.test:8443")),
        ("img-src", "http://img.test/a.png", ("resourceDomains", "http://img.test")),
        ("script-src-elem", "https://cdn.test/a.js", ("resourceDomains", "https://cdn.test")),
        ("style-src-elem", "https://cdn.test/a.css", ("resourceDomains", "https://cdn.test")),
        ("frame-src", "https://video.test/", ("frameDomains", "https://video.test")),
        ("base-uri", "https://base.test/", ("baseUriDomains", "https://base.test")),
        ("script-src", "eval", (None, None)),
        ("font-src", "data", (None, None)),
        ("object-src", "https://a.test/x.swf", (None, None)),
    ],
)
def test_remedy_names_list_and_origin(
    directive: str, blocked: str, expected: tuple[str | None, str | None]
) -> None:
    assert remedy(violation(directive, blocked)) == expected


def test_excerpt_points_at_the_address() -> None:
    html = '<!doctype html>\n  fetch("https://a.test/");\n'
    assert excerpt(html, violation(line=2, column=3)) == {
        "text": 'fetch("https://a.test/");',
        "at": 7,
        "length": 15,
    }


def test_excerpt_of_a_bundle_on_one_line_is_short() -> None:
    html = "x" * 5000 + "https://a.test/" + "y" * 5000
    found = excerpt(html, violation(line=1, column=4990))
    assert found is not None
    assert len(found["text"]) == 100
    assert found["text"][found["at"] :][: found["length"]] == "https://a.test/"


@pytest.mark.parametrize("line", [None, 3, 4000])
def test_excerpt_of_a_line_that_is_not_there_is_none(line: int | None) -> None:
    assert excerpt("one\ntwo", violation(line=line)) is None  # type: ignore[arg-type]


def test_address_in_the_markup_gives_a_place_that_the_browser_does_not_name() -> None:
    html = '<!doctype html>\n<img src="https://a.test/">'
    assert locate(html, violation()) == violation(line=2, column=11)


def test_place_named_by_the_browser_stays() -> None:
    assert locate("https://a.test/", violation(line=9, column=1)) == violation(line=9, column=1)
