"""The cases inside the rules about origins and permissions: which fire, where, and how heavily."""

from __future__ import annotations

import pytest

from mcpapps_cli.lint import run_rules
from mcpapps_cli.lint.rule import META, UNSET, URI, page, resource, server
from tests.lint.cases import CDN, LIST, READ, csp, found, messages


@pytest.mark.parametrize(
    ("markup", "directive"),
    [
        (f'<script src="{CDN}/a.js"></script>', "script-src"),
        (f'<link rel="stylesheet" href="{CDN}/a.css">', "style-src"),
        (f'<img alt="" src="{CDN}/a.png">', "img-src"),
        ('<img alt="" src="//cdn.example.com/a.png">', "img-src"),
        (f'<img alt="" srcset="{CDN}/a.png 2x">', "img-src"),
        (f'<video src="{CDN}/a.mp4"></video>', "media-src"),
        (f'<audio><source src="{CDN}/a.mp3"></audio>', "media-src"),
        (f'<video poster="{CDN}/a.png"></video>', "img-src"),
        (f"<style>p {{ background: url({CDN}/a.png) }}</style>", "img-src"),
        (f'<style>@import "{CDN}/a.css";</style>', "style-src"),
        (f"<style>@font-face {{ src: url({CDN}/a.woff2) }}</style>", "font-src"),
        (f'<script type="module">import "{CDN}/a.js";</script>', "script-src"),
    ],
)
def test_every_way_to_load_from_an_origin(markup: str, directive: str) -> None:
    rule = "undeclared-resource-origin"
    message = f'"{CDN}" is not in resourceDomains, so {directive} blocks this file'
    assert messages(rule, server(page(f"{markup}\n"))) == [message]
    assert messages(rule, server(page(f"{markup}\n", meta=csp(resourceDomains=[CDN])))) == []
    assert messages(rule, server(page(f"{markup}\n", meta=csp(connectDomains=[CDN])))) == [message]


@pytest.mark.parametrize(
    ("declared", "fires"),
    [
        ("https://*.example.com", False),
        ("https://example.com", True),
        ("https://*.cdn.example.com", True),
        ("http://cdn.example.com", False),
        ("https://cdn.example.com:8443", True),
    ],
)
def test_origins_match_as_in_csp(declared: str, fires: bool) -> None:
    example = server(
        page(f'<img alt="" src="{CDN}/a.png">\n', meta=csp(resourceDomains=[declared]))
    )
    assert bool(found("undeclared-resource-origin", example)) is fires


def test_a_font_sheet_of_google_needs_two_origins() -> None:
    link = '<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter">\n'
    report = run_rules(server(page(head=link)).inventory, select=["undeclared-resource-origin"])
    assert [one.help for one in report.findings] == [
        'add "https://fonts.googleapis.com" and "https://fonts.gstatic.com" to '
        "csp.resourceDomains, or inline the file with mcpapps bundle"
    ]


def test_a_hint_to_connect_is_only_information() -> None:
    hint = f'<link rel="preconnect" href="{CDN}">\n'
    assert [one[0] for one in found("undeclared-resource-origin", server(page(head=hint)))] == [
        "info"
    ]


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        ('fetch("https://api.example.com/v1")', "error"),
        ("fetch( 'https://api.example.com/v1', {})", "error"),
        ("fetch(`https://api.example.com/v1`)", "error"),
        ("fetch(`https://api.example.com/${id}`)", "warning"),
        ('const r = new XMLHttpRequest(); r.open("GET", "https://api.example.com/v1")', "error"),
        ('new EventSource("https://api.example.com/v1")', "error"),
        ('navigator.sendBeacon("https://api.example.com/v1")', "error"),
        ('axios.post("https://api.example.com/v1")', "error"),
    ],
)
def test_every_way_to_connect(code: str, severity: str) -> None:
    rule = "undeclared-connect-origin"
    assert found(rule, server(page(more=code)))[0][0] == severity
    declared = csp(connectDomains=["https://api.example.com"])
    assert found(rule, server(page(more=code, meta=declared))) == []


@pytest.mark.parametrize(
    "code",
    [
        'window.open("https://api.example.com/v1")',
        'prefetch("https://api.example.com/v1")',
        "/* fetch(`https://api.example.com/${id}`) */",
        "const help = 'fetch(`https://api.example.com/${id}`)'",
        "fetch(url)",
        'fetch("./data.json")',
    ],
)
def test_what_is_no_connection_to_an_origin(code: str) -> None:
    assert found("undeclared-connect-origin", server(page(more=code))) == []


def test_the_other_list_is_named() -> None:
    meta = csp(resourceDomains=["https://api.example.com"])
    example = server(page(more='fetch("https://api.example.com/v1")', meta=meta))
    assert messages("undeclared-connect-origin", example) == [
        '"https://api.example.com" is in resourceDomains, but connections need connectDomains: '
        "this connection is blocked"
    ]


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        ("api.example.com", "csp-source-syntax"),
        ("https://api.example.com/", "csp-source-syntax"),
        ("https://api.example.com/v1", "csp-source-syntax"),
        ("http://api.example.com", "csp-source-syntax"),
        ("https://me@api.example.com", "csp-source-syntax"),
        ("https://a.com; script-src *", "csp-source-syntax"),
        ("https://a.com,https://b.com", "csp-source-syntax"),
        ("'self'", "csp-source-syntax"),
        ("https://*", "csp-source-syntax"),
        ("", "csp-source-syntax"),
        ("*", "csp-scheme-source"),
        ("data:", "csp-scheme-source"),
        ("https:", "csp-scheme-source"),
        ("http://localhost:3000", "localhost-url"),
        ("ws://api.example.com", "insecure-socket"),
    ],
)
def test_an_entry_of_a_list_has_one_fault(entry: str, rule: str) -> None:
    report = run_rules(server(page(meta=csp(connectDomains=[entry]))).inventory)
    assert [(one.rule, one.pointer) for one in report.findings] == [
        (rule, f"{READ}/_meta/ui/csp/connectDomains/0")
    ]


def test_lists_are_checked_where_the_host_reads_them() -> None:
    example = server(resource(meta=UNSET, listing_meta=csp(connectDomains=["a.com"])))
    assert [place for _, place, _ in found("csp-source-syntax", example)] == [
        f"{LIST}/_meta/ui/csp/connectDomains/0"
    ]


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ([], ""),
        (None, ""),
        ({"connectDomains": "https://a.com"}, "/connectDomains"),
        ({"connectDomains": [7]}, "/connectDomains/0"),
        ({"fontDomains": []}, "/fontDomains"),
    ],
)
def test_every_wrong_shape_of_csp(value: object, pointer: str) -> None:
    meta = {"csp": value, "prefersBorder": True}
    example = server(resource(meta=meta, listing_meta=meta))
    assert [place for _, place, _ in found("csp-unknown-key", example)] == [
        f"{READ}/_meta/ui/csp{pointer}"
    ]


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        ('eval("1")', "warning"),
        ('window.eval("1")', "warning"),
        ('Function("return 1")', "warning"),
        ('new Function("")', "info"),
        ('setTimeout("go()", 10)', "warning"),
    ],
)
def test_every_way_to_make_code(code: str, severity: str) -> None:
    assert [one[0] for one in found("eval-like", server(page(more=code)))] == [severity]


@pytest.mark.parametrize(
    "code",
    [
        "a.eval(1)",
        "evaluate(1)",
        "function eval(a) {}",
        "x instanceof Function",
        "setTimeout(go, 1)",
    ],
)
def test_what_makes_no_code(code: str) -> None:
    assert found("eval-like", server(page(more=code))) == []


def test_a_declared_base_is_matched_by_origin() -> None:
    head = f'<base href="{CDN}/a/">\n'
    rule = "base-element"
    assert len(found(rule, server(page(head=head, meta=csp(resourceDomains=[CDN]))))) == 1
    assert found(rule, server(page(head=head, meta=csp(baseUriDomains=[CDN])))) == []


def test_an_origin_of_another_page_is_not_ours() -> None:
    other = "ui://app/other.html"
    image = page(f'<img alt="" src="{CDN}/a.png">\n').html
    declared = csp(resourceDomains=[CDN])
    example = server(
        resource(html=image),
        resource(other, html=image, meta=declared, listing_meta=declared),
    )
    report = run_rules(example.inventory, select=["undeclared-resource-origin"])
    assert [one.subject for one in report.findings] == [URI]


@pytest.mark.parametrize(
    ("domain", "severity"),
    [
        ("www-example-com.oaiusercontent.com", "warning"),
        ("https://example.com", "error"),
        ("example.com/app", "error"),
        ("example.com:8443", "error"),
        ("localhost", "error"),
        ("", "error"),
        (7, "error"),
    ],
)
def test_domains(domain: object, severity: str) -> None:
    meta = {**META, "domain": domain}
    example = server(resource(meta=meta, listing_meta=meta))
    assert [one[:2] for one in found("ui-domain", example)] == [
        (severity, f"{READ}/_meta/ui/domain")
    ]


@pytest.mark.parametrize(
    ("permissions", "pointer"),
    [
        (["camera"], ""),
        (None, ""),
        ({"camera": True}, "/camera"),
        ({"camera": None}, "/camera"),
        ({"clipboard-write": {}}, "/clipboard-write"),
    ],
)
def test_every_wrong_shape_of_permissions(permissions: object, pointer: str) -> None:
    meta = {**META, "permissions": permissions}
    example = server(resource(meta=meta, listing_meta=meta))
    assert [place for _, place, _ in found("permissions-shape", example)] == [
        f"{READ}/_meta/ui/permissions{pointer}"
    ]


@pytest.mark.parametrize(
    "markup",
    [
        '<script src="http://localhost:3000/app.js"></script>',
        '<img alt="" src="https://127.0.0.1/a.png">',
        '<iframe title="a" src="http://[::1]:8080/"></iframe>',
        "<style>p { background: url(http://localhost/a.png) }</style>",
    ],
)
def test_an_address_of_this_machine_is_one_fault(markup: str) -> None:
    report = run_rules(server(page(markup + "\n")).inventory)
    assert [one.rule for one in report.findings] == ["localhost-url"]


@pytest.mark.parametrize(
    ("declared", "severity"), [([], "error"), ([CDN], "warning"), (["https://b.example"], "error")]
)
def test_a_frame_is_an_error_when_the_policy_blocks_it(declared: list[str], severity: str) -> None:
    frame = f'<iframe title="Map" src="{CDN}/map"></iframe>\n'
    example = server(page(frame, meta=csp(frameDomains=declared)))
    assert [one[0] for one in found("nested-frame-portability", example)] == [severity]


def test_an_object_is_always_blocked() -> None:
    example = server(page(f'<object data="{CDN}/a.pdf"></object>\n', meta=csp(frameDomains=[CDN])))
    assert [one[0] for one in found("nested-frame-portability", example)] == ["error"]
