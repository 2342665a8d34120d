"""The URLs that a style sheet names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpapps_cli.markup.css import references, unescape


def found(css: str) -> list[tuple[str, str, str]]:
    return [(each.url, each.kind, each.attribute) for each in references(css)]


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("a{b:url(c.png)}", [("c.png", "image", "url()")]),
        ("a{b:url( c.png )}", [("c.png", "image", "url()")]),
        ('a{b:url("c d.png")}', [("c d.png", "image", "url()")]),
        ("a{b:url( 'c.png' )}", [("c.png", "image", "url()")]),
        ("a{b:URL(c.png)}", [("c.png", "image", "url()")]),
        ("a{b:url(#id)}", [("#id", "image", "url()")]),
        (
            "a{b:url(data:image/png;base64,AA==)}",
            [("data:image/png;base64,AA==", "image", "url()")],
        ),
        ("a{b:url(c),url(d)}", [("c", "image", "url()"), ("d", "image", "url()")]),
        ("--x:url(c)", [("c", "image", "url()")]),
        ("@font-face{font-family:x;src:url(a.woff2)}", [("a.woff2", "font", "url()")]),
        (
            '@FONT-FACE {src: local("x"), url("a.woff2") format("woff2")}',
            [("a.woff2", "font", "url()")],
        ),
        (
            "@media print{@font-face{src:url(a)}b{c:url(d)}}e{f:url(g)}",
            [("a", "font", "url()"), ("d", "image", "url()"), ("g", "image", "url()")],
        ),
        ('@import "a.css";', [("a.css", "import", "@import")]),
        ("@import'a.css';", [("a.css", "import", "@import")]),
        ("@import url(a.css) layer(x) screen;", [("a.css", "import", "@import")]),
        (
            '@import url("a.css") supports(content: "x"); b{c:url(d)}',
            [("a.css", "import", "@import"), ("d", "image", "url()")],
        ),
        ('@import "a.css"', [("a.css", "import", "@import")]),
        (
            'a{b:image-set("c.png" 1x, "d.png" type("image/png") 2x)}',
            [("c.png", "image", "image-set()"), ("d.png", "image", "image-set()")],
        ),
        (
            "a{b:-webkit-image-set(url(c.png) 1x, 'd.png' 2x)}",
            [("c.png", "image", "url()"), ("d.png", "image", "image-set()")],
        ),
        ('a::before{content:"url(x)"}', []),
        ("a{b:'c'}", []),
        ("/* url(x) @import 'y'; */a{b:url(c)}", [("c", "image", "url()")]),
        ("a{b:url(c) /* unclosed url(d)", [("c", "image", "url()")]),
        ("a{b:my-url(c)}", []),
        ("a{b:url()}", []),
        ('a{b:url("")}', []),
        ("@namespace svg url(http://www.w3.org/2000/svg);", []),
        ('@charset "utf-8";', []),
        ("a{b:url(c d)}e{f:url(g)}", [("g", "image", "url()")]),
        ('a{b:url(c"d)}e{f:url(g)}', [("g", "image", "url()")]),
        ("a{b:'c\n;d:url(e)}", [("e", "image", "url()")]),
        ("a{b:url(c", [("c", "image", "url()")]),
        (r"a{b:url(c\)d)}", [("c)d", "image", "url()")]),
        (r'a{b:url("c\"d\65 f")}', [('c"def', "image", "url()")]),
        ("a{b:url('c\\\nd')}", [("cd", "image", "url()")]),
        (r"a\'b{c:url(d)}", [("d", "image", "url()")]),
        ("}}}a{b:url(c)}", [("c", "image", "url()")]),
        ("a{b:calc((1px)*(2));c:url(d)}", [("d", "image", "url()")]),
    ],
)
def test_what_a_style_sheet_names(css: str, expected: list[tuple[str, str, str]]) -> None:
    assert found(css) == expected


def test_offsets_frame_the_url_as_written() -> None:
    css = "@import \"a\";b{c:url( d ), url('e\\65 ')}"
    assert [(each.url, css[each.start : each.end]) for each in references(css)] == [
        ("a", "a"),
        ("d", "d"),
        ("ee", "e\\65 "),
    ]
    assert [each.start for each in references(css, base=100)] == [109, 121, 131]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"\26 b", "&b"),
        (r"\000026b", "&b"),
        (r"\26b", "\u026b"),
        (r"\0", "\ufffd"),
        (r"\110000 ", "\ufffd"),
        (r"\d800 ", "\ufffd"),
        ("\\61\r\nb", "ab"),
        (r"\g\"", 'g"'),
    ],
)
def test_escapes(text: str, value: str) -> None:
    assert unescape(text) == value


PARTS = st.lists(
    st.sampled_from(
        [
            *("url(", ")", '"', "'", "\\", "/*", "*/", "{", "}", ";", "@import ", "@font-face"),
            *("image-set(", "a", " ", "\n", "\r", "(", "@", "-", "data:x,y", "format("),
        ]
    )
    | st.text(max_size=3)
).map("".join)


@given(PARTS)
def test_nothing_raises_and_offsets_are_in_order(css: str) -> None:
    end = 0
    for each in references(css):
        assert end <= each.start < each.end <= len(css)
        end = each.end
        assert each.url
        if "\\" not in css[each.start : each.end]:
            assert each.url == css[each.start : each.end].strip()
