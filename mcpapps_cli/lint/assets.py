"""Asks for the files that pages load from elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from mcpapps_cli.csp import origin_of
from mcpapps_cli.markup.page import is_html, read_page
from mcpapps_cli.model import Resource

_SECONDS: Final = 10.0
_MOST: Final = 200
_AT_ONCE: Final = 8
_LOADED: Final = frozenset({"script", "style", "image", "media", "font", "import", "preload"})


def statuses(resources: Sequence[Resource]) -> dict[str, int | str]:
    """Return the HTTP status by URL of every external file that the pages load.

    A text in place of a status says why there is none.
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
    async with httpx.AsyncClient(follow_redirects=True, timeout=_SECONDS) as client:

        async def ask(url: str) -> int | str:
            async with gate:
                try:
                    # Only the head of the answer is read: the file may be large.
                    async with client.stream("GET", url) as answer:
                        return answer.status_code
                except httpx.HTTPError as exc:
                    return f"no answer ({type(exc).__name__})"
                except (httpx.InvalidURL, ValueError):
                    return "no answer (InvalidURL)"

        return dict(zip(urls, await asyncio.gather(*map(ask, urls)), strict=True))
