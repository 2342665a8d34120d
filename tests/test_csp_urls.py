"""Whether a policy allows a URL; Chromium is asked the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli import csp
from mcpapps_cli.model import Csp

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
