"""The cases inside the rules that read pages: which fire, where, and how heavily."""

from __future__ import annotations

import pytest

from mcpapps_cli.lint import run_rules
from mcpapps_cli.lint.rule import URI, page, resource, server
from tests.lint.cases import found, messages, places


def test_a_page_without_a_script_never_initializes() -> None:
    assert found("handshake-missing", server(page(script=""))) == [
        ("error", "1:1+1", f'"{URI}" has no script, so it never sends "ui/initialize"')
    ]


def test_the_script_that_talks_is_pointed_at() -> None:
    html = (
        "<!doctype html>\n<script>var a = 1</script>\n"
        "  <script id=b>parent.postMessage({}, '*')</script>\n"
    )
    assert found("handshake-missing", server(resource(html=html))) == [
        ("error", "3:3+13", f'"{URI}" has scripts, and never sends "ui/initialize"')
    ]


@pytest.mark.parametrize(
    "script",
    [
        '<script type="module" src="https://cdn.example.com/app.js"></script>',
        '<script src="./app.js"></script>',
        '<script type="module">import { App } from "https://cdn.example.com/app.js";</script>',
        '<script type="module">const app = await import("./app.js");</script>',
    ],
)
def test_code_from_elsewhere_may_initialize(script: str) -> None:
    example = server(page(f"{script}\n", script=""))
    assert found("handshake-missing", example) == []


def test_a_data_block_is_no_code() -> None:
    block = '<script type="application/json">{"method": "ui/initialize"}</script>\n'
    assert len(found("handshake-missing", server(page(block, script="")))) == 1


def test_initialize_without_initialized_is_pointed_at() -> None:
    html = "<!doctype html>\n<script>\n  send('ui/initialize')\n</script>\n"
    assert found("handshake-incomplete", server(resource(html=html))) == [
        ("error", "3:9+13", f'"{URI}" never sends "ui/notifications/initialized"')
    ]
    assert found("handshake-missing", server(resource(html=html))) == []


@pytest.mark.parametrize(
    ("markup", "severity", "place"),
    [
        ('<img alt="" src="logo.png">', "error", "1:18+8"),
        ('<img alt="" src=/logo.png>', "error", "1:17+9"),
        ('<script src="../app.js"></script>', "error", "1:14+9"),
        ('<link rel="stylesheet" href="app.css">', "error", "1:30+7"),
        ('<link rel="icon" href="/vite.svg">', "info", "1:24+9"),
        ('<a href="/about">About</a>', "warning", "1:10+6"),
        ("<style>p { background: url(bg.png) }</style>", "error", "1:28+6"),
        ('<img alt="" srcset="data:,x 1x, big.png 2x">', "error", "1:33+7"),
        ('<video poster="p.jpg"></video>', "error", "1:16+5"),
        ("<p style=\"background: url('bg.png')\">a</p>", "error", "1:28+6"),
    ],
)
def test_relative_urls_are_found_where_they_stand(markup: str, severity: str, place: str) -> None:
    html = f"{markup}<!doctype html><html>"
    ((found_severity, found_place, _),) = found("relative-url", server(resource(html=html)))
    assert (found_severity, found_place) == (severity, place)


@pytest.mark.parametrize(
    "markup",
    [
        '<a href="#top">Top</a>',
        '<img alt="" src="blob:https://x/1">',
        '<img alt="" src="">',
        '<script>const a = "./a.png";</script>',
        '<!-- <img src="./a.png"> -->',
        '<img alt="" data-src="./a.png">',
        '<img alt="" src="//cdn.example.com/a.png">',
        '<img alt="" src="{{ logo }}">',
    ],
)
def test_what_is_no_relative_url(markup: str) -> None:
    assert found("relative-url", server(page(markup + "\n"))) == []


@pytest.mark.parametrize(
    ("specifier", "fires"),
    [("./a.js", True), ("/a.js", True), ("react", True), ("https://a.example.com/x.js", False)],
)
def test_imports_that_nothing_resolves(specifier: str, fires: bool) -> None:
    code = f'<script type="module">import x from "{specifier}";</script>\n'
    assert bool(found("unresolved-import", server(page(code)))) is fires


def test_a_script_cut_in_a_string_is_pointed_at_where_it_ends() -> None:
    html = '<!doctype html>\n<script>\nlet a = "</script>";\n</script>\n'
    assert places("script-terminated-early", html) == ["3:10+9"]


def test_a_comment_that_hides_the_end_of_a_script_is_found() -> None:
    html = '<!doctype html>\n<script>\nlet a = "<!-- <script>";\n</script>\n<p>x</p>\n'
    assert places("script-terminated-early", html) == ["3:10+4"]


def test_a_script_that_never_ends_is_found() -> None:
    html = "<!doctype html>\n<script>let a = 1;\n"
    assert places("script-terminated-early", html) == ["2:1+8"]


def test_a_module_that_is_preloaded_is_an_import() -> None:
    head = '<link rel="modulepreload" href="./chunk.js">\n'
    report = run_rules(server(page(head=head)).inventory)
    assert [one.rule for one in report.findings] == ["unresolved-import"]


def test_a_form_that_is_sent_somewhere_is_an_error() -> None:
    assert found("form-submit", server(page('<form action="/save"></form>\n')))[0][0] == "error"
    assert found("form-submit", server(page('<form action=""></form>\n')))[0][0] == "warning"


@pytest.mark.parametrize(
    ("html", "messages_"),
    [
        ("<html><head></head>", [f'"{URI}" has no <!doctype html>']),
        ("<!doctype html><html><body>", [f'"{URI}" has no <head>']),
        (
            "<!doctype html><script></script><head></head>",
            [f'"{URI}" has a script before <head>'],
        ),
    ],
)
def test_every_way_to_lack_a_head(html: str, messages_: list[str]) -> None:
    assert messages("head-missing", server(resource(html=html))) == messages_


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        ('send({ method: "ui/open-lnik" })', "error"),
        ('send({ "method": "ui/open-lnik" })', "error"),
        ('request("ui/open-lnik")', "warning"),
    ],
)
def test_an_unknown_method_is_an_error_where_it_surely_is_one(code: str, severity: str) -> None:
    example = server(page(more=code))
    assert found("unknown-ui-method", example)[0][0] == severity
    report = run_rules(example.inventory, select=["unknown-ui-method"])
    assert report.findings[0].help == 'did you mean "ui/open-link"?'


@pytest.mark.parametrize("method", ["ui/download-file", "ui/notifications/request-teardown"])
def test_a_method_of_the_draft_is_known(method: str) -> None:
    example = server(page(more=f'send({{ method: "{method}" }})'))
    assert found("unknown-ui-method", example) == []


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ('app.callServerTool({ name: "save" })', "app-tool-unlisted"),
        ('view.callTool("save", {})', "app-tool-unlisted"),
        ('send({ method: "tools/call", params: { name: "save" } })', "app-tool-unlisted"),
    ],
)
def test_every_way_to_call_a_tool(code: str, rule: str) -> None:
    assert messages(rule, server(page(more=code))) == [
        'the View calls "save", which tools/list does not show'
    ]
