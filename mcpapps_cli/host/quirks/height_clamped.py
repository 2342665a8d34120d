"""The frame gets no higher than 500 CSS pixels, whatever the View reports."""

from __future__ import annotations

from typing import Final

from mcpapps_cli.host.effect import Effect, Resize
from mcpapps_cli.host.profiles import Source
from mcpapps_cli.host.quirks import Quirk

LIMIT: Final = 500
"""CSS pixels; what one directory of hosts asks inline Views to keep to."""


def _clamp(effect: Effect) -> Effect:
    if isinstance(effect, Resize) and effect.height is not None:
        return Resize(effect.width, min(effect.height, LIMIT))
    return effect


QUIRK = Quirk(
    name="height-clamped",
    title="the frame is never higher than 500 pixels",
    source=Source(
        "https://github.com/anthropics/claude-plugins-official, build-mcp-app references",
        "2026-08-19",
        "vendor-doc",
    ),
    effect=_clamp,
)
