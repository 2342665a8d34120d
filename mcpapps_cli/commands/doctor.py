"""`mcpapps doctor`: what of this machine and project the other commands would use."""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from mcpapps_cli import __version__, console, wire
from mcpapps_cli.commands.error_json import end_with
from mcpapps_cli.errors import ExitStatus, McpAppsError, PortTaken, UserError
from mcpapps_cli.inventory import take_inventory
from mcpapps_cli.model import EraChoice, Inventory, Project, ServerSpec
from mcpapps_cli.words import count

_SDKS = ("mcp", "fastmcp")
_VERSIONS = """
import json, sys
from importlib import metadata
found = {}
for name in sys.argv[1:]:
    try:
        found[name] = metadata.version(name)
    except metadata.PackageNotFoundError:
        pass
print(json.dumps({"python": sys.version.split()[0], "packages": found}))
"""
_SECONDS = 20.0
_WIDTH = 12


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: What it is.
        state: `ok`, `warning` for something one can live with, `error` for what stops a command.
        text: What was found.
        fix: What to do about it, or None.
    """

    name: str
    state: Literal["ok", "warning", "error"]
    text: str
    fix: str | None = None


def doctor(
    resolve: Callable[[], Project],
    *,
    public_url: str | None = None,
    format_: str = "text",
    era: EraChoice = "auto",
    timeout: float = 15.0,
) -> ExitStatus:
    """Look at everything and write a line about each thing to stdout.

    Args:
        resolve: Reads the project and its server.
        public_url: Where the server is or will be reached; gives the sandbox domains of hosts.
        format_: `text` or `json`.
        era: The handshake to use.
        timeout: Seconds that the server gets to answer.

    Returns:
        USAGE when something was found that stops a command.

    Raises:
        UserError: `public_url` is no URL; with `json` it is written as JSON instead.
    """
    try:
        public = [] if public_url is None else [*_public(public_url)]
    except UserError as exc:
        return end_with(exc, format_)
    checks = [*_machine(), *_project(resolve, era, timeout), *public]
    if format_ == "json":
        console.out(json.dumps({"version": 1, "checks": [asdict(check) for check in checks]}))
    else:
        for check in checks:
            mark = "" if check.state == "ok" else f"{check.state}: "
            console.out(f"{check.name:<{_WIDTH}}{mark}{check.text}")
            if check.fix is not None:
                console.out(f"{'':<{_WIDTH}}help: {check.fix}")
    failed = any(check.state == "error" for check in checks)
    return ExitStatus.USAGE if failed else ExitStatus.OK


def _machine() -> Iterator[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Check("mcpapps", "ok", f"{__version__} on Python {version}")
    if importlib.util.find_spec("esbuild_py") is not None:
        yield Check("engine", "ok", "plain files, and JSX by esbuild-py")
    else:
        yield Check("engine", "ok", "plain files")
    yield _browser()
    yield _ports()


def _esbuild(start: Path) -> Check:
    from mcpapps_cli.bundle.esbuild.locate import PINNED, find_esbuild

    try:
        found = find_esbuild(start)
    except UserError as exc:
        return Check("esbuild", "error", exc.message, exc.help)
    if found.binary is not None:
        version, path, why = found.binary.version, found.binary.path, found.binary.why
        # Of one in `node_modules` that says where it is.
        where = why if str(path).startswith(why.removeprefix("in ")) else f"{why}, {path}"
        return Check("esbuild", "ok", f"{version} {where}")
    text = "; ".join(("not found, which TypeScript and imports need", *found.refused))
    fix = f'run "npm install --save-dev esbuild@{PINNED}", or bundle with --fetch-esbuild'
    return Check("esbuild", "ok", text, fix)


def _browser() -> Check:
    from mcpapps_cli.stage.browser import BROWSER_VARIABLE, find_browser

    fix = f"install one, or set {BROWSER_VARIABLE} to its path"
    try:
        found = find_browser()
    except UserError as exc:
        return Check("browser", "error", exc.message, exc.help)
    if found is None:
        return Check("browser", "warning", "no Chrome, Edge or Chromium was found", fix)
    return Check("browser", "ok", str(found))


def _ports() -> Check:
    from mcpapps_cli.stage.loopback import FIRST_PORT, IPV4, IPV6, bind

    try:
        port, sockets = bind((IPV4, IPV6), None)
    except PortTaken as exc:
        return Check("ports", "error", exc.message, exc.help)
    both = " and ".join(sock.getsockname()[0] for sock in sockets)
    for sock in sockets:
        sock.close()
    taken = "" if port == FIRST_PORT else f" ({FIRST_PORT} is in use)"
    return Check("ports", "ok", f"{port} is free on {both}{taken}")


def _project(resolve: Callable[[], Project], era: EraChoice, timeout: float) -> Iterator[Check]:
    try:
        project = resolve()
    except McpAppsError as exc:
        text = "; ".join((exc.message, *exc.details))
        yield _esbuild(Path.cwd())
        yield Check("project", "error", text, exc.help)
        return
    views = len(project.views)
    yield Check("project", "ok", f"{project.name}, {count(views, 'View')}, in {project.root}")
    # As `bundle` looks for it.
    yield _esbuild(next((view.entry.parent for view in project.views), project.root))
    assert project.server is not None
    yield from _interpreter(project.server)
    try:
        inventory = asyncio.run(take_inventory(project.server, era=era, timeout=timeout))
    except McpAppsError as exc:
        last = f": {exc.details[-1]}" if exc.details else ""
        yield Check("server", "error", exc.message + last, exc.help)
        return
    yield from _server(project.server, inventory)


def _interpreter(spec: ServerSpec) -> Iterator[Check]:
    from mcpapps_cli.dev.program import NotPython, read_program

    try:
        program = read_program(spec)
    except NotPython as reason:
        yield Check("interpreter", "ok", f"none: {reason}")
        return
    command = [*program.interpreter, "-c", _VERSIONS, *_SDKS]
    try:
        done = subprocess.run(
            command, cwd=spec.cwd, capture_output=True, text=True, timeout=_SECONDS, check=True
        )
        found = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as exc:
        yield Check("interpreter", "error", f"it does not run: {exc}", "pass --python")
        return
    yield Check("interpreter", "ok", f"Python {found['python']}, {program.interpreter[-1]}")
    packages = found["packages"]
    if packages:
        text = ", ".join(f"{name} {version}" for name, version in packages.items())
        yield Check("sdk", "ok", text)
    else:
        fix = "install the project's dependencies into it, or pass --python"
        yield Check("sdk", "warning", "neither mcp nor fastmcp is installed there", fix)


def _server(spec: ServerSpec, inventory: Inventory) -> Iterator[Check]:
    from mcpapps_cli.metadata import apps_metadata

    linked = sum(apps_metadata(tool).resource_uri is not None for tool in inventory.tools)
    name = inventory.server_info.get("name") or spec.label
    yield Check(
        "server", "ok", f"{name}, {count(len(inventory.tools), 'tool')}, {linked} with a View"
    )
    version = inventory.protocol_version or "no version"
    yield Check("era", "ok", f"{inventory.era} ({version})")
    extensions = inventory.capabilities.get("extensions")
    if isinstance(extensions, dict) and wire.EXTENSION_ID in extensions:
        yield Check("extension", "ok", wire.EXTENSION_ID)
    elif linked and inventory.era == "legacy":
        yield Check("extension", "ok", "not announced, as usual in this era; hosts look at tools")
    elif linked:
        fix = "pass the SDK's Apps extension to the server"
        yield Check("extension", "warning", f"{wire.EXTENSION_ID} is not announced", fix)
    else:
        fix = "see _meta.ui.resourceUri"
        yield Check("extension", "warning", "no tool links a View", fix)
    for skip in inventory.unread:
        fix = "see mcpapps lint"
        yield Check("unread", "warning", f"{skip.subject}: {skip.reason}", fix)


def _public(url: str) -> Iterator[Check]:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UserError(f'"{url}" is not an http or https URL', help="give it as clients reach it")
    if parts.scheme == "http":
        fix = "serve it over https"
        yield Check("public URL", "warning", "hosts on the web refuse http", fix)
    else:
        yield Check("public URL", "ok", url)
    # The domain that Claude gives a View is the hash of the URL exactly as it was entered there.
    digest = hashlib.sha256(url.encode()).hexdigest()[:32]
    yield Check("claude", "ok", f'domain = "{digest}.claudemcpcontent.com"')
