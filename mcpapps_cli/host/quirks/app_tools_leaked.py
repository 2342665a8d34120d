"""The model is told of tools that only Views may call."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli.host.profiles import Profile, Source
from mcpapps_cli.host.quirks import Quirk


def _leak(profile: Profile) -> Profile:
    return replace(profile, hides_app_tools=False)


QUIRK = Quirk(
    name="app-tools-leaked",
    title="the model is told of tools that only Views may call",
    source=Source(
        "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
        "2026-08-14",
        "probe",
    ),
    profile=_leak,
)
