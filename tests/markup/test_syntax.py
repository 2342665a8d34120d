"""Where a script stops being JavaScript; what is valid is ECMA-262 with its stage 3 proposals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpapps_cli.markup.code import Code
from mcpapps_cli.markup.syntax import syntax_fault

VALID = r"""
using_ = 1; async function g() { for await (const x of y); }
import json from "x" with { type: "json" }; export { y as null }; export * as "a b" from "x";
/[\p{L}--[a-z]]/v.test(s); a = b / c / d; x = y ? /re/ : z / 2;
do x(); while (y) z();
class A { static { this.x = 1 } #p = 1; has(o) { return #p in o } static async *g() {} get; set; }
class B { accessor z = 1; "quoted" = 2; [c] = 3 }
a ||= b; a &&= c; a ??= d; a **= 2; x = a?.[0]?.(b) ?? c; 1_000n; 0b1; .5e3;
`a${`b${c}`}`; tag`\unicode`; html`<div>${x}</div>`;
try { } catch { } import.meta.url; import("x").then();
var { a, ...rest } = b; [a, , b] = c; ({ a: b.c } = d); ({ a = 1 } = {});
<!-- comment
var ünï = 2; var 𠮷 = 3; "\u{1F600}"; for (let in obj);
if (i <n) draw(); x = (a) <b; items.map((i) => i <3);
""".strip().splitlines()


@pytest.mark.parametrize("source", VALID)
def test_valid_code_has_no_fault(source: str) -> None:
    assert syntax_fault(Code(source)) is None


@pytest.mark.parametrize(
    ("source", "start", "message"),
    [
        ("const x = ;", 8, "this is no JavaScript"),
        ("a();\nfoo(", 5, "this is no JavaScript"),
        ("let x = {a: 1;", 8, 'this "{" is not closed'),
        ("f();\nfunction a() {\n  b();\n", 18, 'this "{" is not closed'),
        ("const a = 1 const b = 2;", 11, 'a ";" is missing here'),
        ("x = 1; } y = 2;", 7, "this is no JavaScript"),
        ("const x: number = 1;", 6, "this is no JavaScript"),
        ("x = 'it's';", 8, "this is no JavaScript"),
        ("const y = <div>hi</div>;", 10, "this is JSX, which no browser reads"),
        ("export { y as null }; const x = ;", 30, "this is no JavaScript"),
    ],
)
def test_a_fault_is_found_where_it_is(source: str, start: int, message: str) -> None:
    found = syntax_fault(Code(source))
    assert found is not None
    assert (found.start, found.message) == (start, message)


PIECES = st.sampled_from(
    [
        *(
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            "`",
            "${",
            "<",
            "<div>",
            "/>",
            "=>",
            "=",
            ";",
            "\n",
            "'",
            '"',
        ),
        *(
            "return ",
            "const x",
            "class A",
            "export",
            "import",
            " as ",
            "accessor ",
            "#p",
            "?.",
            "/",
        ),
        *(
            "/*",
            "*/",
            "//",
            "<!--",
            "@d",
            "async ",
            "await ",
            "\\u",
            "1n",
            ".5",
            "...",
            "é",
            "\ud800",
        ),
    ]
)


@given(st.lists(PIECES | st.text(max_size=3), max_size=40).map("".join))
def test_any_text_has_a_fault_inside_it_or_none(source: str) -> None:
    found = syntax_fault(Code(source))
    assert found is None or 0 <= found.start <= found.end <= len(source) + 1
