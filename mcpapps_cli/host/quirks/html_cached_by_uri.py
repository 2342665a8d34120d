"""A document is kept for its URI, so a changed one is not shown."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli.host.mounting import Mounting
from mcpapps_cli.host.profiles import Source
from mcpapps_cli.host.quirks import Quirk


def _keep(mounting: Mounting, first: Mounting) -> Mounting:
    return replace(mounting, html=first.html)


QUIRK = Quirk(
    name="html-cached-by-uri",
    title="the first document of a URI is shown for ever",
    source=Source("https://github.com/alpic-ai/skybridge/issues/530", "2026-03-05", "report"),
    mounting=_keep,
)
