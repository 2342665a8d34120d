"""The bridge in real pages: opaque frames, the strictest policy, styles and files, in Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.csp import policy_text
from mcpapps_cli.embed import BridgeConfig, app_shell, bridge_module, escape_script, inject_bridge
from tests.browser.bridge.conftest import Host, view_page

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

# The policy of a View whose resource declares no `csp` (specification, UI Resource Format).
STRICTEST = f'<meta http-equiv="Content-Security-Policy" content="{policy_text(None)}">'
VIOLATIONS = """<script>window.violations = [];
document.addEventListener("securitypolicyviolation", ({ effectiveDirective, sample }) =>
  violations.push([effectiveDirective, sample]));</script>"""


@pytest.mark.parametrize("sandbox", ["allow-scripts", "allow-scripts allow-same-origin"])
async def test_e63_a_view_works_in_an_opaque_frame_under_the_strictest_policy(
    host: Host, sandbox: str
) -> None:
    script = """
      view.applyHostStyles();
      view.run(async ({ defer }) => {
        defer(() => { document.body.textContent = "gone"; });
        const { content } = await view.callTool("clock", { zone: "UTC" });
        document.body.textContent = `${origin} ${content[0].text}`;
      });
    """
    view = await host.mount(
        view_page(script, head=STRICTEST + VIOLATIONS),
        sandbox=sandbox,
        hostContext={"theme": "dark", "styles": {"css": {"fonts": "/* none */"}}},
        answers={"tools/call": {"content": [{"type": "text", "text": "12:00"}]}},
    )
    origin = "null" if sandbox == "allow-scripts" else "http://host.test"
    await view.wait_for_function(f"document.body.textContent == '{origin} 12:00'")
    await view.wait_for_function("document.documentElement.dataset.theme == 'dark'")
    await host.rest()
    await host.run("host.teardown()")
    assert await view.inner_text("body") == "gone"
    assert await view.evaluate("violations") == []
    assert await host.run("host.violations") == []
    assert host.errors == []


async def test_the_module_works_under_the_strictest_policy(host: Host) -> None:
    module = bridge_module().replace("export{", "globalThis.mcpapps={").replace(" as ", ":")
    names = module.rpartition("globalThis.mcpapps={")[2].removesuffix("};").split(",")
    swapped = ",".join(":".join(reversed(pair.split(":"))) for pair in names)
    module = module.rpartition("globalThis.mcpapps={")[0] + f"globalThis.mcpapps={{{swapped}}};"
    page = (
        f"<!doctype html>{STRICTEST}{VIOLATIONS}<body><script type=module>{escape_script(module)}"
        "mcpapps.connect({ name: 'm', version: '2' })</script>"
    )
    view = await host.mount(page)
    app = await host.run("host.received[0].params.appInfo")
    assert app == {"name": "m", "version": "2"}
    assert await view.evaluate("violations") == []


async def test_a_page_that_reads_five_seconds_late_gets_everything(host: Host) -> None:
    await host.page.clock.install()
    script = """
      setTimeout(async () => {
        const input = await view.toolInput, result = await view.toolResult, partial = [];
        for await (const args of view.toolInputPartial) partial.push(args);
        const { theme } = view.hostContext;
        window.late = { input, partial, result: result.content[0].text, theme };
      }, 5000);
    """
    view = await host.mount(view_page(script))
    await host.run(
        """async () => {
          await host.sendToolInputPartial({ city: "O" });
          await host.sendToolInput({ city: "Oslo" });
          await host.sendToolResult({ content: [{ type: "text", text: "12 degrees" }] });
          await host.sendContext({ theme: "dark" });
          await host.ping();
        }"""
    )
    assert await view.evaluate("window.late") is None
    await host.page.clock.run_for(5000)
    await view.wait_for_function("window.late")
    assert await view.evaluate("window.late") == {
        "input": {"city": "Oslo"},
        "partial": [{"city": "O"}],
        "result": "12 degrees",
        "theme": "dark",
    }


STYLES = """({ theme: document.documentElement.dataset.theme,
  scheme: document.documentElement.style.colorScheme,
  sans: getComputedStyle(document.documentElement).getPropertyValue("--font-sans"),
  mono: getComputedStyle(document.documentElement).getPropertyValue("--font-mono"),
  fonts: [...document.head.querySelectorAll("style")].slice(1).map((s) => s.textContent) })"""


async def test_e72_k93_theme_variables_and_fonts_follow_the_host(host: Host) -> None:
    first = "@font-face { font-family: A; src: url(data:font/woff2;base64,AA) }"
    css = ":root{--font-mono:page-mono}"
    view = await host.mount(
        view_page("view.applyHostStyles()", css=css),
        hostContext={
            "theme": "light",
            "styles": {
                "variables": {"--font-sans": "Inter", "--font-mono": "host-mono"},
                "css": {"fonts": first},
            },
        },
    )
    await view.wait_for_function("document.documentElement.dataset.theme == 'light'")
    assert await view.evaluate(STYLES) == {
        "theme": "light",
        "scheme": "light",
        "sans": "Inter",
        "mono": "host-mono",
        "fonts": [first],
    }
    second = first.replace(": A", ": B")
    update = {
        "theme": "dark",
        "styles": {"variables": {"--font-sans": "Lato"}, "css": {"fonts": second}},
    }
    await host.run("update => host.sendContext(update)", update)
    await view.wait_for_function("document.documentElement.dataset.theme == 'dark'")
    assert await view.evaluate(STYLES) == {
        "theme": "dark",
        "scheme": "dark",
        "sans": "Lato",
        "mono": "page-mono",
        "fonts": [second],
    }


async def test_ending_the_host_styles_keeps_what_is_applied(host: Host) -> None:
    view = await host.mount(
        view_page("window.off = view.applyHostStyles()"), hostContext={"theme": "light"}
    )
    await view.wait_for_function("document.documentElement.dataset.theme == 'light'")
    await view.evaluate("off()")
    await host.run("host.sendContext({ theme: 'dark' })")
    await view.wait_for_function("view.hostContext.theme == 'dark'")
    assert await view.evaluate("document.documentElement.dataset.theme") == "light"


async def test_what_a_page_calls_start_is_its_own(host: Host) -> None:
    button = "<button id=start>start</button>"
    # An element is a global under its id, in scripts that come after it.
    page = view_page().replace("<body>", f"<body>{button}")
    view = await host.mount(page.replace("const view", "window.found = start; const view"))
    assert await view.evaluate("found.id") == "start"
    function = "<script>window.calls = 0; function start() { calls++ }</script>"
    view = await host.mount(view_page(head=function))
    assert await view.evaluate("calls") == 0
    assert host.errors == []


FILES = """
  const report = (promise) => promise.then((value) => { window.chosen = value },
    ({ name, message, ...rest }) => { window.chosen = { kind: name, ...rest } });
  one.onclick = () => report(mcpapps.selectFile(choice));
  many.onclick = () => report(mcpapps.selectFiles(choice));
"""
BUTTONS = "<button id=one>one</button><button id=many>many</button>"


async def choose(host: Host, button: str, files: list[Path] | None, choice: str = "{}") -> Any:
    page = view_page(FILES.replace("choice", choice), body=BUTTONS)
    view = await host.mount(page)
    async with host.page.expect_file_chooser() as waiting:
        await view.click(f"#{button}")
    chooser = await waiting.value
    assert chooser.is_multiple() == (button == "many")
    if files is None:
        await chooser.element.dispatch_event("cancel")
    else:
        await chooser.set_files(files)
    await view.wait_for_function("window.chosen")
    assert await view.locator("input").count() == 0
    return await view.evaluate("window.chosen")


async def test_k94_a_file_becomes_a_data_uri_with_its_name(host: Host, tmp_path: Path) -> None:
    file = tmp_path / "my notes; (1).txt"
    file.write_bytes("blåbær".encode())
    expected = "data:text/plain;name=my%20notes%3B%20(1).txt;base64,YmzDpWLDpnI="
    assert await choose(host, "one", [file]) == expected


async def test_k94_several_files_and_one_of_no_known_type(host: Host, tmp_path: Path) -> None:
    first, second = tmp_path / "a.png", tmp_path / "b.unheard-of"
    first.write_bytes(b"\x89PNG")
    second.write_bytes(b"")
    assert await choose(host, "many", [first, second], "{ maxSize: 4 }") == [
        "data:image/png;name=a.png;base64,iVBORw==",
        "data:application/octet-stream;name=b.unheard-of;base64,",
    ]


async def test_k94_no_choice_is_a_cancellation(host: Host) -> None:
    assert await choose(host, "one", None) == {"kind": "FileError", "reason": "cancelled"}


async def test_k94_the_size_is_checked_before_the_type(host: Host, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"12345")
    choice = "{ maxSize: 4, accept: ['image/*'] }"
    error = {"kind": "FileError", "reason": "file_too_large", "size": 5, "maxSize": 4}
    assert await choose(host, "one", [file], choice) == error


async def test_k95_a_type_that_is_not_accepted_is_named(host: Host, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"12345")
    assert await choose(host, "one", [file], "{ accept: ['image/*', '.csv'] }") == {
        "kind": "FileError",
        "reason": "file_type_not_accepted",
        "mediaType": "text/plain",
        "accept": ["image/*", ".csv"],
    }


async def test_k46_k51_a_shell_connects_under_its_name(host: Host) -> None:
    view = await host.mount(app_shell("t", "<p>hello", BridgeConfig("</script>", "3")))
    app = await host.run("host.received[0].params.appInfo")
    assert app == {"name": "</script>", "version": "3"}
    assert await view.evaluate("mcpapps.view.connected") is True


async def test_k49_k60_two_copies_of_the_bridge_are_one_view(host: Host) -> None:
    page = view_page("", head="<!-- first -->")
    double = page.replace(
        "</body>",
        inject_bridge("") + "<script>window.same = "
        "mcpapps.connect({ name: 'w', version: '9' }) === view</script></body>",
    )
    view = await host.mount(double)
    assert await view.evaluate("same") is True
    assert await host.run("host.all('ui/initialize').length") == 1


async def test_k62_a_page_of_its_own_asks_nobody_and_says_so(host: Host) -> None:
    page = host.page
    await page.set_content(view_page("view.ready.catch(({ message }) => { window.why = message })"))
    await page.wait_for_function("window.why")
    assert await page.evaluate("window.why") == "this page has no host"
    assert [error.rpartition("Error: ")[2].splitlines()[0] for error in host.errors] == [
        "this page has no host"
    ]
