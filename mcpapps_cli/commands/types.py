"""`mcpapps types`: write the types of a server's tools."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from mcpapps_cli import console
from mcpapps_cli.errors import ExitStatus, ServerError
from mcpapps_cli.files import shown
from mcpapps_cli.inventory import load_inventory, take_inventory
from mcpapps_cli.model import EraChoice, Inventory, Project
from mcpapps_cli.typegen import check_texts, plan_texts, write_texts
from mcpapps_cli.typegen.output import DEFAULT_NAME
from mcpapps_cli.words import count


def types(
    project: Callable[[], Project],
    *,
    out: Path | None = None,
    check: bool = False,
    inventory: Path | None = None,
    era: EraChoice = "auto",
    timeout: float = 15.0,
) -> ExitStatus:
    """Ask a server for its tools and write their types.

    Args:
        project: Gives the project whose server is asked; not called with `inventory`.
        out: `NAME.d.ts`, or `NAME.js` for JSDoc. Default: `mcpapps-tools.d.ts` in the project.
        check: Write nothing; a file that is out of date gives exit code 1.
        inventory: A saved inventory, read in place of a live server.
        era: Which handshake to use.
        timeout: Seconds the server has for the start and for each answer.

    Raises:
        UserError: The server, the inventory or `out` cannot be used.
    """
    if inventory is not None:
        found, root = load_inventory(inventory), Path.cwd()
    else:
        resolved = project()
        assert resolved.server is not None
        if resolved.server.why:
            console.note(resolved.server.why, "dim")
        found = asyncio.run(take_inventory(resolved.server, era=era, timeout=timeout))
        root = resolved.root
    _refuse_unlisted(found)
    texts = plan_texts(found.tools, (out or root / DEFAULT_NAME).resolve())
    fresh = check_texts(texts)
    if check:
        for path, is_fresh in fresh.items():
            fault = "is out of date" if path.exists() else "does not exist"
            state = "is up to date." if is_fresh else f'{fault}; run "mcpapps types".'
            console.out(f"{shown(path)} {state}")
        return ExitStatus.OK if all(fresh.values()) else ExitStatus.FINDINGS
    verbs = {
        path: "identical" if is_fresh else "overwrite" if path.exists() else "create"
        for path, is_fresh in fresh.items()
    }
    write_texts(texts)
    for path, verb in verbs.items():
        console.verb(verb, shown(path))
    console.out(f"\nTyped {count(len(found.tools), 'tool')}.")
    return ExitStatus.OK


def _refuse_unlisted(found: Inventory) -> None:
    # Types of no tool would turn every call into an error of the compiler.
    for skip in found.unread:
        if skip.subject == "tools/list" and not found.tools:
            raise ServerError(f"the server did not list its tools: {skip.reason}")
