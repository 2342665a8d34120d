"""Files that a View refers to and that cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.errors import SourceError, UserError
from mcpapps_cli.model import Csp, Position
from tests.bundle.conftest import Build

HEAD = '<!doctype html>\n<meta charset="utf-8">\n'


def refusal(build: Build, files: dict[str, str | bytes], **declared: Any) -> SourceError:
    with pytest.raises(SourceError) as caught:
        build(files, **declared)
    return caught.value


def test_missing_script_is_shown_where_it_is_named(build: Build) -> None:
    error = refusal(
        build,
        {"views/index.html": HEAD + '  <script src="./chrat.js"></script>', "views/chart.js": ""},
    )
    assert error.message == '"./chrat.js" does not exist'
    assert error.help == 'did you mean "./chart.js"?'
    assert error.position == Position(
        "views/index.html", 3, 16, 10, '  <script src="./chrat.js"></script>'
    )


def test_missing_file_without_a_near_name_says_where_it_was_sought(build: Build) -> None:
    error = refusal(build, {"index.html": f'{HEAD}<img src="img/x.png">'})
    assert error.message == '"img/x.png" does not exist'
    assert error.help == 'there is no such file in "img"'


def test_missing_image_of_a_style_sheet_is_shown_in_the_sheet(build: Build) -> None:
    error = refusal(
        build,
        {
            "index.html": f'{HEAD}<link rel="stylesheet" href="css/s.css">',
            "css/s.css": "p {\n  background: url(missing.png);\n}\n",
        },
    )
    assert error.position == Position("css/s.css", 2, 19, 11, "  background: url(missing.png);")


def test_addresses_are_relative_to_the_file_that_holds_them(build: Build) -> None:
    bundle = build(
        {
            "views/index.html": f'{HEAD}<link rel="stylesheet" href="css/s.css">',
            "views/css/s.css": "p{background:url(../i.gif)}",
            "views/i.gif": b"GIF",
        }
    )
    assert "url(data:image/gif;base64,R0lG)" in bundle.html
    assert [path.name for path in bundle.inputs] == ["index.html", "s.css", "i.gif"]


def test_percent_encoded_name_is_decoded(build: Build) -> None:
    bundle = build({"index.html": f'{HEAD}<img src="a%20b.gif">', "a b.gif": b"GIF"})
    assert '<img src="data:image/gif;base64,R0lG">' in bundle.html


def test_file_outside_the_project_is_refused(build: Build, tmp_path: Path) -> None:
    (tmp_path / "secret.js").write_text("x")
    error = refusal(build, {"index.html": f"{HEAD}<script src=../secret.js></script>"})
    assert error.message == '"../secret.js" is outside the project'


def test_link_that_leads_outside_the_project_is_refused(build: Build, tmp_path: Path) -> None:
    (tmp_path / "secret.js").write_text("x")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.js").symlink_to(tmp_path / "secret.js")
    error = refusal(build, {"index.html": f"{HEAD}<script src=a.js></script>"})
    assert error.message == '"a.js" is outside the project'


def test_loop_of_links_is_refused(build: Build, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.js").symlink_to(tmp_path / "project" / "b.js")
    (tmp_path / "project" / "b.js").symlink_to(tmp_path / "project" / "a.js")
    error = refusal(build, {"index.html": f"{HEAD}<script src=a.js></script>"})
    assert error.message.startswith('"a.js" cannot be read: ')


def test_folder_is_refused(build: Build) -> None:
    error = refusal(build, {"index.html": f"{HEAD}<script src=js></script>", "js/a.js": ""})
    assert error.message in ('"js" is a folder', '"js" cannot be read')


def test_file_that_is_not_utf8_is_refused_by_name_and_offset(build: Build) -> None:
    error = refusal(
        build, {"index.html": f"{HEAD}<script src=a.js></script>", "a.js": b"// a\n// caf\xe9"}
    )
    assert error.message == '"a.js" is not UTF-8: byte 0xe9 at offset 11'
    assert (error.position.path, error.position.line, error.position.column) == ("a.js", 2, 7)


def test_page_that_is_not_utf8_is_refused(build: Build) -> None:
    error = refusal(build, {"index.html": b"\xff\xfe<\0"})
    assert error.message == '"index.html" is not UTF-8: byte 0xff at offset 0'


def test_missing_page_gets_the_nearest_name(build: Build, write) -> None:
    root = write({"views/index.html": ""})
    from mcpapps_cli.bundle import build_bundle
    from mcpapps_cli.model import View

    with pytest.raises(UserError, match=r'"views/indx\.html" does not exist') as caught:
        build_bundle(View("v", root / "views" / "indx.html", "ui://a/b"), root=root)
    assert caught.value.help == 'did you mean "index.html"?'


def test_a_page_that_a_build_tool_has_not_written_yet_is_told_so(write) -> None:
    root = write({"views/main.js": ""})
    from mcpapps_cli.bundle import build_bundle
    from mcpapps_cli.model import View

    with pytest.raises(UserError, match=r'"views/dist/index\.html" does not exist') as caught:
        build_bundle(View("v", root / "views" / "dist" / "index.html", "ui://a/b"), root=root)
    assert "build the page first" in (caught.value.help or "")


@pytest.mark.parametrize(
    ("script", "message", "column"),
    [
        ('import { a } from "./a.js";', 'the import of "./a.js" needs an engine', 20),
        ('import React from "react";', 'the import of "react" needs an engine', 20),
        ('export * from "./a.js";', 'the import of "./a.js" needs an engine', 16),
        ('await import("./a.js");', 'the import of "./a.js" needs an engine', 15),
        ('import b from "mcpapps:bridge";', '"mcpapps:bridge" has no default export', 1),
        (
            'import { default as b } from "mcpapps:bridge";',
            '"default as b" cannot be imported from "mcpapps:bridge"',
            1,
        ),
        (
            'const b = await import("mcpapps:bridge");',
            '"mcpapps:bridge" can only be had by a static import',
            25,
        ),
        ('import fs from "node:fs";', '"node:fs" cannot be imported by a View', 17),
    ],
)
def test_import_that_needs_an_engine_is_refused_at_its_place(
    build: Build, script: str, message: str, column: int
) -> None:
    page = f'{HEAD}<script type="module" src="m.js"></script>'
    files = {"index.html": page, "m.js": f"\n{script}", "a.js": ""}
    error = refusal(build, files, engine="none")
    assert error.message == message
    assert (error.position.path, error.position.line, error.position.column) == ("m.js", 2, column)
    assert error.help


def test_import_in_an_inline_module_is_shown_in_the_page(build: Build) -> None:
    page = f'{HEAD}<script type="module">\n  import "./a.js";\n</script>'
    error = refusal(build, {"index.html": page}, engine="none")
    assert error.position == Position("index.html", 4, 11, 6, '  import "./a.js";')


def test_dynamic_import_of_a_classic_script_is_refused(build: Build) -> None:
    error = refusal(
        build, {"index.html": f"{HEAD}<script src=a.js></script>", "a.js": "import('./b.js')"}
    )
    assert error.message == 'the import of "./b.js" needs an engine'


def test_module_from_the_network_may_be_imported(build: Build) -> None:
    page = f'{HEAD}<script type="module">import "https://cdn.example.com/x.js";</script>'
    csp = Csp(resource=("https://cdn.example.com",))
    assert page.removeprefix(HEAD) in build({"index.html": page}, csp=csp).html


def test_part_that_a_sprite_lacks_is_refused(build: Build) -> None:
    page = f'{HEAD}<svg><use href="s.svg#a"></use></svg>'
    error = refusal(build, {"index.html": page, "s.svg": '<svg><g id="b"/></svg>'})
    assert (error.message, error.help) == ('"s.svg" has no "#a"', "it has b")


def test_file_of_an_unknown_type_is_refused(build: Build) -> None:
    error = refusal(build, {"index.html": f"{HEAD}<img src=a.psd>", "a.psd": b"x"})
    assert error.message == '"a.psd" has no known media type'
