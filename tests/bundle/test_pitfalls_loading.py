"""Pitfalls of what scripts load: pictures, modules, workers, WebAssembly and code."""

from __future__ import annotations

import pytest

from tests.bundle.conftest import (
    DOT,
    HEAD,
    LOOSE,
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

TYPED = "<script type=module src=n.ts></script>"
# The module `add(a, b)`, by the WebAssembly specification's binary format.
WASM = bytes.fromhex(
    "0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b"
)
BESIDE = (
    "p.append(Object.assign(new Image(), { id: 'i', src: new URL('./x.png', import.meta.url) }))"
)


@pitfall(10)
@pytest.mark.parametrize(
    "page",
    [
        MODULE,
        MODULE.replace("m.ts", "m.js"),
        f"{HEAD}{PROBE}<p id=p></p><script type=module>{BESIDE}</script>",
    ],
)
def test_picture_beside_the_module_is_shown(
    show: Show, screen: Screen, log: Log, page: str
) -> None:
    typed = f"declare const p: HTMLElement;\n{BESIDE}"
    show({"index.html": page, "m.ts": typed, "m.js": BESIDE, "x.png": DOT})
    assert screen.evaluate("i.decode().then(() => i.naturalWidth)") == 1
    assert log() == []


@pitfall(10)
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("./data.json", "\"./data.json\" is sought beside the host's page, not beside the View's"),
        ("./gone.png", '"./gone.png" does not exist'),
        (".", "\".\" is sought beside the host's page, not beside the View's"),
    ],
)
@pytest.mark.parametrize(
    ("page", "path", "line"),
    [
        (MODULE, "m.ts", 2),
        (MODULE.replace("m.ts", "m.js"), "m.js", 2),
        (f"{HEAD}<script type=module>CODE</script>", "index.html", 3),
        (f"{HEAD}{TYPED}<script type=module>CODE</script>", "index.html", 3),
    ],
)
def test_other_address_beside_the_module_is_refused(
    build: Build, packages: object, page: str, path: str, line: int, name: str, message: str
) -> None:
    code = f"log.push(new URL('{name}', import.meta.url).href)"
    files = {
        "index.html": page.replace("CODE", code),
        "m.ts": f"let a: string;\n{code}",
        "m.js": f"// new URL('./in-a-comment.png', import.meta.url)\n{code}",
        "n.ts": "let a: number",
        "data.json": "{}",
    }
    error = refusal(build, files)
    assert error.message == message
    assert (error.position.path, error.position.line) == (path, line)


@pitfall(10)
def test_address_in_a_long_script_is_told(show: Show) -> None:
    code = "() => new URL('./data.json', import.meta.url);\n" + "0;\n" * 2**17
    bundle = show({"index.html": MODULE.replace("m.ts", "m.js"), "m.js": code, "data.json": "{}"})
    assert messages(bundle) == [
        "\"./data.json\" is sought beside the host's page, not beside the View's"
    ]


@pitfall(11)
@pytest.mark.parametrize("call", ["'./late'", "`./l${'ate'}.ts`"])
def test_dynamic_import_of_a_file_becomes_part_of_the_script(
    show: Show, screen: Screen, log: Log, call: str
) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": f"import({call}).then((found) => log.push(found.value))",
        "late.ts": "export const value: number = 5",
    }
    bundle = show(files)
    screen.until("log.length > 0")
    assert log() == [5]
    assert messages(bundle) == []


COMPUTED = "const f = (a) => import(a); f('https://x.example/y.js').catch(e => log.push(e.name))"


@pitfall(11)
@pytest.mark.parametrize(
    "page",
    [
        MODULE,
        MODULE.replace("m.ts", "m.js"),
        f"{HEAD}{PROBE}<script type=module>{COMPUTED}</script>",
        f"{HEAD}{PROBE}<script type=module src=n.ts></script>"
        f"<script type=module>{COMPUTED}</script>",
        f"{HEAD}{PROBE}<script src=m.js></script>",
    ],
)
def test_computed_import_is_told_and_fails(show: Show, screen: Screen, log: Log, page: str) -> None:
    bundle = show(
        {"index.html": page, "m.ts": COMPUTED.replace("(a) =>", "(a: string) =>"), "m.js": COMPUTED}
        | {"n.ts": "let a: number"}
    )
    screen.until("log.length > 1")
    assert set(log()) == {"blocked script-src-elem", "TypeError"}
    told = "what a computed import names cannot be bundled"
    assert messages(bundle).count(told) == 1


@pitfall(11)
def test_computed_import_that_may_name_a_page_is_refused(build: Build, packages: object) -> None:
    code = "const f = (a: string) => import(`./${a}`); f('x')"
    error = refusal(build, {"index.html": MODULE, "m.ts": code})
    assert error.message == 'no loader is configured for ".html" files: index.html'
    assert error.help is not None
    assert "give the ending" in error.help


@pitfall(12)
@pytest.mark.parametrize(
    "start",
    [
        "const w = new Worker(new URL('./w.ts', import.meta.url), { type: 'module' });",
        "import make from './w.ts?worker'; const w = (make as any)();",
    ],
)
def test_worker_becomes_part_of_the_script(
    show: Show, screen: Screen, log: Log, start: str
) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": f"{start}\nw.onmessage = (event: MessageEvent) => log.push(event.data);",
        "w.ts": "import { twice } from './t'; postMessage(twice(4))",
        "t.ts": "export const twice = (a: number) => 2 * a",
    }
    bundle = show(files, LOOSE)
    screen.until("log.length > 0")
    assert log() == [8]
    assert "the policy of the specification blocks workers" in messages(bundle)


@pitfall(12)
def test_worker_is_blocked_by_the_specifications_policy(
    show: Show, screen: Screen, log: Log
) -> None:
    show(
        {
            "index.html": MODULE,
            "m.ts": "new Worker(new URL('./w.ts', import.meta.url))",
            "w.ts": "postMessage(1)",
        }
    )
    screen.until("log.length > 0")
    assert log()[0] == "blocked worker-src"


@pitfall(13)
@pytest.mark.parametrize(
    ("policy", "logged"),
    [
        (LOOSE.replace("'unsafe-eval'", "'wasm-unsafe-eval'"), {5}),
        (None, {"CompileError", "blocked script-src"}),
    ],
)
def test_wasm_becomes_bytes(
    show: Show, screen: Screen, log: Log, policy: str | None, logged: set[object]
) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": (
            "import bytes from './add.wasm';\n"
            "WebAssembly.instantiate(bytes).then((made: any) => "
            "log.push(made.instance.exports.add(2, 3)), (error: Error) => log.push(error.name));"
        ),
        "add.wasm": WASM,
    }
    bundle = show(files, policy) if policy else show(files)
    screen.until(f"log.length >= {len(logged)}")
    assert set(log()) == logged
    assert "the policy of the specification blocks WebAssembly" in messages(bundle)


FROM_TEXT = "try { log.push(new Function('return 1')()) } catch (error) { log.push(error.name) }"


@pitfall(14)
def test_code_made_from_text_is_told_and_blocked(show: Show, log: Log) -> None:
    bundle = show({"index.html": f"{HEAD}{PROBE}<script src=a.js></script>", "a.js": FROM_TEXT})
    assert set(log()) == {"EvalError", "blocked script-src"}
    assert "the policy of the specification blocks code made from text" in messages(bundle)


@pitfall(14)
@pytest.mark.parametrize(("used", "told"), [("make", 1), ("other", 0)])
def test_package_that_makes_code_from_text_is_told_when_it_does(
    show: Show, log: Log, used: str, told: int
) -> None:
    files = {
        "index.html": MODULE,
        "m.ts": f"import {{ {used} }} from './node_modules/maker/index.js'; {used}()",
    }
    with_package = {
        "lib/node_modules/maker/index.js": (
            f"// new Function('in a comment')\nexport const make = () => {{ {FROM_TEXT} }};\n"
            "export const other = () => log.push('other');"
        )
    }
    files["m.ts"] = files["m.ts"].replace("./node", "./lib/node")
    bundle = show({**files, **with_package})
    assert set(log()) == ({"EvalError", "blocked script-src"} if told else {"other"})
    named = [
        (notice.position.path, notice.position.line)
        for notice in bundle.notices
        if notice.message == "the policy of the specification blocks code made from text"
    ]
    assert named == [("lib/node_modules/maker/index.js", 2)] * told
