"""Keeps what `mcpapps types` has written into a project up to date."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from mcpapps_cli.dev.event import DevEvent
from mcpapps_cli.dev.supervisor import Supervisor
from mcpapps_cli.errors import McpAppsError
from mcpapps_cli.model import Inventory
from mcpapps_cli.stage.event import NoteEvent


async def keep_types(
    supervisor: Supervisor, root: Path, on_event: Callable[[DevEvent], None]
) -> None:
    """Write the types of the current tools where the project has such a file.

    Args:
        supervisor: Whose tools are typed; one that does not run changes nothing.
        root: The project's folder.
        on_event: Told when the file was written, or why it could not be.
    """
    if supervisor.failed:
        return
    try:
        written = await asyncio.to_thread(_write, supervisor.inventory(), root)
    except McpAppsError as exc:
        on_event(NoteEvent(None, None, "warning", exc.message))
        return
    if written is not None:
        on_event(NoteEvent(None, None, "info", f'"{written}" follows the tools'))


def _write(inventory: Inventory, root: Path) -> str | None:
    # Only projects with types need any of it.
    from mcpapps_cli.typegen import check_texts, plan_texts, write_texts
    from mcpapps_cli.typegen.output import DEFAULT_NAME

    if not (root / DEFAULT_NAME).is_file() or not inventory.tools:
        return None
    texts = plan_texts(inventory.tools, root / DEFAULT_NAME)
    if all(check_texts(texts).values()):
        return None
    write_texts(texts)
    return DEFAULT_NAME
