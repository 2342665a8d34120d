"""Pages put together at random from what confuses parsers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpapps_cli.bundle import build_bundle
from mcpapps_cli.errors import UserError
from mcpapps_cli.model import View

FRAGMENTS = (
    *("<!doctype html>", "<html>", "<head>", "</head>", "<body>", "</body>", "</html>", "<p>"),
    *('<meta charset="utf-8">', "<meta charset=utf8 ", "<title>", "</title>", "x", " ", "\r\n"),
    *("<script src=a.js>", "<script src=a.js defer>", "<script type=module src='m.js' >"),
    *("<script>", "</script>", "</SCRIPT x>", "<!--", "-->", "<script", "</script", "<style>"),
    *("</style>", "<link rel=stylesheet href=s.css>", '<link href="s.css" rel=stylesheet/>'),
    *("<img src=i.gif>", "<img srcset='i.gif 2x,i.gif'>", '<p style="background:url(i.gif)">'),
    *("url(i.gif)", '@import "s.css";', "<svg>", "</svg>", "<![CDATA[", "]]>", "<template>"),
    *("</template>", "<noscript>", "</noscript>", "<textarea>", "</textarea>", "<base href=x>"),
    *("<link rel=preload href=a.js>", "<script src=mcpapps:bridge>", "'", '"', "=", "<", ">"),
    *('import "mcpapps:bridge";', "<plaintext>", "<iframe>", "</iframe>", "<script/src=a.js>"),
    *(
        "<script src=a.js src=b.js>",
        "<table>",
        "<select>",
        "\0",
        "\ufeff",
        "&amp;",
        "<image src=a>",
    ),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("fragments")
    (root / "a.js").write_text("let a = '</script><!--';")
    (root / "m.js").write_text('import { connect } from "mcpapps:bridge";')
    (root / "s.css").write_text("p::after { content: '</style>'; background: url(i.gif) }")
    (root / "i.gif").write_bytes(b"GIF")
    return root


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join))
def test_page_becomes_a_verified_bundle_or_a_fault_of_the_user(folder: Path, page: str) -> None:
    (folder / "index.html").write_bytes(page.encode())
    view = View("v", folder / "index.html", "ui://a/b")
    try:
        bundle = build_bundle(view, root=folder)
    except UserError:
        return
    assert bundle.html.count("default-src 'none'") == 1
