"""Pages: what gives way to what, and that nothing else changes."""

from __future__ import annotations

from functools import partial

import pytest

from mcpapps_cli import embed
from mcpapps_cli.errors import SourceError
from mcpapps_cli.model import Csp
from tests.bundle.conftest import Build

# What the specification allows a View that declares no csp, less what lies beside the page.
DEFAULT_POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; media-src data:; "
    "base-uri 'self'\">"
)
HEAD = '<!doctype html>\n<meta charset="utf-8">\n'
POLICED = f'<!doctype html>\n<meta charset="utf-8">\n{DEFAULT_POLICY}\n'
BRIDGE = f"<script data-mcpapps-bridge>{embed.bridge_script()}</script>"


@pytest.fixture
def build(build: Build) -> Build:
    """As always, with one policy for all pages: hashes have tests of their own."""
    return partial(build, policy="unsafe-inline")


@pytest.mark.parametrize(
    ("page", "bundled"),
    [
        ("<p>hi</p>\n", "<p>hi</p>\n"),
        ('<script src="a.js"></script>', "<script>let a;\n</script>"),
        ("<SCRIPT SRC=a.js></SCRIPT >", "<SCRIPT>let a;\n</SCRIPT >"),
        (
            '<script id="x" src="a.js?v=2#h" crossorigin integrity="sha-1" data-y=1></script>',
            '<script id="x" data-y=1>let a;\n</script>',
        ),
        ('<script src="a.js">ignored</script>', "<script>let a;\n</script>"),
        (
            '<script type="module" src="./m.js" async></script>',
            '<script type="module" async>export {};\n</script>',
        ),
        ('<link rel="stylesheet" href="s.css">', "<style>p{}\n</style>"),
        (
            '<link rel=stylesheet href=s.css media="print" />',
            '<style media="print">p{}\n</style>',
        ),
        ('<img src="i.gif" alt="x">', '<img src="data:image/gif;base64,R0lG" alt="x">'),
        ("<img src=i.gif>", "<img src=data:image/gif;base64,R0lG>"),
        (
            '<img srcset="i.gif 1x, i.gif 2x">',
            '<img srcset="data:image/gif;base64,R0lG 1x, data:image/gif;base64,R0lG 2x">',
        ),
        (
            '<img src="d.svg">',
            '<img src="data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E">',
        ),
        (
            '<link rel="icon" href="i.gif">',
            '<link rel="icon" href="data:image/gif;base64,R0lG">',
        ),
        (
            "<style>p{background:url(i.gif)}</style>",
            "<style>p{background:url(data:image/gif;base64,R0lG)}</style>",
        ),
        ('<link rel="modulepreload" href="m.js"><p>', "<p>"),
        ('<a href="#top">up</a>', '<a href="#top">up</a>'),
        ('<!-- <script src="gone.js"></script> -->', '<!-- <script src="gone.js"></script> -->'),
        ("<textarea><img src=gone.png></textarea>", "<textarea><img src=gone.png></textarea>"),
        (
            '<script type="application/json">{"src": "gone.js"}</script>',
            '<script type="application/json">{"src": "gone.js"}</script>',
        ),
    ],
)
def test_page_keeps_everything_but_what_it_refers_to(build: Build, page: str, bundled: str) -> None:
    files = {
        "index.html": HEAD + page,
        "a.js": "let a;\n",
        "m.js": "export {};\n",
        "s.css": "p{}\n",
        "i.gif": b"GIF",
        "d.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
    }
    assert build(files).html == POLICED + bundled


def test_authors_characters_outside_the_splices_never_change(build: Build) -> None:
    page = (
        "<!DOCTYPE html>\r\n<HTML><!-- odd --><head><meta charset=UTF-8>\t<title>a < b</title>\r\n"
        "<LINK href='s.css'  rel=stylesheet></head>\r\n<body  class = x>\u2028"
        "<p>1 &lt 2<p>é\U0001f600"
        "<script>if (a<b) '<!--'; // \r\n</script><script src=a.js></script>\r\n"
        "</body></HTML>\r\n\r\n"
    )
    bundled = page
    for before, after in [
        ("<meta charset=UTF-8>", f"<meta charset=UTF-8>\n{DEFAULT_POLICY}"),
        ("<LINK href='s.css'  rel=stylesheet>", "<style>p{}</style>"),
        ("<script src=a.js>", "<script>a()"),
    ]:
        assert page.count(before) == 1
        bundled = bundled.replace(before, after)
    assert build({"index.html": page, "s.css": "p{}", "a.js": "a()"}).html == bundled


@pytest.mark.parametrize(
    ("head", "policed"),
    [
        ("<!doctype html><p>x", f'<!doctype html>\n<meta charset="utf-8">\n{DEFAULT_POLICY}<p>x'),
        ("<p>x", f'<!doctype html>\n\n<meta charset="utf-8">\n{DEFAULT_POLICY}<p>x'),
        (
            "<!doctype html><html><head><title>t</title></head>",
            f'<!doctype html><html><head>\n<meta charset="utf-8">\n{DEFAULT_POLICY}'
            "<title>t</title></head>",
        ),
        (
            '<!doctype html><head><title>t</title><meta charset="utf8"></head>',
            f'<!doctype html><head><title>t</title><meta charset="utf8">\n{DEFAULT_POLICY}</head>',
        ),
        (
            "<!doctype html><head><style>p{}</style><meta charset=utf-8></head>",
            f"<!doctype html><head>\n{DEFAULT_POLICY}"
            "<style>p{}</style><meta charset=utf-8></head>",
        ),
        (
            '<!doctype html><meta http-equiv="content-type" content="text/html; charset=UTF-8">',
            '<!doctype html><meta http-equiv="content-type" content="text/html; charset=UTF-8">\n'
            f"{DEFAULT_POLICY}",
        ),
    ],
)
def test_policy_follows_the_charset_and_precedes_what_it_governs(
    build: Build, head: str, policed: str
) -> None:
    assert build({"index.html": head}).html == policed


def test_declared_origins_are_in_the_policy(build: Build) -> None:
    csp = Csp(connect=("https://api.example.com",), resource=("https://cdn.example.com",))
    html = build({"index.html": HEAD}, csp=csp).html
    assert "connect-src 'self' https://api.example.com;" in html
    assert "script-src 'unsafe-inline' https://cdn.example.com;" in html


def test_policy_cannot_break_out_of_its_attribute(build: Build) -> None:
    csp = Csp(connect=('https://a.example"><script>alert(1)</script>',))
    html = build({"index.html": HEAD}, csp=csp).html
    assert "alert(1)" not in html


@pytest.mark.parametrize("mark", ["defer", "async", 'defer=""'])
def test_deferred_script_moves_to_the_end_of_the_body(build: Build, mark: str) -> None:
    page = f'{HEAD}<body><script {mark} src="a.js" id="x"></script><p>x</p></body>\n'
    html = build({"index.html": page, "a.js": "a()"}).html
    assert html == f'{POLICED}<body><p>x</p><script id="x">a()</script></body>\n'


def test_deferred_scripts_keep_their_order(build: Build) -> None:
    page = f"{HEAD}<script defer src=a.js></script><script defer src=b.js></script><p>x"
    html = build({"index.html": page, "a.js": "a()", "b.js": "b()"}).html
    assert html == f"{POLICED}<p>x<script>a()</script><script>b()</script>"


def test_bridge_takes_the_place_of_its_script(build: Build) -> None:
    html = build({"index.html": f'{HEAD}<script src="mcpapps:bridge"></script>'}).html
    assert html == POLICED + BRIDGE


def test_import_of_the_bridge_becomes_a_use_of_the_global(build: Build) -> None:
    script = 'go();\nimport { connect, ToolError as Failed } from "mcpapps:bridge";\n'
    page = f"{HEAD}<p>x</p><script type=module src=m.js></script>"
    html = build({"index.html": page, "m.js": script}).html
    assert html == (
        f"{POLICED}<p>x</p>{BRIDGE}<script type=module>"
        "const { connect, ToolError: Failed } = globalThis.mcpapps;go();\n\n</script>"
    )


def test_inline_module_changes_only_where_it_imports(build: Build) -> None:
    page = f"{HEAD}<script type=module>\r\nimport * as b from 'mcpapps:bridge'\r\nb.x()</script>"
    html = build({"index.html": page}).html
    assert html == (
        f"{POLICED}{BRIDGE}<script type=module>const b = globalThis.mcpapps;\r\n\r\nb.x()</script>"
    )


@pytest.mark.parametrize(
    ("statement", "declared"),
    [
        ('import "mcpapps:bridge";', ""),
        ('import {} from "mcpapps:bridge";', ""),
        (
            'import {\n  connect, // why\n  ToolError,\n} from "mcpapps:bridge";',
            "const { connect, ToolError } = globalThis.mcpapps;",
        ),
        ('import * as $b from "mcpapps:bridge";', "const $b = globalThis.mcpapps;"),
    ],
)
def test_every_form_of_a_static_import_works(build: Build, statement: str, declared: str) -> None:
    page = f"{HEAD}<script type=module>{statement}run()</script>"
    lines = "\n" * statement.count("\n")
    html = build({"index.html": page}).html
    assert html == f"{POLICED}{BRIDGE}<script type=module>{declared}{lines}run()</script>"


def test_bridge_is_there_once_however_many_want_it(build: Build) -> None:
    page = (
        f"{HEAD}<script type=module src=m.js></script><script src=mcpapps:bridge></script>"
        "<script type=module src=m.js></script>"
    )
    bundle = build({"index.html": page, "m.js": 'import "mcpapps:bridge";'})
    assert bundle.html.count(embed.bridge_script()) == 1
    assert [part.kind for part in bundle.inlined].count("bridge") == 1


def test_import_in_a_comment_or_a_string_is_none(build: Build) -> None:
    script = '/** @type {import("./gone.js")} */\nlet s = \'import "./gone.js"\'; // import("x")\n'
    page = f"{HEAD}<script type=module src=m.js></script>"
    assert script in build({"index.html": page, "m.js": script}).html


def test_end_tags_inside_scripts_and_styles_are_escaped(build: Build) -> None:
    page = f"{HEAD}<script src=a.js></script><link rel=stylesheet href=s.css><p>end"
    html = build(
        {
            "index.html": page,
            "a.js": "'</script><!-- <script>'",
            "s.css": "p::after{content:'</STYLE>'}",
        }
    ).html
    assert html == (
        POLICED
        + r"<script>'<\/script><!-\x2D <script>'</script>"
        + r"<style>p::after{content:'<\/STYLE>'}</style><p>end"
    )


def test_byte_order_marks_and_crlf_do_not_reach_what_is_inlined(build: Build) -> None:
    page = f"\ufeff{HEAD}<script src=a.js></script><link rel=stylesheet href=s.css>"
    html = build({"index.html": page, "a.js": "\ufeffa()\r\n", "s.css": "\ufeffp{}\r\n"}).html
    assert html == f"{POLICED}<script>a()\n</script><style>p{{}}\n</style>"


def test_encoding_other_than_utf8_is_refused(build: Build) -> None:
    with pytest.raises(SourceError, match='declares the encoding "latin1"') as caught:
        build({"index.html": "<!doctype html>\n<meta charset='latin1'>"})
    assert (caught.value.position.line, caught.value.position.column) == (2, 16)


def test_base_element_is_refused(build: Build) -> None:
    with pytest.raises(SourceError, match="no base address"):
        build({"index.html": f'{HEAD}<base href="/app/">'})


def test_page_of_another_document_is_refused(build: Build) -> None:
    with pytest.raises(SourceError, match="cannot be shown inside a View"):
        build({"index.html": f'{HEAD}<iframe src="other.html"></iframe>', "other.html": ""})


def test_relative_link_is_noticed_and_kept(build: Build) -> None:
    bundle = build({"index.html": f'{HEAD}<a href="other.html">x</a>'})
    assert '<a href="other.html">' in bundle.html
    assert [notice.position.line for notice in bundle.notices] == [3]


def test_policy_of_the_page_is_kept_and_noticed(build: Build) -> None:
    own = '<meta http-equiv="Content-Security-Policy" content="img-src data:">'
    bundle = build({"index.html": HEAD + own})
    assert bundle.html == POLICED + own
    assert "policy of its own" in bundle.notices[0].message


def test_external_addresses_stay_and_are_listed(build: Build) -> None:
    page = (
        f'{HEAD}<script src="https://cdn.example.com/a.js"></script>'
        '<link rel="stylesheet" href="https://fonts.example.com/f.css">'
        '<img src="//img.example.com/i.png"><a href="https://example.com">x</a>'
    )
    csp = Csp(
        resource=(
            "https://cdn.example.com",
            "https://img.example.com",
            "https://fonts.example.com",
        )
    )
    bundle = build({"index.html": page}, csp=csp)
    assert bundle.html.endswith(page.removeprefix(HEAD))
    assert bundle.external == (
        "https://cdn.example.com/a.js",
        "https://fonts.example.com/f.css",
        "//img.example.com/i.png",
    )
    assert bundle.notices == ()
