"""String literals and imports of JavaScript."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpapps_cli.markup.js import imports, strings, template_heads
from mcpapps_cli.markup.literal import Import, StringLiteral
from tests.markup.test_html import calls


def values(js: str) -> list[str]:
    return [each.value for each in strings(js)]


@pytest.mark.parametrize(
    ("js", "expected"),
    [
        ("f('a', \"b\", `c`)", ["a", "b", "c"]),
        ("''+\"\"", ["", ""]),
        (r"'a\'b' + 'c\\'", ["a'b", "c\\"]),
        (r"'\n\t\x41\u0042\u{43}\0\a\101'", ["\n\tABC\0aA"]),
        (r"'\ud83d\ude00' + '\ud83d'", ["\U0001f600", "\ufffd"]),
        (r"'\u{110000}'", ["\ufffd"]),
        ("'a\\\nb' + 'c\\\r\nd'", ["ab", "cd"]),
        ("'a\u2028b'", ["a\u2028b"]),
        ("// 'a'\n'b'", ["b"]),
        ("/* 'a' */'b'/**/+'c'", ["b", "c"]),
        ("/* 'a'", []),
        ("#!/usr/bin/env 'a'\n'b'", ["b"]),
        ("<!-- 'a'\n'b'\n--> 'c'\n'd'", ["b", "d"]),
        ("while (n --> 0) 'a'", ["a"]),
        ("x <!--y + 'a'", ["a"]),
        ("'unclosed\n'b'", ["b"]),
        ("`a", []),
        ("`a${'b'}c` + 'd'", ["b", "d"]),
        ("`${`${'a'}` + {b: 'c'}.b}` + 'd'", ["a", "c", "d"]),
        ("`a\\`b` + `c$d` + `$` + `{}`", ["a`b", "c$d", "$", "{}"]),
        ("`${a}'${b}\"` + 'c'", ["c"]),
        ("tag`a`", ["a"]),
        ("x = /'/; 'a'", ["a"]),
        ("x = /[/'\"]/g; 'a'", ["a"]),
        ("x = /\\/'/; 'a'", ["a"]),
        ("f(/'/, 'a')", ["a"]),
        ("return /'/.test('a')", ["a"]),
        ("a.return / 2 / 'b'", ["b"]),
        ("a / 'b' / c", ["b"]),
        ("(a) / 'b' / c", ["b"]),
        ("a[0] / 'b' / c", ["b"]),
        ("1 / 'b' / c", ["b"]),
        ("1. / 'b' / c", ["b"]),
        ("a++ / 'b' / c", ["b"]),
        ("'a' / 'b' / c", ["a", "b"]),
        ("`a` / 'b' / c", ["a", "b"]),
        ("/a/g / 'b' / c", ["b"]),
        ("x = /a/ / 'b' / c", ["b"]),
        ("if (a) /'/.test('b')", ["b"]),
        ("while (f(a)) /'/.test('b')", ["b"]),
        ("a.if (b) / 'c' / d", ["c"]),
        ("{} /'/.test('a')", ["a"]),
        ("function f() {} /'/.test('a')", ["a"]),
        ("x = {} / 'a' / b", ["a"]),
        ("x = {a: {}} / 'b' / c", ["b"]),
        ("({}) / 'a' / b", ["a"]),
        ("f = () => {}\n/'/.test('a')", ["a"]),
        ("a /* x */ / 'b' / c", ["b"]),
        ("a // x\n/ 'b' / c", ["b"]),
        ("[...'a', .../'/.b]", ["a"]),
        ("x = y ? /'/ : 'a'", ["a"]),
        ("!/'/.test('a')", ["a"]),
        ("a => /'/", []),
        ("case /'/: 'a'", ["a"]),
        ("typeof /'/ + 'a'", ["a"]),
        ("é / 'a' / b", ["a"]),
        ("a / b\n'c'", ["c"]),
        ("a = b / [c]\n'd'", ["d"]),
        ("x = / 'a'\n'b'", ["a", "b"]),
    ],
)
def test_strings(js: str, expected: list[str]) -> None:
    assert values(js) == expected


def test_a_string_has_its_place_and_quote() -> None:
    assert list(strings("x = 'a\\n' + `b`")) == [
        StringLiteral("a\n", 4, 9, "'"),
        StringLiteral("b", 12, 15, "`"),
    ]


def test_the_head_of_a_template_with_substitutions() -> None:
    js = "fetch(`https://a/${b}/c`); `plain`; `${d}`"
    assert list(template_heads(js)) == [
        StringLiteral("https://a/", 6, 17, "`"),
        StringLiteral("", 36, 37, "`"),
    ]


@pytest.mark.parametrize(
    ("js", "specifier", "kind", "clause"),
    [
        ("import 'a'", "a", "side-effect", ""),
        ('import"a";', "a", "side-effect", ""),
        ("import a from 'b';", "b", "static", "a"),
        ("import{a as b,c}from'd';", "d", "static", "{a as b,c}"),
        ("import * as a from 'b'", "b", "static", "* as a"),
        ("import*as a from'b'", "b", "static", "*as a"),
        ("import a, {b} from 'c'", "c", "static", "a, {b}"),
        ("import a, * as b from 'c'", "c", "static", "a, * as b"),
        ("import {\n  a, // one\n  b,\n} from 'c'", "c", "static", "{\n  a, // one\n  b,\n}"),
        ("import /* x */ a /* y */ from /* z */ 'b'", "b", "static", "a"),
        ("import from from 'b'", "b", "static", "from"),
        ("import type from 'b'", "b", "static", "type"),
        ("import type {A} from 'b'", "b", "static", "{A}"),
        ("import type A from 'b'", "b", "static", "A"),
        ("import $ from 'b'", "b", "static", "$"),
        ("import é from 'b'", "b", "static", "é"),
        ("import a from 'b' with {type: 'json'};", "b", "static", "a"),
        ("import a from 'b' assert {type: 'json'}", "b", "static", "a"),
        ("export * from 'a'", "a", "export", "*"),
        ("export * as b from 'a';", "a", "export", "* as b"),
        ("export {a, default as b} from 'c'", "c", "export", "{a, default as b}"),
        ("export{}from'c'", "c", "export", "{}"),
        (r"import 'a\u0062'", "ab", "side-effect", ""),
        ("import('a')", "a", "dynamic", ""),
        ("import(`a`)", "a", "dynamic", ""),
        ("import( /* x */ 'a' /* y */ )", "a", "dynamic", ""),
        ("import('a', {with: {type: 'json'}})", "a", "dynamic", ""),
        ("import ('a',)", "a", "dynamic", ""),
    ],
)
def test_an_import_is_found_whole(js: str, specifier: str, kind: str, clause: str) -> None:
    (found,) = imports(f"/**/{js}\n+1")
    assert (found.specifier, found.kind, found.clause) == (specifier, kind, clause)
    assert (found.start, found.end) == (4, 4 + len(js))
    assert not found.computed


@pytest.mark.parametrize("js", ["import(a)", "import('a' + b)", "import(`a${b}`)", "import(a, b)"])
def test_a_computed_import_has_no_specifier(js: str) -> None:
    assert list(imports(f"  {js}")) == [Import("", 2, 9, 9, 9, "dynamic", computed=True)]


@pytest.mark.parametrize(
    "js",
    [
        "import.meta.url",
        "a.import('b')",
        "a?.import('b')",
        "$import('b')",
        "importx('b')",
        "// import 'a'",
        "/* import 'a' */",
        "'import \"a\"'",
        "`import 'a'`",
        "/import 'a'/",
        "export {a}; from('b')",
        "export default 'a'",
        "export const a = 'b'",
        "{import: 'a'}",
        "import a 'b'",
        "import",
        "export",
    ],
)
def test_what_only_looks_like_an_import_is_none(js: str) -> None:
    assert list(imports(js)) == []


def test_imports_come_in_order_with_the_place_of_the_specifier() -> None:
    js = "import a from 'x';\nexport * from \"y\";\nconst b = await import('z');"
    found = list(imports(js))
    assert [js[each.spec_start : each.spec_end] for each in found] == ["x", "y", "z"]
    assert [each.kind for each in found] == ["static", "export", "dynamic"]
    assert js[found[2].start : found[2].end] == "import('z')"


def test_an_import_inside_a_substitution_is_found() -> None:
    assert [each.specifier for each in imports("`${await import('a')}`")] == ["a"]


FRAGMENTS = [
    *(
        "'",
        '"',
        "`",
        "${",
        "}",
        "{",
        "(",
        ")",
        "/",
        "//",
        "/*",
        "*/",
        "\\",
        "\n",
        "[",
        "]",
        "=",
        " ",
    ),
    *(
        "import ",
        "export ",
        "from ",
        "import(",
        "a",
        "return ",
        ".",
        "<!--",
        "-->",
        "if(",
        "with {",
    ),
    *("++", "*", "as ", ";", ":", "?", "=>", "\u2028", "\\u{", "\\x4", "\r\n"),
]
SOUP = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=3)).map("".join)


@given(SOUP)
def test_nothing_raises_and_offsets_are_in_order(js: str) -> None:
    end = 0
    for string in strings(js):
        assert end <= string.start < string.end <= len(js)
        assert js[string.start] == js[string.end - 1] == string.quote
        string.value.encode("utf-8")
        end = string.end
    last = -1
    for found in imports(js):
        assert last < found.start < found.spec_start <= found.spec_end <= found.end <= len(js)
        assert js.startswith(("import", "export"), found.start)
        last = found.start
    for head in template_heads(js):
        assert js.startswith("${", head.end)


LITERALS = st.text(
    st.characters(exclude_characters="\\\"'`$\n\r", exclude_categories=["Cs"]), max_size=8
)
OPERANDS = LITERALS.flatmap(
    lambda text: st.sampled_from(
        [("'", f"'{text}'", text), ('"', f'"{text}"', text), ("`", f"`{text}`", text)]
    )
)
GLUE = st.sampled_from(
    [" + ", ", ", ";\n", " / a / ", " + /['\"`/]/g.source + ", " /* ' */ + ", " // `\n + "]
)


@given(st.lists(st.tuples(OPERANDS, GLUE), min_size=1))
def test_every_string_of_a_program_is_found_and_nothing_else(
    parts: list[tuple[tuple[str, str, str], str]],
) -> None:
    js = "x = " + "".join(written + glue for (_, written, _), glue in parts) + "1"
    assert [(each.quote, each.value) for each in strings(js)] == [
        (quote, value) for (quote, _, value), _ in parts
    ]


@pytest.mark.parametrize(
    "part",
    [
        *("'", "`", "`${", "}", "/", "(/[", "=/", "/*", "import ", "import{", "import(", "a/b"),
        *("import/*", "export{", 'import("x",{', "a\n-->", "if(a)/", "import 'x' with{", "''"),
    ],
)
def test_twice_the_script_is_at_most_twice_the_work(part: str) -> None:
    few, many = (part * 2000, part * 4000)
    list(strings(part))
    list(imports(part))
    assert calls(lambda: list(imports(many))) <= 2.1 * calls(lambda: list(imports(few))) + 50
    assert sum(1 for _ in strings(part * 50_000)) <= 50_000
