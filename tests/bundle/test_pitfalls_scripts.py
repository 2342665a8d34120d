"""Pitfalls of scripts: what they hold, and when they run."""

from __future__ import annotations

import pytest

from tests.bundle.conftest import (
    HEAD,
    MODULE,
    PROBE,
    Build,
    Log,
    Screen,
    Show,
    messages,
    refusal,
)

pytestmark = [pytest.mark.browser, pytest.mark.node]
pitfall = pytest.mark.pitfall

STRINGS = (
    "var script = 2; log.push('</script>', `</SCRIPT x>`, /<\\/script>/.source, '<!-- <script>', "
    "`<!--${1}-->`, /^(?<!--)a[<!--b]$/.test('ab'), '\u2028\u2029'.length, 'é', 1<script)"
)
VALUES = [
    *("</script>", "</SCRIPT x>", "<\\/script>", "<!-- <script>", "<!--1-->"),
    *(True, 2, "é", True),
]


@pitfall(1, 2, 3)
@pytest.mark.parametrize(
    ("tag", "name"),
    [("<script src=a.js>", "a.js"), ("<script type=module src=a.js>", "a.js")],
)
def test_markup_in_a_plain_script_keeps_its_value(
    show: Show, log: Log, tag: str, name: str
) -> None:
    show({"index.html": f"{HEAD}{PROBE}{tag}</script>", name: STRINGS})
    assert log() == VALUES


@pitfall(1, 2, 3)
def test_markup_in_a_built_script_keeps_its_value(show: Show, log: Log) -> None:
    tagged = "log.push(String.raw`<!--</script>`, ((a: any) => a.raw[0])`<!--`)"
    notice = "/*! </script><!--<script> */"
    bundle = show({"index.html": MODULE, "m.ts": f"{notice}\n{STRINGS};\n{tagged}"})
    assert log() == [*VALUES, "<!--</script>", "<!--"]
    assert bundle.engine == "esbuild 0.28.2"


@pitfall(2)
def test_comment_mark_that_is_code_means_the_same(show: Show, log: Log) -> None:
    show(
        {
            "index.html": f"{HEAD}{PROBE}<script src=c.js></script>"
            "<script type=module src=m.js></script>",
            "c.js": "let a = 1, b = 1;\nlog.push(a) <!-- log.push('1')\n<!-- log.push('2')\n",
            "m.js": "let a = 1, b = 1;\nlog.push(a<!--b, b);",
        }
    )
    assert log() == [1, False, 0]


@pitfall(2)
def test_template_with_a_tag_that_cannot_be_kept_is_refused(build: Build) -> None:
    page = f"{HEAD}<script src=a.js></script>"
    error = refusal(build, {"index.html": page, "a.js": "f(String.raw`\n<!--`)"})
    assert error.message == 'a template with a tag holds "<!--", which cannot stand in a page'
    assert (error.position.path, error.position.line) == ("a.js", 2)


@pitfall(4)
@pytest.mark.parametrize("mime", ["application/json", "application/ld+json", "importmap"])
def test_json_block_holds_what_its_file_held(show: Show, screen: Screen, mime: str) -> None:
    text = '{"a": "</script><!--<script>"}'
    page = f"{HEAD}<script id=d type={mime} src=d.json></script><p id=p>"
    bundle = show({"index.html": page, "d.json": text})
    assert "<!--" not in bundle.html
    assert screen.evaluate("JSON.parse(d.textContent).a") == "</script><!--<script>"
    assert screen.evaluate("!!document.getElementById('p')") is True


@pitfall(5)
def test_deferred_script_runs_after_the_module_before_it(show: Show, log: Log) -> None:
    page = (
        f"{HEAD}{PROBE}<script>addEventListener('DOMContentLoaded', () => log.push('read'))"
        "</script><script defer src=first.js></script><script type=module src=m.ts></script>"
        "<script defer src=last.js id=last data-x=1></script><script src=now.js></script><p>"
    )
    show(
        {
            "index.html": page,
            "first.js": "log.push(`first ${document.readyState}`)",
            "m.ts": "log.push(`module ${document.readyState as string}`)",
            "last.js": "log.push(`last ${document.currentScript.dataset.x}</script>`)",
            "now.js": "log.push('now')",
        }
    )
    # `first` is the last thing of the body, since inline scripts know no `defer`.
    assert log() == ["now", "first loading", "module interactive", "last 1</script>", "read"]


@pitfall(5)
def test_async_module_runs_when_it_is_ready(show: Show, screen: Screen, log: Log) -> None:
    page = (
        f"{HEAD}{PROBE}<script type=module src=one.js></script>"
        "<script type=module async src=free.js></script><script type=module src=two.js></script>"
    )
    show({"index.html": page, **{f"{n}.js": f"log.push('{n}')" for n in ("one", "two", "free")}})
    screen.until("log.length === 3")
    assert [each for each in log() if each != "free"] == ["one", "two"]


@pitfall(6, 8)
def test_modules_share_what_they_import_and_keep_their_order(show: Show, log: Log) -> None:
    page = (
        f"{HEAD}{PROBE}<script type=module src=a.ts></script>"
        "<script type=module>import { next } from './n'; const t = 2; log.push(t, next())</script>"
        "<script>log.push('classic')</script><script type=module src=b.ts></script>"
    )
    files = {
        "index.html": page,
        "n.ts": "let count: number = 0; export const next = () => ++count;",
        "a.ts": "import { next } from './n'; const t = 1; log.push(t, next())",
        "b.ts": "import { next } from './n'; const t = 3; log.push(t, next())",
    }
    show(files)
    assert log() == ["classic", 1, 1, 2, 2, 3, 3]


@pitfall(6)
def test_modules_that_no_engine_joins_keep_their_names_apart(show: Show, log: Log) -> None:
    page = "<script type=module src=a.js></script><script type=module src=b.js></script>"
    code = "const t = 1; log.push(t, typeof globalThis.t)"
    show({"index.html": f"{HEAD}{PROBE}{page}", "a.js": code, "b.js": code})
    assert log() == [1, "undefined"] * 2


@pitfall(7)
def test_await_works_at_the_top_level(show: Show, screen: Screen, log: Log) -> None:
    code = "log.push(await Promise.resolve<number>(7), typeof import.meta.url)"
    show({"index.html": MODULE, "m.ts": code})
    screen.until("log.length > 0")
    assert log() == [7, "string"]


@pitfall(7)
def test_await_at_the_top_level_of_a_worker_is_refused(build: Build, packages: object) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": "new Worker(new URL('./w.ts', import.meta.url))",
        "w.ts": "\npostMessage(await 1)",
    }
    error = refusal(build, files)
    assert error.message.startswith("top-level await is currently not supported")
    assert (error.position.path, error.position.line) == ("w.ts", 2)
    assert error.help == "wrap it in an async function"


@pitfall(8)
def test_entry_of_a_package_without_side_effects_runs(show: Show, log: Log) -> None:
    show(
        {
            "index.html": MODULE,
            "m.ts": "log.push('ran' as string)",
            "package.json": '{"sideEffects": false}',
        }
    )
    assert log() == ["ran"]


@pitfall(9)
def test_inline_handler_runs_and_is_told(show: Show, screen: Screen, log: Log) -> None:
    page = f"{HEAD}{PROBE}<script>function save() {{ log.push('saved') }}</script>"
    page += '<button id=b onclick="save()">x</button>'
    bundle = show({"index.html": page})
    screen.evaluate("b.click()")
    assert log() == ["saved"]
    assert messages(bundle) == [
        "scripts are allowed by 'unsafe-inline', for this runs without a hash"
    ]


@pitfall(9)
@pytest.mark.parametrize(
    ("code", "logged", "told"),
    [
        ("function save(): void {}\nsave()", ["error Uncaught ReferenceError"], True),
        ("(globalThis as any).save = () => log.push('saved')", ["saved"], False),
    ],
)
def test_handler_that_calls_into_a_module_is_told(
    show: Show, screen: Screen, log: Log, code: str, logged: list[str], told: bool
) -> None:
    page = f'{MODULE}<button id=b onclick="save()">x</button>'
    bundle = show({"index.html": page, "m.ts": code})
    screen.evaluate("b.click()")
    assert [str(each).partition(":")[0] for each in log()] == logged
    message = '"save" is known in its module only, so this handler fails'
    assert (message in messages(bundle)) is told
