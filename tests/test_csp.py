"""The policy of a View: the specification's text, and what may enter it."""

from __future__ import annotations

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
