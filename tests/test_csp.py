"""The policy of a View: the specification's text, what may enter it, and what it allows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpapps_cli import csp
from mcpapps_cli.model import Csp


def test_absent_csp_gives_the_default_of_the_specification() -> None:
    # UI Resource Format, Host Behavior; the last three are Sandbox proxy 5.
    assert csp.policy_text(None) == (
        "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; media-src 'self' data:; connect-src 'none'; "
        "object-src 'none'; frame-src 'none'; base-uri 'self'"
    )


def test_empty_csp_differs_from_an_absent_one() -> None:
    assert csp.policy_text(Csp()) == (
        "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
        "connect-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self' data:; "
        "frame-src 'none'; object-src 'none'; base-uri 'self'"
    )


def test_h1_h3_declared_origins_go_where_the_specification_puts_them() -> None:
    declared = Csp(
        connect=("https://api.example.com", "wss://live.example.com"),
        resource=("https://cdn.example.com", "https://*.example.org"),
        frame=("https://player.example.com",),
        base_uri=("https://base.example.com",),
    )
    assert csp.directives(declared) == {
        "default-src": ("'none'",),
        "script-src": (
            "'self'",
            "'unsafe-inline'",
            "https://cdn.example.com",
            "https://*.example.org",
        ),
        "style-src": (
            "'self'",
            "'unsafe-inline'",
            "https://cdn.example.com",
            "https://*.example.org",
        ),
        "connect-src": ("'self'", "https://api.example.com", "wss://live.example.com"),
        "img-src": ("'self'", "data:", "https://cdn.example.com", "https://*.example.org"),
        "font-src": ("'self'", "https://cdn.example.com", "https://*.example.org"),
        "media-src": ("'self'", "data:", "https://cdn.example.com", "https://*.example.org"),
        "frame-src": ("https://player.example.com",),
        "object-src": ("'none'",),
        "base-uri": ("https://base.example.com",),
    }
    assert list(csp.directives(declared)) == [
        *("default-src", "script-src", "style-src", "connect-src", "img-src", "font-src"),
        *("media-src", "frame-src", "object-src", "base-uri"),
    ]


UNSAFE = [
    "",
    " ",
    "*",
    "https:",
    "data:",
    "blob:",
    "'self'",
    "'none'",
    "'unsafe-eval'",
    "'unsafe-inline'",
    "'nonce-abc'",
    "'strict-dynamic'",
    "unsafe-eval",
    "https://*",
    "https://*:443",
    "https://a.example;script-src *",
    "https://a.example; script-src *",
    "https://a.example,https://b.example",
    "https://a.example https://b.example",
    "https://a.example/p;q",
    "https://a.example/p,q",
    "https://a.example/p'q",
    "https://a.example\r\nX-Header: 1",
    "https://a.example\n",
    "\thttps://a.example",
    'https://"a.example"',
    "https://a.example\x00",
    "https://a.example/\u2028",
    "https://bücher.example",
    "https://a.example?q",
    "https://a.example#f",
    "https://user@a.example",
    "https://[::1]",
    "https://a.*.example",
    "https://a..example",
    "https://",
    "ftp://a.example",
    "javascript://a.example",
    "a.example",
    "//a.example",
]


@pytest.mark.parametrize("entry", UNSAFE)
def test_h3_an_unsafe_entry_never_reaches_the_policy(entry: str) -> None:
    four = Csp((entry,), (entry,), (entry,), (entry,))
    assert csp.policy_text(four) == csp.policy_text(Csp())


@pytest.mark.parametrize("entry", UNSAFE)
def test_an_unsafe_entry_is_named_as_a_fault(entry: str) -> None:
    assert csp.source_fault(entry)


@given(st.text() | st.from_regex(r"\A(https?|wss?)://[\x20-\x7e]{0,30}\Z"))
def test_no_entry_changes_the_number_of_directives_or_adds_a_keyword(entry: str) -> None:
    policy = csp.policy_text(Csp((entry,), (entry,), (entry,), (entry,)))
    assert policy.count(";") == 9
    assert policy.isprintable()
    assert policy.count("'") == csp.policy_text(Csp()).count("'") - 2 * (
        ("frame-src 'none'" not in policy) + ("base-uri 'self'" not in policy)
    )
    assert " * " not in f"{policy} "


@given(st.text(), st.text())
def test_any_text_can_be_asked_about(entry: str, url: str) -> None:
    csp.source_fault(entry)
    csp.origin_of(url)
    assert csp.allows(Csp(resource=(entry,)), "font-src", url) in {True, False}


def test_a_repeated_entry_is_written_once_and_case_is_kept() -> None:
    declared = Csp(connect=("https://A.example", "https://A.example"))
    assert csp.directives(declared)["connect-src"] == ("'self'", "https://A.example")


@pytest.mark.parametrize(
    "entry",
    [
        "https://example.com",
        "http://example.com",
        "wss://example.com",
        "ws://localhost:8080",
        "https://*.example.com",
        "https://example.com:8443",
        "HTTPS://EXAMPLE.COM",
        "https://example.com.",
        "https://xn--bcher-kva.example",
        "http://127.0.0.1:3000",
    ],
)
def test_an_origin_has_no_fault(entry: str) -> None:
    assert csp.source_fault(entry) is None


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("", "is empty"),
        ("'self'", "is a keyword, not an origin"),
        ("*", "allows every origin"),
        ("https://a b", "contains a space"),
        ("https://a;b", "contains ';'"),
        ("https://a\r\n", "contains a line break"),
        ("https://a\x07", "contains a control character"),
        ("https://bücher.example", "is not ASCII, write the host in punycode"),
        ("data:", "is a scheme without a host"),
        ("https:", "is a scheme without a host"),
        ("example.com", "has no scheme"),
        ("example.com:443", "has no scheme"),
        ("ftp://example.com", 'has the scheme "ftp", not https, http, wss or ws'),
        ("https://example.com/", "has a path"),
        ("https://example.com/v1", "has a path"),
        ("https://example.com?x", "has a query"),
        ("https://example.com#x", "has a fragment"),
        ("https://me@example.com", "has a user"),
        ("https://*", "has a misplaced wildcard"),
        ("https://a.*.com", "has a misplaced wildcard"),
        ("https://example.com:*", "has a wildcard port"),
        ("https://example.com:0", "has a port outside 1 to 65535"),
        ("https://example.com:70000", "has a port outside 1 to 65535"),
        ("https://my_bucket.example.com", "has a host that is not a name"),
        ("https://[::1]:80", "has a host that is not a name"),
    ],
)
def test_a_fault_says_why(entry: str, fault: str) -> None:
    assert csp.source_fault(entry) == fault


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://example.com", "https://example.com"),
        ("https://example.com:443/a/b?c#d", "https://example.com"),
        ("http://example.com:443/", "http://example.com:443"),
        ("HTTPS://User:Pw@EXAMPLE.com:8443/", "https://example.com:8443"),
        ("wss://example.com/socket", "wss://example.com"),
        ("//cdn.example.com/x.js", "https://cdn.example.com"),
        (" https://example.com/ ", "https://example.com"),
        ("https:\\\\example.com\\x", "https://example.com"),
        ("https:example.com/x", "https://example.com"),
        ("https://ex\nample.com/", "https://example.com"),
        ("https://bücher.example/", "https://xn--bcher-kva.example"),
        ("https://[::1]:8080/", "https://[::1]:8080"),
        ("https://", None),
        ("https://:80/", None),
        ("https://example.com:x/", None),
        ("https://example.com:999999/", None),
        ("data:text/plain,hi", None),
        ("blob:https://example.com/1", None),
        ("mailto:a@example.com", None),
        ("/a.js", None),
        ("./a.js", None),
        ("a.js", None),
        ("#top", None),
        ("?q", None),
        ("", None),
    ],
)
def test_origin_of_a_url(url: str, origin: str | None) -> None:
    assert csp.origin_of(url) == origin


def test_permissions_become_features_joined_by_a_semicolon() -> None:
    assert csp.allow_attribute(("camera", "clipboardWrite")) == "camera; clipboard-write"
    assert csp.allow_attribute(("microphone",)) == "microphone"
    assert csp.allow_attribute(("geolocation", "geolocation")) == "geolocation"
    assert csp.allow_attribute(("usb", "camera *; microphone")) == ""
    assert csp.allow_attribute(()) == ""


E = "https://example.com"
# Entry (None: no `csp` at all), directive, URL, verdict. Chromium is asked the same below.
CASES: list[tuple[str | None, str, str, bool]] = [
    (E, "img-src", "https://example.com/a.png", True),
    (E, "img-src", "https://example.com:443/a.png", True),
    (E, "img-src", "https://EXAMPLE.com/a.png", True),
    (E, "img-src", "https://example.com:8443/a.png", False),
    (E, "img-src", "http://example.com/a.png", False),
    (E, "img-src", "http://example.com:443/a.png", False),
    (E, "img-src", "https://www.example.com/a.png", False),
    (E, "img-src", "https://example.com.evil.test/a.png", False),
    (E, "img-src", "https://evilexample.com/a.png", False),
    (E, "img-src", "https://example.com@evil.test/a.png", False),
    (E, "img-src", "https://user@example.com/a.png", True),
    (E, "img-src", "https:\\\\example.com\\a.png", True),
    (E, "img-src", "data:image/gif;base64,R0lGODlhAQABAAAAACw=", True),
    (E, "font-src", "https://example.com/a.woff2", True),
    (E, "font-src", "data:font/woff2;base64,AAAA", False),
    (E, "script-src-elem", "https://example.com/a.js", True),
    (E, "script-src-elem", "https://other.test/a.js", False),
    (E, "script-src-elem", "data:text/javascript,1", False),
    (E, "style-src-elem", "https://example.com/a.css", True),
    (E, "style-src-elem", "https://other.test/a.css", False),
    (E, "media-src", "https://example.com/a.mp4", True),
    (E, "media-src", "data:audio/wav;base64,AAAA", True),
    (E, "connect-src", "https://example.com/api", True),
    (E, "connect-src", "wss://example.com/api", False),
    (E, "connect-src", "data:text/plain,hi", False),
    (E, "frame-src", "https://example.com/", True),
    (E, "frame-src", "https://other.test/", False),
    (E, "frame-src", "data:text/html,hi", False),
    (E, "object-src", "https://example.com/a.pdf", False),
    (E, "manifest-src", "https://example.com/m.json", False),
    (E, "base-uri", "https://example.com/", True),
    (E, "base-uri", "https://other.test/", False),
    ("HTTPS://EXAMPLE.COM", "img-src", "https://example.com/a.png", True),
    ("http://example.com", "img-src", "http://example.com/a.png", True),
    ("http://example.com", "img-src", "https://example.com/a.png", True),
    ("http://example.com:80", "img-src", "https://example.com/a.png", True),
    ("http://example.com:8080", "img-src", "https://example.com/a.png", False),
    ("http://example.com:8080", "img-src", "https://example.com:8080/a.png", False),
    ("http://example.com:8080", "img-src", "http://example.com:8080/a.png", True),
    ("http://example.com:*", "img-src", "https://example.com:8080/a.png", True),
    ("http://example.com:443", "img-src", "https://example.com/a.png", True),
    ("http://example.com:443", "img-src", "http://example.com:443/a.png", True),
    ("https://example.com:80", "img-src", "https://example.com/a.png", False),
    ("https://example.com:80", "img-src", "https://example.com:80/a.png", True),
    ("https://example.com:8443", "img-src", "https://example.com:8443/a.png", True),
    ("https://example.com:8443", "img-src", "https://example.com/a.png", False),
    ("https://example.com:*", "img-src", "https://example.com:8443/a.png", True),
    ("https://*.example.com", "img-src", "https://a.example.com/a.png", True),
    ("https://*.example.com", "img-src", "https://a.b.example.com/a.png", True),
    ("https://*.example.com", "img-src", "https://example.com/a.png", False),
    ("https://*.example.com", "img-src", "https://aexample.com/a.png", False),
    ("https://*.example.com:8443", "img-src", "https://a.example.com:8443/a.png", True),
    ("https://*.example.com:8443", "img-src", "https://a.example.com/a.png", False),
    ("https://my_bucket.example.com", "img-src", "https://my_bucket.example.com/a.png", False),
    ("https://xn--bcher-kva.example", "img-src", "https://bücher.example/a.png", True),
    ("http://127.0.0.1:3000", "img-src", "http://127.0.0.1:3000/a.png", True),
    ("https://example.com/lib/", "img-src", "https://example.com/lib/a.png", True),
    ("https://example.com/lib/", "img-src", "https://example.com/lib/b/a.png", True),
    ("https://example.com/lib/", "img-src", "https://example.com/libs/a.png", False),
    ("https://example.com/lib", "img-src", "https://example.com/lib/a.png", False),
    ("https://example.com/a.png", "img-src", "https://example.com/a.png?v=1", True),
    ("https://example.com/a.png", "img-src", "https://example.com/A.png", False),
    ("https://example.com/%61.png", "img-src", "https://example.com/a.png", True),
    ("https://example.com/", "img-src", "https://example.com/a.png", True),
    ("wss://example.com", "connect-src", "wss://example.com/s", True),
    ("wss://example.com", "connect-src", "ws://example.com/s", False),
    ("ws://example.com", "connect-src", "wss://example.com/s", True),
    ("ws://example.com:80", "connect-src", "wss://example.com/s", True),
    ("ws://example.com", "connect-src", "http://example.com/s", False),
    ("ws://example.com", "connect-src", "https://example.com/s", False),
    ("wss://example.com", "connect-src", "https://example.com/s", False),
    ("ws://example.com:8080", "connect-src", "ws://example.com:8080/s", True),
    ("https://example.com", "connect-src", "wss://example.com/s", False),
    ("https:", "img-src", "https://example.com/a.png", False),
    ("*", "img-src", "https://example.com/a.png", False),
    ("blob:", "img-src", "blob:http://self.test/0b6c7f1c-8d7c-4b5e-9b9a-1f6c1d2e3f40", False),
    ("'unsafe-eval'", "img-src", "https://example.com/a.png", False),
    ("example.com", "img-src", "https://example.com/a.png", False),
    (None, "img-src", "https://example.com/a.png", False),
    (None, "img-src", "data:image/gif;base64,R0lGODlhAQABAAAAACw=", True),
    (None, "font-src", "data:font/woff2;base64,AAAA", False),
    (None, "font-src", "https://example.com/a.woff2", False),
    (None, "connect-src", "https://example.com/api", False),
    (None, "media-src", "data:audio/wav;base64,AAAA", True),
    (None, "frame-src", "https://example.com/", False),
    (None, "worker-src", "data:text/javascript,1", False),
    (E, "worker-src", "data:text/javascript,1", False),
    (None, "base-uri", "https://example.com/", False),
]


@pytest.mark.parametrize(("entry", "directive", "url", "verdict"), CASES)
def test_allows(entry: str | None, directive: str, url: str, verdict: bool) -> None:
    assert csp.allows(_four(entry), directive, url) is verdict


@pytest.mark.parametrize("url", ["a.js", "./a.js", "/a.js", "", "#x", "https://"])
def test_self_allows_no_file_of_the_view(url: str) -> None:
    assert not csp.allows(Csp(), "script-src", url)


def test_a_url_without_a_scheme_counts_as_https() -> None:
    assert csp.allows(_four(E), "img-src", "//example.com/a.png")
    assert not csp.allows(_four(E), "img-src", "//other.test/a.png")


def test_a_directive_without_fallback_that_is_absent_restricts_nothing() -> None:
    assert csp.allows(None, "form-action", "https://example.com/")


def test_a_list_allows_only_its_own_use() -> None:
    declared = Csp(connect=(E,))
    assert csp.allows(declared, "connect-src", "https://example.com/")
    for directive in ("img-src", "font-src", "script-src", "frame-src", "base-uri"):
        assert not csp.allows(declared, directive, "https://example.com/")


def _four(entry: str | None) -> Csp | None:
    return None if entry is None else Csp((entry,), (entry,), (entry,), (entry,))


# How a page uses a URL for each directive; `ended` tells that the browser has decided.
USES = {
    "img-src": "const i = new Image(); i.onload = i.onerror = ended; i.src = url",
    "media-src": "const a = new Audio(); a.onloadeddata = a.onerror = ended; a.src = url",
    "connect-src": """
      if (url.startsWith('ws')) new WebSocket(url).onerror = ended;
      else fetch(url, {mode: 'no-cors'}).then(ended, ended)""",
    "font-src": "new FontFace('f', 'url(' + JSON.stringify(url) + ')').load().then(ended, ended)",
    "script-src-elem": "add('script', {src: url})",
    "style-src-elem": "add('link', {rel: 'stylesheet', href: url})",
    "frame-src": "add('iframe', {src: url})",
    "object-src": "add('object', {data: url})",
    "base-uri": "add('base', {href: url}); ended()",
    "worker-src": "try { new Worker(url).onerror = ended } catch { ended() }",
}
PROBE = """
([use, url]) => new Promise((done) => {
  document.addEventListener('securitypolicyviolation', (e) => done([e.effectiveDirective]));
  // The report is a task of its own, at most one frame behind the decision.
  const ended = () => requestAnimationFrame(() => requestAnimationFrame(() => done([])));
  const add = (name, fields) => {
    const element = document.createElement(name);
    element.onload = element.onerror = ended;
    document.body.append(Object.assign(element, fields));
  };
  new Function('url', 'add', 'ended', use)(url, add, ended);
})
"""


@pytest.fixture(scope="module")
def page(chromium: Path, chromium_flags: list[str]) -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    flags = [*chromium_flags, "--host-resolver-rules=MAP * ~NOTFOUND"]
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium), args=flags)
        yield browser.new_page()
        browser.close()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("entry", "directive", "url", "verdict"), [case for case in CASES if case[1] in USES]
)
def test_chromium_agrees(
    page: Any, entry: str | None, directive: str, url: str, verdict: bool
) -> None:
    # `'unsafe-eval'` runs the probe itself; it decides nothing about a URL.
    policy = csp.policy_text(_four(entry)).replace("script-src", "script-src 'unsafe-eval'", 1)

    def answer(route: Any) -> None:
        own = route.request.url == "http://self.test/"
        headers = {"content-security-policy": policy} if own else {}
        route.fulfill(status=200, content_type="text/html", headers=headers, body="<!doctype html>")

    page.unroute_all()
    page.route("**/*", answer)
    page.goto("http://self.test/")
    assert page.evaluate(PROBE, [USES[directive], url]) == ([] if verdict else [directive])
