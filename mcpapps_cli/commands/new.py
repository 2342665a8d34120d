"""`mcpapps new`: start a project from a template."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections import Counter
from pathlib import Path

from mcpapps_cli import console, scaffold
from mcpapps_cli.errors import ExitStatus, UserError
from mcpapps_cli.model import Plan
from mcpapps_cli.words import count


def new(
    directory: Path | None,
    *,
    template: str | None = None,
    sdk: str = scaffold.DEFAULT_SDK,
    name: str | None = None,
    yes: bool = False,
    dry_run: bool = False,
    overwrite: bool = False,
    list_templates: bool = False,
) -> ExitStatus:
    """Write a project and say what to do next.

    Args:
        directory: The project's folder; it may exist if nothing in it is in the way.
        template: Default: `vanilla`.
        sdk: What the server stands on: `mcp`, `fastmcp` or `mcp1`.
        name: The project's name. Default: the folder's.
        yes: Never ask; without a terminal nothing is asked anyway.
        dry_run: Show what would be written.
        overwrite: Replace files that differ.
        list_templates: List the templates and do nothing else.

    Raises:
        UserError: The template, the SDK or the name is not usable, or something is in the way.
    """
    templates = scaffold.list_templates()
    if list_templates:
        width = max(len(each.name) for each in templates)
        for each in templates:
            console.out(f"{each.name:<{width}}   {each.summary}")
        return ExitStatus.OK

    asks = console.is_terminal() and not yes
    if directory is None:
        if not asks:
            raise UserError("no folder was named", help="give one, such as mcpapps new hello")
        directory = Path(console.ask("Folder", "hello"))
    if template is None:
        template = scaffold.DEFAULT_TEMPLATE
        if asks and len(templates) > 1:
            template = console.ask(f"Template ({', '.join(t.name for t in templates)})", template)
    chosen = scaffold.find_template(template, templates)
    scaffold.check_sdk(chosen, sdk, templates)
    target = directory.absolute() if directory.name not in ("", "..") else directory.resolve()
    if name is None:
        name = console.ask("Name", target.name) if asks else target.name

    plan = scaffold.plan_files(chosen, target, name, sdk=sdk, overwrite=overwrite)
    scaffold.check_plan(plan, overwrite=overwrite)
    if not dry_run:
        scaffold.write_plan(plan)
    for action in plan.actions:
        console.verb(action.verb, (directory / action.path).as_posix())
    console.out(f"\n{_outcome(plan, dry_run)}")
    if not dry_run:
        console.out()
        files = {action.path: action.text for action in plan.actions}
        lines = next_commands(directory, package=files.get("package.json"))
        # No need to enter the folder that the user is in.
        for line in lines[1:] if target == Path.cwd() else lines:
            console.out(f"  {line}")
    return ExitStatus.OK


def _outcome(plan: Plan, dry_run: bool) -> str:
    verbs = Counter(action.verb for action in plan.actions)
    written = verbs["create"] + verbs["overwrite"]
    if not written:
        same = count(verbs["identical"], "file")
        return f"{plan.target.name} is what {plan.template} gives ({same})."
    replaced = f", {verbs['overwrite']} overwritten" if verbs["overwrite"] else ""
    if dry_run:
        return f"Would create {count(written, 'file')}{replaced}."
    return f"Created {plan.target.name} from {plan.template} ({count(written, 'file')}{replaced})."


def next_commands(
    directory: Path,
    *,
    package: str | None = None,
    uv: bool | None = None,
    environment: bool | None = None,
    windows: bool = os.name == "nt",
) -> tuple[str, ...]:
    """Return what to type next: enter the folder, install, start `dev`.

    Args:
        directory: The project's folder as the user named it.
        package: The project's `package.json`; None when it has none.
        uv: Whether uv is there. Default: looked up on PATH.
        environment: Whether a virtual environment is active, into which pip may install.
            Default: whether `VIRTUAL_ENV` or this process says so.
        windows: Whether commands are for Windows.
    """
    if uv is None:
        uv = shutil.which("uv") is not None
    if environment is None:
        environment = "VIRTUAL_ENV" in os.environ or sys.prefix != sys.base_prefix
    shown = str(directory)
    enter = f'cd "{shown}"' if windows and " " in shown else f"cd {shown}"
    if not windows:
        enter = f"cd {shlex.quote(shown)}"
    if uv:
        install = "uv sync"
    elif environment:
        install = "python -m pip install -e ."
    elif windows:
        install = r"py -m venv .venv; .venv\Scripts\python -m pip install -e ."
    else:
        install = "python3 -m venv .venv && .venv/bin/python -m pip install -e ."
    scripts = json.loads(package).get("scripts", {}) if package is not None else {}
    npm = [] if package is None else ["npm ci", *(["npm run build"] if "build" in scripts else [])]
    return enter, install, *npm, "mcpapps dev"
