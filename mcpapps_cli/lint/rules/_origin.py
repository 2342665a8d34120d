"""Help and examples about origins that files come from."""

from __future__ import annotations

from mcpapps_cli.lint.rule import (
    UiResource,
)
from mcpapps_cli.model import JsonObject

FONTS = "https://fonts.googleapis.com"

FONT_FILES = "https://fonts.gstatic.com"


def declaring(*origins: str) -> JsonObject:
    return {"csp": {"resourceDomains": list(origins)}, "prefersBorder": True}


def origin_help(view: UiResource, origin: str) -> str:
    missing = [origin]
    if origin == FONTS and FONT_FILES not in (view.csp.resource if view.csp else ()):
        missing.append(FONT_FILES)
    names = " and ".join(f'"{name}"' for name in missing)
    return f"add {names} to csp.resourceDomains, or inline the file with mcpapps bundle"
