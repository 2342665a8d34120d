"""The View is told its input before it has sent `initialized`."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli.host.profiles import Profile, Source
from mcpapps_cli.host.quirks import Quirk


def _hurry(profile: Profile) -> Profile:
    return replace(profile, input_early=True)


QUIRK = Quirk(
    name="input-before-initialized",
    title="tool-input is sent without waiting for initialized",
    source=Source(
        "https://github.com/microsoft/vscode, chatMcpAppModel.ts in the released bundle",
        "2026-08-19",
        "source",
    ),
    profile=_hurry,
)
