"""Asks for the files that pages load from elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from mcpapps_cli.csp import origin_of
from mcpapps_cli.markup.page import is_html, read_page
from mcpapps_cli.model import Resource
from mcpapps_cli.web import environment_told, is_loopback

_SECONDS: Final = 10.0
_MOST: Final = 200
_AT_ONCE: Final = 8
_LOADED: Final = frozenset({"script", "style", "image", "media", "font", "import", "preload"})


def statuses(resources: Sequence[Resource]) -> dict[str, int | str]:
    """Return the HTTP status by URL of every external file that the pages load.

    A text in place of a status says why there is none. This machine is asked without a proxy.

    Raises:
        UserError: The proxies or certificates that the environment names cannot be used.
    """
    urls: dict[str, None] = {}
    for resource in resources:
        if resource.html is not None and is_html(resource.html):
            for ref in read_page(resource.html).references:
                if ref.kind in _LOADED and origin_of(ref.url) is not None and len(urls) < _MOST:
                    urls[ref.url] = None
    return asyncio.run(_ask(list(urls))) if urls else {}


async def _ask(urls: list[str]) -> dict[str, int | str]:
    import httpx

    gate = asyncio.Semaphore(_AT_ONCE)
    near = {url for url in urls if _is_near(url)}
    async with contextlib.AsyncExitStack() as stack:

        async def client(*, outward: bool) -> httpx.AsyncClient:
            with environment_told():
                made = httpx.AsyncClient(follow_redirects=True, timeout=_SECONDS, trust_env=outward)
            return await stack.enter_async_context(made)

        direct = await client(outward=False)
        through = direct if len(near) == len(urls) else await client(outward=True)

        async def ask(url: str) -> int | str:
            async with gate:
                try:
                    # Only the head of the answer is read: the file may be large.
                    way = direct if url in near else through
                    async with way.stream("GET", url) as answer:
                        return answer.status_code
                except httpx.HTTPError as exc:
                    return f"no answer ({type(exc).__name__})"
                except (httpx.InvalidURL, ValueError):
                    return "no answer (InvalidURL)"

        return dict(zip(urls, await asyncio.gather(*map(ask, urls)), strict=True))


def _is_near(url: str) -> bool:
    try:
        return is_loopback(urlsplit(url).hostname or "")
    except ValueError:
        return False
