"""A View from a dict of files, bundled, and a browser that shows it under a host's policy."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from mcpapps_cli.bundle import build_bundle
from mcpapps_cli.csp import policy_text
from mcpapps_cli.errors import SourceError
from mcpapps_cli.model import Building, Bundle, View

Build = Callable[..., Bundle]
Show = Callable[..., Bundle]
Log = Callable[[], list[object]]
PEERS = Path(__file__).resolve().parent.parent / "peers"
HEAD = '<!doctype html>\n<meta charset="utf-8">\n'
# What the specification gives a View that declares nothing.
SPEC = policy_text(None)
# A host that is looser than the specification, as basic-host is.
LOOSE = (
    "default-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: "
    "data:; style-src 'self' 'unsafe-inline' blob: data:; img-src 'self' data: blob:; "
    "font-src 'self' data: blob:; media-src 'self' data: blob:; worker-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'"
)
# Records what the policy blocks and what scripts do; no bundle of a user has it.
PROBE = (
    "<script>window.log = []; addEventListener('securitypolicyviolation', "
    "event => log.push(`blocked ${event.effectiveDirective}`)); "
    "addEventListener('error', event => log.push(`error ${event.message}`));</script>"
)
MODULE = f"{HEAD}{PROBE}<script type=module src=m.ts></script><p id=p>x"
# One green pixel.
DOT = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="5"><rect width="5" height="5"/></svg>'


def refusal(build: Build, files: Mapping[str, str | bytes], **declared: Any) -> SourceError:
    """Return the error with which a View is refused; it has a place."""
    with pytest.raises(SourceError) as caught:
        build(files, **declared)
    return caught.value


def messages(bundle: Bundle) -> list[str]:
    return [notice.message for notice in bundle.notices]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    def write_files(files: Mapping[str, str | bytes]) -> Path:
        root = tmp_path / "project"
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return write_files


@pytest.fixture
def build(write: Callable[[Mapping[str, str | bytes]], Path]) -> Build:
    """Bundle a dict of files; the first is the page, keywords are those of `View`."""

    def build_files(files: Mapping[str, str | bytes], **declared: Any) -> Bundle:
        root = write(files)
        entry = root / next(iter(files))
        building = {name: declared.pop(name) for name in Building.__slots__ if name in declared}
        view = View("v", entry, "ui://app/v.html", building=Building(**building), **declared)
        return build_bundle(view, root=root)

    return build_files


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A project folder that has the packages of `tests/peers`, esbuild among them."""
    modules = PEERS / "node_modules"
    if not (modules / "esbuild").is_dir():
        pytest.skip("tests/peers is not installed: run npm ci in it")
    root = tmp_path / "project"
    root.mkdir(exist_ok=True)
    (root / "node_modules").symlink_to(modules, target_is_directory=True)
    return root


class Screen:
    """A tab that shows documents in an opaque origin, under the policy of a host."""

    def __init__(self, context: Any):
        self._tab = context.new_page()
        self._answer: dict[str, Any] = {}
        self.requests: list[str] = []
        self.console: list[str] = []
        self._tab.on("console", lambda said: self.console.append(said.text))
        self._tab.route("**/*", self._fulfill)

    def show(
        self, html: str, policy: str = SPEC, *, mime: str = "text/html; charset=utf-8"
    ) -> None:
        """Load a document; nothing else is ever loaded."""
        self.requests, self.console = [], []
        self._answer = {
            "body": html.encode(),
            "headers": {
                "content-type": mime,
                "content-security-policy": f"{policy}; sandbox allow-scripts",
            },
        }
        self._tab.goto("http://view.test/")

    def evaluate(self, code: str) -> Any:
        return self._tab.evaluate(code)

    def until(self, condition: str) -> None:
        """Wait in the page, without the evaluation of text that a policy would block."""
        self._tab.evaluate(
            "new Promise((done, fail) => { const end = Date.now() + 15000; const look = () => "
            f"({condition}) ? done() : Date.now() > end ? fail(Error('still waiting')) "
            ": setTimeout(look, 5); look(); })"
        )

    def _fulfill(self, route: Any) -> None:
        if route.request.url == "http://view.test/":
            route.fulfill(**self._answer)
        else:
            self.requests.append(route.request.url)
            route.abort()


# No longer than a module: the synchronous API keeps an event loop running in this thread.
@pytest.fixture(scope="module")
def screen(chromium: Path, chromium_flags: list[str]) -> Iterator[Screen]:
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=str(chromium), args=chromium_flags)
        yield Screen(running.new_context())
        running.close()


@pytest.fixture
def show(build: Build, packages: Path, screen: Screen) -> Show:
    """Bundle files with esbuild at hand, load the result, and return it."""

    def show_files(files: Mapping[str, str | bytes], policy: str = SPEC, **declared: Any) -> Bundle:
        bundle = build(files, **declared)
        screen.show(bundle.html, policy)
        assert screen.requests == []
        return bundle

    return show_files


@pytest.fixture
def log(screen: Screen) -> Log:
    return lambda: screen.evaluate("log")
