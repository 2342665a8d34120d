"""The HTML tokenizer against the standard, as html5lib implements it, and its offsets."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mcpapps_cli.markup.html import Token, tokenize
from tests.markup.standard import by_html5lib, by_us

FRAGMENTS = [
    *("<", ">", "</", "<!", "<!--", "-->", "--!>", "--", "-", "!", "/", "=", "'", '"', " ", "\n"),
    *("\r\n", "\r", "\t", "\f", "a", "B", "x&y", "&amp;", "&amp", "&lt", "&not=1", "&notit;"),
    *("&#65;", "&#x41", "&", "<script>", "</script>", "</script foo>", "</SCRIPT/x>", "<script"),
    *("</script", "<title>", "</title>", "</title ", "<textarea>", "</textarea>", "<style>"),
    *("</style>", "<xmp>", "</xmp>", "<iframe>", "</iframe>", "<noscript>", "</noscript>"),
    *("<noframes>", "</noframes>", "<plaintext>", "<div>", "</div>", "<p>"),
    *("<b class=a id='b' x=\"c\">", "<br/>", "<a href=x/>", "<i a=1 a=2 =b>", "<!doctype html>"),
    *("<!DOCTYPE", "<?x", "</ ", "</>", "<![CDATA[", "]]>", "<!-->", "<!--->", "<div a= >"),
    *("<div a = b c>", "<div a'b=\"c>", "<div \0a=\0>", "\0", "é", "<\u212a>", "</\u017fcript>"),
    *("<a/b/c>", "<a b=c&amp=d e='&lt;&ltx&lt=1'>", "<!---!>", "<!----!>", "<script/>"),
    "<!--<script>",
]
# html5lib 1.1 knows neither `template` nor the rule that `</p>` and `</br>` leave foreign content.
FOREIGN = [
    *("<svg>", "</svg>", "<svg/>", "<math>", "</math>", "<g>", "</g>", "<path/>"),
    *("<foreignObject>", "</foreignObject>", "<desc>", "</desc>", "<title>", "</title>", "<mi>"),
    *("</mi>", "<annotation-xml>", "<annotation-xml encoding=text/html>", "</annotation-xml>"),
    *("<mglyph>", "<malignmark/>", "<style>", "</style>", "<script>", "</script>"),
    *("<![CDATA[x<b>]]>", "<![CDATA[", "]]>", "<div>", "</div>", "<p>", "<b>", "</b>", "<span>"),
    *("</span>", "<font>", "<font color=x>", "<br>", "x", " ", "<textarea>", "</textarea>"),
    *("<!--x-->", "<li>", "</li>", "<ul>", "</ul>", "<h1>", "</h1>", "<img>", "<a b/>"),
]
SOUP = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=3), max_size=14).map("".join)
FOREIGN_SOUP = st.lists(st.sampled_from(FOREIGN), max_size=14).map("".join)
ANY_TEXT = st.text() | SOUP | FOREIGN_SOUP


@given(SOUP)
@example("<script><!--<script></script>--></script>")
@example("<title></title/a>b")
def test_tokens_are_those_of_html5lib(text: str) -> None:
    assert by_us(text) == by_html5lib(text)


@given(FOREIGN_SOUP)
@example("<svg><foreignObject><p></foreignObject></svg><style><b></style>")
@example("<div><svg><g></div><script><b></script>")
def test_foreign_content_is_that_of_html5lib(text: str) -> None:
    assert by_us(text) == by_html5lib(text)


PAGES = {
    "plain": "<!DOCTYPE html>\n<html lang=en>\n<head><meta charset='utf-8'><title>A &amp; B</title>"
    "</head>\n<body class=\"a b\" data-x='&quot;'>\n<p>One<p>Two<br>\n</body></html>\n",
    "scripts": "<!doctype html><script>if (a<b && c>d) x='<p>';</script><script type=module>"
    "import a from 'b'</script\n><script>'<!--<script>' + '</script>--></script>'</script>"
    '<script src="a.js" defer></script>tail',
    "commented script": "<script><!--\nfoo('</' + 'script>');\n//--></script><p>",
    "double escape": "<script><!-- <script> </script> --> </script><b>after</b>",
    "unclosed double escape": "<script>var a = '<!--<script>';</script><p>lost</p>",
    "raw text": "<style>a::before{content:'</p>'}</style><textarea><b></textarea><xmp><i></xmp>"
    "<noscript><img src=x></noscript><iframe><p></iframe><noframes><p></noframes>",
    "comments": "<!--a--><!-- a -- b --><!--><!---><!--a--!>b<!---->c<!--<!-->d<!-- --!x -->e",
    "bogus": "<?php echo 1 ?></ a><!a><![CDATA[x]]></><//><1><é>",
    "attributes": "<a b c=d e='f' g=\"h\" B=2 i = j k=/l/ m=n/><a/b/ c/><a \"b='c'>"
    "<a =b==c><a b='x'c=\"y\"d><a b=`c`><a <b>",
    "references": "<a b='&amp;&lt&gt;&copy=1&copy;2&copy3&#x26;&#38&#0;'"
    " c=&#x110000;&#128;&hellip;&x;>",
    "foreign": "<svg viewBox='0 0 1 1'><title>a<b>c</b></title><style>a>b{}</style><path d=''/>"
    "<script><![CDATA[ a<b ]]></script></svg><style>a>b</style><math><mi><p>x</mi></math>",
    "table": "<table><tr><td><svg><g></td><td><style><a></style></table><textarea><p>",
    "line ends": "<p\r\na\rb='c\r\nd'>\r\n<pre>\r\n</pre>\r",
    "end in tag": "text<a b='c",
    "end in end tag": "<title>a</title",
    "end in comment": "a<!-- b",
    "end in script": "<script>a</scrip",
    "plaintext": "<p><plaintext></plaintext><p>",
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_read_as_html5lib_reads_it(name: str) -> None:
    assert by_us(PAGES[name]) == by_html5lib(PAGES[name])


@given(ANY_TEXT)
@example("<svg><![CDATA[")
@example("<svg><![CDATA[]]>")
def test_offsets_are_in_order_and_frame_what_they_name(text: str) -> None:
    end = 0
    for token in tokenize(text):
        assert end <= token.start < token.end <= len(text)
        end = token.end
        if token.kind in ("start", "end"):
            assert text[token.start] == "<"
            assert text[token.end - 1] == ">"
            lead = 1 if token.kind == "start" else 2
            raw = text[token.start + lead : token.start + lead + len(token.name)]
            assert raw.replace("\0", "\ufffd").lower() == token.name or not raw.isascii()
        last = token.start
        for attr in token.attrs:
            assert last < attr.start < attr.end < token.end
            last = attr.end - 1
            if attr.value is None:
                assert (attr.value_start, attr.value_end) == (-1, -1)
            else:
                assert attr.start < attr.value_start <= attr.value_end <= attr.end


@given(ANY_TEXT)
def test_a_page_without_brackets_inside_is_covered_by_its_tokens(text: str) -> None:
    covered = sum(token.end - token.start for token in tokenize(text))
    assert covered <= len(text)
    if "<" not in text:
        assert covered == len(text)


def tokens(text: str) -> list[Token]:
    return list(tokenize(text))


def pieces(text: str) -> list[tuple[str, str]]:
    return [(token.kind, text[token.start : token.end]) for token in tokenize(text)]


def test_attributes_have_the_offsets_of_name_and_value() -> None:
    text = "<a b c=d E = 'f&amp;g' h=\"\" i=>"
    found = tokens(text)[0].attrs
    written = [
        (attr.name, attr.value, text[attr.start : attr.end], attr.value_start) for attr in found
    ]
    assert written == [
        ("b", None, "b", -1),
        ("c", "d", "c=d", 7),
        ("e", "f&g", "E = 'f&amp;g'", 14),
        ("h", "", 'h=""', 26),
        ("i", "", "i=", 30),
    ]
    assert text[found[2].value_start : found[2].value_end] == "f&amp;g"


def test_of_a_repeated_attribute_the_first_counts() -> None:
    (token,) = tokens("<a href=1 HREF=2>")
    assert [(attr.name, attr.value) for attr in token.attrs] == [("href", "1")]


def test_get_finds_an_attribute_by_name() -> None:
    (token,) = tokens("<a href=1>")
    href = token.get("href")
    assert href is not None
    assert href.value == "1"
    assert token.get("src") is None


def test_script_text_is_one_token() -> None:
    assert pieces("<script>a</p><b>c</script >d") == [
        ("start", "<script>"),
        ("text", "a</p><b>c"),
        ("end", "</script >"),
        ("text", "d"),
    ]


@pytest.mark.parametrize(
    ("script", "content"),
    [
        ("a</script foo>b", "a"),
        ("a</script/>b", "a"),
        ("a</SCRIPT\n>b", "a"),
        ("a</scripts></script>b", "a</scripts>"),
        ("a</\u017fcript></script>b", "a</\u017fcript>"),
        ("<!--</script>b", "<!--"),
        ("<!--<script></script></script>b", "<!--<script></script>"),
        ("<!--<script>--></script>b", "<!--<script>-->"),
        ("<!--><script></script>b", "<!--><script>"),
        ("<!---><script></script>b", "<!---><script>"),
        ("<!--<scripts></script>b", "<!--<scripts>"),
        ("<!--<script </script/</script>b", "<!--<script </script/"),
        ("<script></script>b", "<script>"),
        ("'\\x3c!--<script>'</script>b", "'\\x3c!--<script>'"),
    ],
)
def test_where_a_script_ends(script: str, content: str) -> None:
    found = pieces(f"<script>{script}")
    assert found[1] == ("text", content)
    assert found[2][0] == "end"


def test_a_script_in_the_double_escaped_state_swallows_the_page() -> None:
    text = "<script>'<!--<script>'</script><p>"
    assert pieces(text) == [("start", "<script>"), ("text", text[8:])]


def test_noscript_is_text_because_views_have_scripts() -> None:
    assert pieces("<noscript><img></noscript>")[1] == ("text", "<img>")


def test_cdata_is_text_in_svg_and_a_comment_in_html() -> None:
    assert pieces("<svg><![CDATA[a<b>]]></svg>") == [
        ("start", "<svg>"),
        ("text", "a<b>"),
        ("end", "</svg>"),
    ]
    assert pieces("<p><![CDATA[a<b>]]>")[1] == ("comment", "<![CDATA[a<b>")


def test_a_foreign_element_is_marked() -> None:
    found = [(token.name, token.foreign) for token in tokenize("<svg><a/><p><a/>")]
    assert found == [("svg", True), ("a", True), ("p", False), ("a", False)]


@pytest.mark.parametrize("tag", ["</p>", "</br>", "<p>", "<font size=1>"])
def test_what_leaves_foreign_content_makes_style_raw_again(tag: str) -> None:
    # HTML, 13.2.6.5; the two end tags were added after html5lib 1.1.
    assert pieces(f"<svg><g>{tag}<style><b></style>")[-2] == ("text", "<b>")


def test_template_content_is_read_like_the_rest() -> None:
    assert [token.name for token in tokenize("<template><p></p></template>")] == [
        *("template", "p", "p", "template"),
    ]


def test_a_doctype_has_its_name() -> None:
    assert [(token.kind, token.name) for token in tokenize("<!DOCTYPE  HTML public 'a>b'>")] == [
        ("doctype", "html"),
        ("text", ""),
    ]


def calls(work: Callable[[], Any]) -> int:
    """Count the calls of Python and C functions; unlike time it is the same on every run."""
    count = 0

    def profile(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


NASTY = [
    *("<", "<a ", "<a b='", "<a =", "</", "<!", "<!--", "<![CDATA[", "<svg>", "<svg><g></x>"),
    *("<script><!--", "<script><!--<script>", "<span></x>", "<p><span>", "<b></b>", "</b>"),
    *("<table><tr><td>", "<svg><![CDATA[", "<title></titl", "<li>", "&", "<a b=&#1&x "),
]


@pytest.mark.parametrize("part", NASTY)
def test_twice_the_text_is_at_most_twice_the_work(part: str) -> None:
    # Past the depth at which the search among open elements is bounded.
    few, many = (part * 3000, part * 6000)
    # Outside the profile, so that nothing is cached for one of the two only.
    list(tokenize(part))
    assert calls(lambda: list(tokenize(many))) <= 2.1 * calls(lambda: list(tokenize(few))) + 50


@pytest.mark.parametrize("part", NASTY)
def test_a_long_nasty_text_is_read_to_its_end(part: str) -> None:
    # Quadratic work inside the regular expressions, where calls do not count, would not end.
    text = part * (200_000 // len(part))
    last = 0
    for token in tokenize(text):
        last = token.end
    assert last <= len(text)
