"""Pages of a size, for examples."""

from __future__ import annotations

from functools import cache

from mcpapps_cli.lint.rule import (
    page,
)


@cache
def padded(size: int) -> str:
    html = page().html
    return html + " " * (size - len(html.encode()))
