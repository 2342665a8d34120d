"""What goes wrong when a page becomes one file, and that each has a test which shows it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import FunctionType

import pytest

from tests.bundle import (
    test_pitfalls_assets,
    test_pitfalls_loading,
    test_pitfalls_modules,
    test_pitfalls_policy,
    test_pitfalls_scripts,
)

PITFALLS = {
    1: "`</script` in a script ends its element",
    2: "`<!--` and `<script` in a script hide the end of its element",
    3: "U+2028 and U+2029 in a string",
    4: "markup in a block of JSON",
    5: "inline scripts run in another order than files",
    6: "a module that is inlined as a classic script shares its names",
    7: "one function call knows no await at the top level",
    8: "modules that are bundled apart hold what they share twice",
    9: "an inline handler does not see what a module declares",
    10: "an address beside the module is one beside the host's page",
    11: "a dynamic import has no file to load",
    12: "a worker has no file to load",
    13: "WebAssembly has no file to load",
    14: "code that is made from text is blocked",
    15: "a browser has no process.env and no import.meta.env",
    16: "tsconfig.json says how TypeScript and JSX are read",
    17: "queries and functions that only Vite knows",
    18: "style sheets that a program has to compile first",
    19: "parts of Node, and packages that are not there",
    20: "a source map is larger than the rest",
    21: "the notices of licences have to stay",
    22: "the result depends on the folder and the machine",
    23: "the pictures of a sheet",
    24: "names in image-set() without url()",
    25: "the fragment of a picture's address",
    26: "an @import after rules is ignored",
    27: "`</style` in a sheet ends its element",
    28: "a byte order mark takes the first rule of a sheet along",
    29: "nested rules are new to browsers",
    30: "the pictures of a page, its icons and what it loads beforehand",
    31: "a sprite is not shown from a data: URL",
    32: "an inlined font is blocked",
    33: "a base address changes where links lead",
    34: "addresses of other origins are blocked",
    35: "a policy counts from where it stands, and never in the body",
    36: "the encoding is sought in the first 1024 bytes",
    37: "directives that a meta element ignores",
    38: "of several policies each has to allow what runs",
    39: "a hash is of the text with LF, and ends 'unsafe-inline'",
    40: "an opaque origin has no storage",
}
MODULES = (
    test_pitfalls_scripts,
    test_pitfalls_loading,
    test_pitfalls_modules,
    test_pitfalls_assets,
    test_pitfalls_policy,
)


def marked(number: int) -> Iterator[FunctionType]:
    for module in MODULES:
        for function in vars(module).values():
            for mark in getattr(function, "pytestmark", ()) if callable(function) else ():
                if mark.name == "pitfall" and number in mark.args:
                    yield function


@pytest.mark.parametrize("number", PITFALLS)
def test_it_is_loaded_in_a_browser_or_refused_by_name(number: int) -> None:
    ways = [
        {"show", "screen"} & set(inspect.signature(test).parameters)
        or "refusal(" in inspect.getsource(test)
        for test in marked(number)
    ]
    assert ways
    assert all(ways)


def test_no_test_is_of_a_pitfall_that_there_is_not() -> None:
    marked = {
        number
        for module in MODULES
        for function in vars(module).values()
        for mark in getattr(function, "pytestmark", ())
        if mark.name == "pitfall"
        for number in mark.args
    }
    assert marked == set(PITFALLS)
