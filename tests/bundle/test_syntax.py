"""Scripts that no browser could read, and names that nothing has."""

from __future__ import annotations

import pytest

from mcpapps_cli.bundle import EngineMissing, jsx
from mcpapps_cli.embed import bridge_names
from mcpapps_cli.errors import SourceError
from tests.bundle.conftest import HEAD, Build, Screen
from tests.bundle.test_source import refusal


@pytest.mark.parametrize("mark", ["", ' type="module"'])
@pytest.mark.parametrize("inline", [True, False])
@pytest.mark.parametrize(
    ("code", "message", "line", "column"),
    [
        ("foo(1;\n", '")" is missing', 2, 5),
        ("function f() {\n  if (a) {\n}\n", '"}" is missing', 4, 1),
        ("const = 5\n", '"const =" is a syntax error', 2, 1),
        ("let é = 'ü', b = ;\n", '"=" is a syntax error', 2, 16),
    ],
)
def test_script_with_a_syntax_error_is_refused_at_its_place(
    build: Build, mark: str, inline: bool, code: str, message: str, line: int, column: int
) -> None:
    code = f"\n{code}"
    if inline:
        error = refusal(build, {"index.html": f"{HEAD}<script{mark}>{code}</script>"})
        line += HEAD.count("\n")
    else:
        page = f"{HEAD}<script{mark} src=a.js></script>"
        error = refusal(build, {"index.html": page, "a.js": code})
    assert error.message == message
    assert error.position.path == ("index.html" if inline else "a.js")
    assert (error.position.line, error.position.column) == (line, column)
    assert error.position.source == code.split("\n")[line - 1 - HEAD.count("\n") * inline]


@pytest.mark.parametrize(
    "code",
    [
        # The first is more than the parser knows, the others than it once knew.
        "class A { accessor z = 1 }",
        "class A { static { } #p = 1; has(o) { return #p in o } }",
        "const set = /[\\p{L}--[a-z]]/v",
        "a ??= b?.c; x = 1_000n",
        "var text = '\0'; // \0",
        "y = x <!-- a comment",
        "\ufeffvar a",
    ],
)
def test_script_that_browsers_can_read_is_taken(build: Build, code: str) -> None:
    assert build({"index.html": f"{HEAD}<script src=a.js></script>", "a.js": code}).html


def test_types_in_a_script_are_told_where_they_belong(build: Build) -> None:
    error = refusal(build, {"index.html": f"{HEAD}<script>const a: number = 1</script>"})
    assert error.help is not None
    assert 'src="main.ts"' in error.help


def test_without_a_second_opinion_a_syntax_error_is_a_warning(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsx.importlib.util, "find_spec", lambda name: None)
    bundle = build({"index.html": f"{HEAD}<script>foo(1;</script>"})
    assert [n.message for n in bundle.notices] == ['")" is missing, as far as can be told']


@pytest.mark.parametrize(
    ("clause", "name", "help_"),
    [
        ("{ conect }", "conect", 'did you mean "connect"?'),
        ("{ connect, toolError as T }", "toolError", 'did you mean "ToolError"?'),
        ("{ zzzz }", "zzzz", f"it has {', '.join(sorted(bridge_names()))}"),
    ],
)
def test_name_that_the_bridge_lacks_is_refused(
    build: Build, clause: str, name: str, help_: str
) -> None:
    script = f'import {clause} from "mcpapps:bridge";'
    page = f"{HEAD}<script type=module>{script}</script>"
    error = refusal(build, {"index.html": page})
    assert (error.message, error.help) == (f'"mcpapps:bridge" has no "{name}"', help_)
    assert error.position.column == len("<script type=module>") + script.index(name) + 1


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize("first", ["", "<script src=mcpapps:bridge></script>"])
def test_esbuild_refuses_the_same_names(build: Build, first: str) -> None:
    page = f"{HEAD}{first}<script type=module src=m.ts></script>"
    code = 'import { conect } from "mcpapps:bridge"; conect(1 as any)'
    error = refusal(build, {"index.html": page, "m.ts": code})
    assert error.message == '"mcpapps:bridge" has no "conect"'
    assert (error.help, error.position.column) == ('did you mean "connect"?', 10)
    code = 'import { connect } from "mcpapps:bridg"; connect(1 as any)'
    error = refusal(build, {"index.html": page, "m.ts": code})
    assert error.help == 'did you mean "mcpapps:bridge"?'


@pytest.mark.parametrize(
    "markup",
    [
        '<script src="mcpapps:bridg"></script>',
        '<script type="module">import { connect } from "mcpapps:bridg"</script>',
        '<script>import("mcpapps:bridg")</script>',
    ],
)
def test_name_near_that_of_the_bridge_is_refused(build: Build, markup: str) -> None:
    error = refusal(build, {"index.html": HEAD + markup})
    assert error.message == 'there is no "mcpapps:bridg"'
    assert error.help == 'did you mean "mcpapps:bridge"?'
    assert error.position.column == markup.index("mcpapps:") + 1


@pytest.mark.browser
def test_the_bridge_has_the_names_that_it_is_said_to_have(build: Build, screen: Screen) -> None:
    screen.show(build({"index.html": f"{HEAD}<script src=mcpapps:bridge></script>"}).html)
    assert set(screen.evaluate("Object.keys(mcpapps)")) == set(bridge_names())


@pytest.mark.parametrize(
    ("specifier", "help_"),
    [
        ("./chrat.js", 'did you mean "./chart.js"?'),
        ("./parts/x.js", 'there is no such file in "views/parts"'),
        ("./zz.css", 'there is no such file beside "views/index.html"'),
    ],
)
def test_missing_module_is_told_without_an_engine(
    build: Build, monkeypatch: pytest.MonkeyPatch, specifier: str, help_: str
) -> None:
    page = f'{HEAD}<script type="module">import "{specifier}"</script>'
    error = refusal(build, {"views/index.html": page, "views/chart.js": ""})
    assert (error.message, error.help) == (f'"{specifier}" does not exist', help_)


def test_module_that_is_there_says_what_the_engine_is_for(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("MCPAPPS_CACHE", str(tmp_path))
    page = f'{HEAD}<script type="module">import "./chart.js"</script>'
    with pytest.raises(EngineMissing) as caught:
        build({"index.html": page, "chart.js": ""})
    assert caught.value.help is not None
    assert caught.value.help.startswith("a View is one file, and esbuild joins its modules; run ")


def test_classic_script_with_an_import_is_refused(build: Build) -> None:
    error = refusal(build, {"index.html": f'{HEAD}<script>import "./a.js"</script>', "a.js": ""})
    assert error.message == "a classic script cannot import"


@pytest.mark.parametrize(
    "markup",
    [
        '<img src="file:///tmp/a.png">',
        '<script src="FILE:///tmp/a.js"></script>',
        '<link rel=stylesheet href="file:a.css">',
        "<style>p { background: url(file:///tmp/a.png) }</style>",
        '<a href="file:///tmp/a.html">x</a>',
    ],
)
def test_file_url_is_refused(build: Build, markup: str) -> None:
    error = refusal(build, {"index.html": HEAD + markup})
    assert error.message.endswith(" names a file of your machine")
    assert error.position.column == markup.lower().index("file:") + 1


@pytest.mark.parametrize("markup", ['<script src=""></script>', "<link rel=stylesheet href>"])
def test_script_and_sheet_without_a_name_are_refused(build: Build, markup: str) -> None:
    with pytest.raises(SourceError, match="names no file"):
        build({"index.html": HEAD + markup})


def test_other_empty_addresses_are_noticed(build: Build) -> None:
    bundle = build({"index.html": f'{HEAD}<img src=""><a href=" ">x</a><img src="data:,">'})
    assert [(n.message, n.position.column) for n in bundle.notices] == [
        ("this src is empty", 6),
        ("this href is empty", 16),
    ]
