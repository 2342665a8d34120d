"""Pages with our bridge in a frame of a host page, without any network."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Frame, Page, Route

from mcpapps_cli.embed import bridge_element
from mcpapps_cli.resources import bridge_dir

HERE = Path(__file__).parent
PEERS = HERE.parent.parent / "peers"
ORIGIN = "http://host.test"


def view_page(script: str = "", *, body: str = "", css: str = "", head: str = "") -> str:
    """Return a View that connects as `view` and then runs `script`."""
    return (
        f"<!doctype html><html><head><meta charset=utf-8>{head}"
        f"<style>body{{margin:0}}{css}</style>{bridge_element()}</head><body>{body}"
        f"<script>const view = mcpapps.connect({{ name: 'v', version: '1' }});\n{script}</script>"
        "</body></html>"
    )


@cache
def reference_host() -> str:
    """Return the reference host as one module; bundled with the bridge's own esbuild."""
    esbuild = bridge_dir() / "node_modules" / ".bin" / "esbuild"
    missing = [str(path) for path in (esbuild, PEERS / "node_modules") if not path.exists()]
    if missing or shutil.which("node") is None:
        reason = f"run npm ci where {missing or ['node']} is missing"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    bundled = subprocess.run(
        [str(esbuild), "--bundle", "--format=esm", "--log-level=error"],
        cwd=PEERS,
        input=(HERE / "reference-host.js").read_bytes(),
        capture_output=True,
        check=True,
    )
    return bundled.stdout.decode()


class Host:
    """The host page and the View in its frame."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "console",
            lambda message: self.errors.append(message.text) if message.type == "error" else None,
        )

    async def mount(self, html: str, **options: Any) -> Frame:
        """Put `html` into the frame and wait for its handshake."""
        await self.page.evaluate(
            "async ([html, options]) => { mount(html, options); await host.initialized; }",
            [html, options],
        )
        return self.view

    @property
    def view(self) -> Frame:
        return self.page.frames[-1]

    async def rest(self) -> list[int]:
        """Return every height that the View asked for, once it asks no more."""
        heights: list[int] = await self.page.evaluate("rest()")
        return heights

    async def run(self, expression: str, argument: Any = None) -> Any:
        return await self.page.evaluate(expression, argument)


@pytest.fixture
async def host(browser: Browser) -> AsyncIterator[Host]:
    context = await browser.new_context(viewport={"width": 800, "height": 900})

    async def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN).partition("?")[0]
        if path == "/":
            await route.fulfill(path=HERE / "host.html")
        elif path == "/reference":
            script = '<!doctype html><body><script type="module" src="/reference.js"></script>'
            await route.fulfill(body=script, content_type="text/html")
        elif path == "/reference.js":
            await route.fulfill(body=reference_host(), content_type="text/javascript")
        elif path.startswith("/test-host/"):
            file = bridge_dir() / path[1:]
            await route.fulfill(path=file, content_type="text/javascript")
        else:
            await route.abort()

    await context.route("**/*", serve)
    page = await context.new_page()
    page.set_default_timeout(15_000)
    await page.goto(f"{ORIGIN}/")
    await page.wait_for_function("'mount' in window")
    yield Host(page)
    await context.close()
