from __future__ import annotations

import pytest

from mcpapps_cli.stage.probe import splice_probe


@pytest.mark.parametrize(
    ("html", "at"),
    [
        ("<!doctype html><html>", 15),
        ("<!DOCTYPE html>\n<html>", 15),
        ('<!doctype html PUBLIC "-//W3C//DTD HTML 4.01//EN"><html>', 50),
        ("\n  <!-- hi -->\n<!doctype html>\n", 30),
        ("<!--><!doctype html>", 20),
        ("<?xml version='1.0'?><!doctype html>", 36),
        ("<html>", 0),
        ("text <!doctype html>", 0),
        ("<!-- never closed <!doctype html>", 0),
        ("", 0),
        ("<!-- \U0001f600 --><!doctype html>", 26),
    ],
)
def test_probe_goes_right_after_the_doctype_else_to_the_start(html: str, at: int) -> None:
    assert splice_probe(html, "secret").at == at


def test_probe_is_one_line_of_ascii_without_an_early_end() -> None:
    text = splice_probe("", 'a"b').text
    assert text.isascii()
    assert not set(text) & set("\r\n")
    assert text.startswith('<script>(() => { "use strict"; ')
    assert text.endswith('startProbe("a\\"b", []); })();</script>')
    assert text.count("</script") == 1
    assert "<!--" not in text


def test_columns_after_the_probe_are_those_of_the_author() -> None:
    splice = splice_probe("\n<!doctype html><script>boom()", "secret")
    assert (splice.line, splice.column) == (2, 16)
    behind = 16 + len(splice.text)
    assert splice.original_column(2, behind) == 16
    assert splice.original_column(2, behind + 8) == 24
    assert splice.original_column(2, 15) == 15
    assert splice.original_column(3, behind) == behind
    assert splice.original_column(2, None) is None


def test_place_inside_the_probe_is_where_the_probe_is() -> None:
    assert splice_probe("<!doctype html>", "secret").original_column(1, 20) == 16
