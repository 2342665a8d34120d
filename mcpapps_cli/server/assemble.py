"""From what was registered to a server of the SDK."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp.server.context import ServerMiddleware
from mcp.server.extension import Extension
from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel

from mcpapps_cli.server.amend import Amend
from mcpapps_cli.server.page import reader
from mcpapps_cli.server.reference import reference_warnings
from mcpapps_cli.server.view import ViewResource

if TYPE_CHECKING:
    from mcpapps_cli.server.apps import Apps
    from mcpapps_cli.server.registry import Template

_log = logging.getLogger("mcpapps_cli.server")
_Lifespan = Callable[[MCPServer[Any]], AbstractAsyncContextManager[Any]]


def assemble(
    apps: Apps,
    name: str | None,
    *,
    templates: Sequence[Template],
    views: Sequence[ViewResource],
    extensions: Sequence[Extension],
    middleware: Sequence[ServerMiddleware[Any]],
    lifespan: _Lifespan | None,
    options: Mapping[str, Any],
) -> MCPServer[Any]:
    """Return the server; see `Apps.server` for the arguments.

    Raises:
        ValueError: A tool's View is not registered.
    """
    # Declared because it is used: a server without a View has nothing to show.
    used = [apps, *extensions] if apps.resources() or templates else list(extensions)
    declared = {each.identifier: each.settings() for each in used}
    mcp: MCPServer[Any] = MCPServer(
        name,
        extensions=used,
        middleware=[Amend(declared, views), *middleware],
        lifespan=_checking(lifespan),
        **options,
    )
    if apps not in used:
        for binding in apps.tools():
            mcp.add_tool(binding.fn, meta=binding.meta, **binding.kwargs)
    for template in templates:
        mcp.resource(str(template.parsed), **template.options)(reader(template.fn))
    return mcp


def _checking(lifespan: _Lifespan | None) -> _Lifespan:
    @asynccontextmanager
    async def started(mcp: MCPServer[Any]) -> AsyncIterator[Any]:
        async with (lifespan or _empty)(mcp) as state:
            for warning in reference_warnings(
                _wire(await mcp.list_tools()),
                _wire(await mcp.list_resources()),
                _wire(await mcp.list_resource_templates()),
            ):
                _log.warning("%s", warning)
            yield state

    return started


@asynccontextmanager
async def _empty(_: MCPServer[Any]) -> AsyncIterator[dict[str, Any]]:
    yield {}


def _wire(entries: Iterable[BaseModel]) -> list[dict[str, Any]]:
    return [each.model_dump(by_alias=True, mode="json", exclude_none=True) for each in entries]
