"""What a page is made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpapps_cli.markup.page import Page, position, read_page
from mcpapps_cli.model import Position
from tests.markup.test_html import ANY_TEXT


def named(html: str) -> list[tuple[str, str, str, str]]:
    return [
        (each.url, each.kind, each.element, each.attribute) for each in read_page(html).references
    ]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<script src=a.js></script>", [("a.js", "script", "script", "src")]),
        ("<link rel=stylesheet href=a.css>", [("a.css", "style", "link", "href")]),
        ("<link rel='Alternate StyleSheet' href=a>", [("a", "style", "link", "href")]),
        ("<link href=a rel='shortcut icon'>", [("a", "icon", "link", "href")]),
        ("<link rel=apple-touch-icon href=a>", [("a", "icon", "link", "href")]),
        ("<link rel=modulepreload href=a>", [("a", "preload", "link", "href")]),
        (
            "<link rel=preload as=image href=a imagesrcset='b 1x, c 2x'>",
            [
                ("a", "preload", "link", "href"),
                ("b", "preload", "link", "imagesrcset"),
                ("c", "preload", "link", "imagesrcset"),
            ],
        ),
        ("<link rel=prefetch href=a>", [("a", "preload", "link", "href")]),
        ("<link rel=preconnect href=//a>", [("//a", "preconnect", "link", "href")]),
        ("<link rel=dns-prefetch href=//a>", [("//a", "preconnect", "link", "href")]),
        ("<link rel=manifest href=a>", [("a", "link", "link", "href")]),
        ("<link href=a>", [("a", "link", "link", "href")]),
        ("<img src=a.png>", [("a.png", "image", "img", "src")]),
        (
            "<picture><source srcset='a, b 2x'><img src=c></picture>",
            [
                ("a", "image", "source", "srcset"),
                ("b", "image", "source", "srcset"),
                ("c", "image", "img", "src"),
            ],
        ),
        ("<picture><source src=a></picture>", []),
        (
            "<video src=a poster=b><source src=c><track src=d></video>",
            [
                ("a", "media", "video", "src"),
                ("b", "image", "video", "poster"),
                ("c", "media", "source", "src"),
                ("d", "media", "track", "src"),
            ],
        ),
        ("<audio src=a>", [("a", "media", "audio", "src")]),
        ("<iframe src=a></iframe>", [("a", "frame", "iframe", "src")]),
        (
            "<object data=a></object><embed src=b>",
            [
                ("a", "object", "object", "data"),
                ("b", "object", "embed", "src"),
            ],
        ),
        ("<input type=IMAGE src=a>", [("a", "image", "input", "src")]),
        ("<input type=text src=a>", []),
        (
            "<svg><image href=a /><image xlink:href=b /></svg>",
            [
                ("a", "image", "image", "href"),
                ("b", "image", "image", "xlink:href"),
            ],
        ),
        ("<svg><use href=#a /></svg>", [("#a", "image", "use", "href")]),
        ("<svg><a href=b></a></svg>", [("b", "link", "a", "href")]),
        ("<svg><script href=a /></svg>", [("a", "script", "script", "href")]),
        ("<svg><rect fill='url(#g)' mask=none /></svg>", [("#g", "image", "rect", "fill")]),
        ("<svg><style>a{b:url(c)}</style></svg>", [("c", "image", "style", "url()")]),
        ("<base href=https://a/>", [("https://a/", "base", "base", "href")]),
        (
            "<form action=a><button formaction=b><input formaction=c>",
            [
                ("a", "form", "form", "action"),
                ("b", "form", "button", "formaction"),
                ("c", "form", "input", "formaction"),
            ],
        ),
        ("<a href=b>", [("b", "link", "a", "href")]),
        (
            "<meta http-equiv=Refresh content='5; URL=a.html'>",
            [
                ("a.html", "link", "meta", "content"),
            ],
        ),
        (
            "<meta http-equiv=refresh content='0;url=\"a b\"x'>",
            [("a b", "link", "meta", "content")],
        ),
        ("<meta http-equiv=refresh content=5>", []),
        ("<meta name=description content='5; url=a'>", []),
        ("<p style='a:url(b)'>", [("b", "image", "p", "style")]),
        ("<p style='a:url(&quot;b&quot;)'>", [("b", "image", "p", "style")]),
        (
            "<style>@import 'a';@font-face{src:url(b)}</style>",
            [
                ("a", "import", "style", "@import"),
                ("b", "font", "style", "url()"),
            ],
        ),
        (
            '<script type=importmap>{"imports":{"a":"./a.js"}}</script>',
            [
                ("./a.js", "import-map", "script", "json"),
            ],
        ),
        ('<script type=importmap>{"imports":{"a":}}</script>', []),
        ('<script type=importmap>{"integrity":{"a":"sha256-x"}}</script>', []),
        ("<body background=a>", [("a", "image", "body", "background")]),
        ("<img src=''><img src=' '><img src>", []),
        ("<img src='  a b  '>", [("a b", "image", "img", "src")]),
        ("<img src='a?b&amp;c'>", [("a?b&c", "image", "img", "src")]),
        ("<!-- <img src=a> --><title><img src=b></title><textarea><img src=c></textarea>", []),
        ("<noscript><img src=a></noscript>", []),
        ("<script>'<img src=a>'</script>", []),
        ("</p src=a>", []),
    ],
)
def test_what_a_page_names(html: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert named(html) == expected


@pytest.mark.parametrize(
    ("srcset", "urls"),
    [
        ("a", ["a"]),
        ("a, b", ["a", "b"]),
        ("a,b", ["a,b"]),
        ("a 1x,b 2x", ["a", "b"]),
        (" , a 1x , , b", ["a", "b"]),
        ("a, ", ["a"]),
        ("data:image/png;base64,AA== 1x, data:x,y 2x", ["data:image/png;base64,AA==", "data:x,y"]),
        ("a (1x, b) , c", ["a", "c"]),
        ("a\n100w,\tb 200w", ["a", "b"]),
        ("", []),
        (",,", []),
    ],
)
def test_srcset_is_split_as_the_standard_says(srcset: str, urls: list[str]) -> None:
    assert [url for url, _, _, _ in named(f'<img srcset="{srcset}">')] == urls


def test_a_reference_is_framed_as_written() -> None:
    html = (
        "<img src=' a&amp;b ' srcset='c&amp;d 1x, e 2x'><p style='x:url(&quot;f&#47;g&quot;)'>"
        "<style>h{i:url(j)}</style><meta http-equiv=refresh content='0; url=k&amp;l'>"
    )
    page = read_page(html)
    assert [(each.url, html[each.start : each.end]) for each in page.references] == [
        ("a&b", "a&amp;b"),
        ("c&d", "c&amp;d"),
        ("e", "e"),
        ("f/g", "f&#47;g"),
        ("j", "j"),
        ("k&l", "k&amp;l"),
    ]


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [
        ("", "classic"),
        ("type", "classic"),
        ("type=''", "classic"),
        ("type=text/javascript", "classic"),
        ("type=' Application/JavaScript '", "classic"),
        ("type=text/ecmascript", "classic"),
        ("language=JavaScript", "classic"),
        ("language=vbscript", "data"),
        ("type=module", "module"),
        ("type=MODULE", "module"),
        ("type=importmap", "importmap"),
        ("type=application/json", "data"),
        ("type=text/babel", "data"),
        ("type=text/javascript;charset=utf-8", "data"),
        ("type=speculationrules", "data"),
    ],
)
def test_the_type_of_a_script(attributes: str, kind: str) -> None:
    (script,) = read_page(f"<script {attributes}></script>").scripts
    assert script.type == kind


def test_a_script_has_its_text_and_its_end() -> None:
    html = "<p><script src=a>b</script foo>c<script>d"
    first, second = read_page(html).scripts
    assert first.src is not None
    assert first.src.value == "a"
    assert html[first.start : first.end] == "b"
    assert html[first.token.start : first.close] == "<script src=a>b</script foo>"
    assert second.src is None
    assert html[second.start : second.end] == "d"
    assert second.close == len(html)


def test_a_script_in_svg_has_its_text_and_its_end() -> None:
    html = "<svg><script>a</script><script xlink:href=b /><style>c</style></svg>"
    page = read_page(html)
    first, second = page.scripts
    assert html[first.start : first.end] == "a"
    assert html[first.token.start : first.close] == "<script>a</script>"
    assert second.src is not None
    assert second.src.value == "b"
    assert second.start == second.end == second.close == second.token.end
    assert [html[style.start : style.end] for style in page.styles] == ["c"]


def test_a_style_has_its_text() -> None:
    html = "<style>a</style><style media=x>b"
    assert [html[style.start : style.end] for style in read_page(html).styles] == ["a", "b"]


def test_a_template_is_inert() -> None:
    page = read_page(
        "<template><script src=a></script><img src=b><style>c{d:url(e)}</style>"
        "<meta http-equiv=content-security-policy content=x><meta charset=x></template><img src=f>"
    )
    assert page.scripts == ()
    assert [(each.url, each.inert) for each in page.references] == [
        ("a", True),
        ("b", True),
        ("e", True),
        ("f", False),
    ]
    assert page.csp_metas == ()
    assert page.charset is None


def starts(page: Page, *names: str) -> list[int | None]:
    found = [getattr(page, name) for name in names]
    return [None if token is None else token.start for token in found]


def test_the_tags_of_the_head_are_found() -> None:
    page = read_page(
        "<!--x-->\n<!doctype html><html><head><meta name=a><meta charset=utf-8><meta charset=b>"
    )
    assert starts(page, "doctype", "html", "head", "charset") == [9, 24, 30, 49]


def test_what_is_not_written_is_none() -> None:
    assert starts(read_page("<p>"), "doctype", "html", "head", "charset") == [None] * 4


@pytest.mark.parametrize("before", ["<p>", "x", "</p>", "<html>"])
def test_a_doctype_after_something_counts_for_nothing(before: str) -> None:
    assert read_page(f"{before}<!doctype html>").doctype is None


def test_a_byte_order_mark_before_the_doctype_is_nothing() -> None:
    assert read_page("\ufeff<!doctype html>").doctype is not None


@pytest.mark.parametrize(
    ("meta", "names"),
    [
        ("<meta charset=utf-8>", True),
        ("<meta http-equiv=Content-Type content='text/html; charset=utf-8'>", True),
        ("<meta http-equiv=Content-Type content='text/html'>", False),
        ("<meta content='charset=utf-8'>", False),
    ],
)
def test_the_meta_that_names_the_encoding(meta: str, names: bool) -> None:
    assert (read_page(meta).charset is not None) is names


def test_every_policy_meta_is_found_wherever_it_stands() -> None:
    page = read_page(
        "<meta http-equiv=Content-Security-Policy content=a><body>"
        "<meta http-equiv='content-security-policy ' content=b>"
        "<meta http-equiv=content-security-policy-report-only content=c>"
    )
    assert [meta.start for meta in page.csp_metas] == [0, 57]


@given(
    ANY_TEXT
    | st.lists(
        st.sampled_from(
            [
                "<svg>",
                "<style>",
                "</style>",
                "<script>",
                "</script>",
                "<template>",
                "</template>",
                "<img srcset='",
                "<p style='",
                "url(",
                ")",
                "&quot;",
                "'",
                ">",
                "<meta http-equiv=refresh ",
                "content='0;url=",
                "<script type=importmap>",
                '{"a":"b"}',
                "<a href=",
                " b ",
                ",",
                "\r\n",
            ]
        )
    ).map("".join)
)
def test_any_text_is_a_page(html: str) -> None:
    page = read_page(html)
    for each in page.references:
        assert 0 <= each.start <= each.end <= len(html)
        assert each.url
    for script in page.scripts:
        assert script.token.end == script.start <= script.end <= script.close <= len(html)
    for style in page.styles:
        assert style.token.end == style.start <= style.end <= len(html)


@pytest.mark.parametrize(
    ("offset", "length", "expected"),
    [
        (0, 1, Position("f", 1, 1, 1, "ab")),
        (1, 9, Position("f", 1, 2, 1, "ab")),
        (2, 1, Position("f", 1, 3, 1, "ab")),
        (3, 2, Position("f", 2, 1, 2, "cd")),
        (5, 1, Position("f", 2, 3, 1, "cd")),
        (6, 1, Position("f", 2, 4, 1, "cd")),
        (7, 1, Position("f", 3, 1, 1, "")),
        (8, 1, Position("f", 4, 1, 1, "é")),
        (9, 1, Position("f", 4, 2, 1, "é")),
        (99, 1, Position("f", 4, 2, 1, "é")),
        (-1, 1, Position("f", 1, 1, 1, "ab")),
    ],
)
def test_position(offset: int, length: int, expected: Position) -> None:
    assert position("ab\ncd\r\n\ré", offset, "f", length) == expected
