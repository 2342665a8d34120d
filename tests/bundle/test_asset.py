"""Style sheets and what they refer to."""

from __future__ import annotations

import pytest

from mcpapps_cli.errors import SourceError
from tests.bundle.conftest import Build

HEAD = '<!doctype html>\n<meta charset="utf-8">\n'
LINK = f'{HEAD}<link rel="stylesheet" href="s.css">'


def sheet(build: Build, css: str, **files: str | bytes) -> str:
    named = {f"{name}.css": content for name, content in files.items()}
    html = build({"index.html": LINK, "s.css": css, "i.gif": b"GIF", **named}).html
    return html.partition("<style>")[2].removesuffix("</style>")


@pytest.mark.parametrize(
    ("css", "inlined"),
    [
        ("p{background:url('i.gif')}", "p{background:url('data:image/gif;base64,R0lG')}"),
        ("/* url(gone.png) */p{}", "/* url(gone.png) */p{}"),
        ("p{fill:url(#a)}", "p{fill:url(#a)}"),
        ("p{src:url(data:,x)}", "p{src:url(data:,x)}"),
        (
            'p{background:image-set("i.gif" 1x)}',
            'p{background:image-set("data:image/gif;base64,R0lG" 1x)}',
        ),
        ('@charset "utf-8";p{}', "p{}"),
    ],
)
def test_addresses_of_a_sheet_become_data(build: Build, css: str, inlined: str) -> None:
    assert sheet(build, css) == inlined


@pytest.mark.parametrize(
    ("statement", "wrapped"),
    [
        ('@import "a.css";', "a{}"),
        ("@import url(a.css);", "a{}"),
        ("@import url( 'a.css' ) print;", "@media print{a{}}"),
        ('@import "a.css" layer(x.y) screen;', "@layer x.y{@media screen{a{}}}"),
        ('@import "a.css" layer;', "@layer{a{}}"),
        (
            '@import "a.css" supports(display: grid) (width > 1px);',
            "@supports (display: grid){@media (width > 1px){a{}}}",
        ),
    ],
)
def test_import_of_a_sheet_becomes_its_text(build: Build, statement: str, wrapped: str) -> None:
    assert sheet(build, f"{statement}\np{{}}", a="a{}") == f"{wrapped}\np{{}}"


def test_imports_nest(build: Build) -> None:
    assert sheet(build, '@import "a.css";', a='@import "b.css";a{}', b="b{}") == "b{}a{}"


def test_circle_of_imports_is_refused(build: Build) -> None:
    with pytest.raises(SourceError, match="import each other") as caught:
        sheet(build, '@import "a.css";', a='@import "s.css";')
    assert caught.value.help == "s.css -> a.css -> s.css"
    assert caught.value.position.path == "a.css"


def test_external_import_after_an_inlined_one_is_refused(build: Build) -> None:
    with pytest.raises(SourceError, match="would come after rules"):
        sheet(build, '@import "a.css";@import "https://x.example/f.css";', a="a{}")


def test_inlined_font_is_noticed(build: Build) -> None:
    bundle = build(
        {"index.html": LINK, "s.css": "@font-face{src:url(f.woff2)}", "f.woff2": b"wOF2"}
    )
    assert "url(data:font/woff2;base64,d09GMg==)" in bundle.html
    assert [(n.message, n.position.path) for n in bundle.notices] == [
        ("an inlined font is blocked by the policy of the specification", "s.css")
    ]


def test_style_attribute_is_inlined_too(build: Build) -> None:
    html = build({"index.html": f'{HEAD}<p style="background:url(i.gif)">', "i.gif": b"GIF"}).html
    assert html.endswith('<p style="background:url(data:image/gif;base64,R0lG)">')
