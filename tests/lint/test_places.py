"""Lines, columns, pointers and excerpts of what a rule points at."""

from __future__ import annotations

import pytest

from mcpapps_cli.lint.place import json_place
from mcpapps_cli.lint.rule import Subject, is_html, is_loopback, is_relative, resource, server
from mcpapps_cli.lint.served import Served
from mcpapps_cli.model import Position

URI = "ui://app/chart.html"


def served(html: str) -> Served:
    (view,) = Subject(server(resource(html=html)).inventory).resources
    assert view.page is not None
    return view.page


@pytest.mark.parametrize(
    ("html", "word", "line", "column", "source"),
    [
        ("<html>ab", "ab", 1, 7, "<html>ab"),
        ("<html>\n\n  ab\n", "ab", 3, 3, "  ab"),
        ("<html>\r\nx ab\r\n", "ab", 2, 3, "x ab"),
        ("<html>\rab", "ab", 2, 1, "ab"),
        ("<html>\n\tÅß😀ab", "ab", 2, 5, "\tÅß😀ab"),
        # Not line ends in HTML, whatever `str.splitlines` thinks.
        ("<html>\x0b\x0c\u2028\x85ab", "ab", 1, 11, "<html>\x0b\x0c\u2028\x85ab"),
    ],
)
def test_lines_and_columns_are_counted_in_characters(
    html: str, word: str, line: int, column: int, source: str
) -> None:
    start = html.index(word)
    place = served(html).at(start, start + len(word))
    assert place.position == Position(URI, line, column, len(word), source)


def test_a_span_over_several_lines_ends_with_its_first() -> None:
    html = "<html><p\nid=a\n>"
    place = served(html).at(6, len(html))
    assert place.position == Position(URI, 1, 7, 2, "<html><p")


def test_a_place_at_the_end_of_the_document_is_one_character_long() -> None:
    place = served("<html>\n").at(7)
    assert place.position == Position(URI, 2, 1, 1, "")


@pytest.mark.parametrize(
    ("path", "pointer", "excerpt"),
    [
        ((), "t#", ""),
        (("a",), "t#/a", '"a": {"b/c~d": [1, "ü"]}'),
        (("a", "b/c~d"), "t#/a/b~1c~0d", '"b/c~d": [1, "ü"]'),
        (("a", "b/c~d", 1), "t#/a/b~1c~0d/1", '"ü"'),
        (("a", "none"), "t#/a/none", ""),
        (("a", "b/c~d", 9), "t#/a/b~1c~0d/9", ""),
    ],
)
def test_pointers_are_escaped_and_the_excerpt_is_the_value(
    path: tuple[str | int, ...], pointer: str, excerpt: str
) -> None:
    place = json_place("s", "t", {"a": {"b/c~d": [1, "ü"]}}, path)
    assert (place.pointer, place.excerpt) == (pointer, excerpt)


@pytest.mark.parametrize("url", ["a.png", "./a.png", "/a.png", "../a", "?q", "a b", "%VITE%", " a"])
def test_relative_urls(url: str) -> None:
    assert is_relative(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        " ",
        "#",
        "#a",
        "data:,",
        "blob:x",
        "https://a",
        "//cdn.example.com/a",
        "mailto:a",
        "A-b.c+1:",
    ],
)
def test_urls_that_need_no_base(url: str) -> None:
    assert not is_relative(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost",
        "http://localhost:3000/a",
        "https://app.localhost/",
        "ws://127.0.0.1:1",
        "http://[::1]:8080/",
        "http://0.0.0.0",
        "//localhost/a",
        "http://me:x@localhost/",
    ],
)
def test_addresses_of_this_machine(url: str) -> None:
    assert is_loopback(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://localhost.example.com",
        "https://notlocalhost/",
        "https://example.com/http://localhost",
        "https://127.0.0.1.example.com",
        "localhost",
        "https://example.com:127",
    ],
)
def test_addresses_of_other_machines(url: str) -> None:
    assert not is_loopback(url)


@pytest.mark.parametrize(
    "text",
    [
        "<!doctype html>",
        "\ufeff \n<!DOCTYPE  HTML PUBLIC>",
        "<HTML lang=en>",
        "<!-- a --><!-- b -->\n<html>",
        "<p>hello</p><html>",
        "<!-- " + "x" * 5000 + " --><html>",
    ],
)
def test_documents(text: str) -> None:
    assert is_html(text)


@pytest.mark.parametrize(
    "text",
    ["", " ", "{}", "[1]", "<p>hello</p>", "<!-- <html> -->", "<htmlx>", "x" * 1024 + "<html>"],
)
def test_no_documents(text: str) -> None:
    assert not is_html(text)
