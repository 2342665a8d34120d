"""`ui/message` is always declined, as by a host whose input box is not empty."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli.host.profiles import Profile, Source
from mcpapps_cli.host.quirks import Quirk


def _refuse(profile: Profile) -> Profile:
    return replace(profile, refuses=profile.refuses | {"message"})


QUIRK = Quirk(
    name="message-refused",
    title="ui/message is always declined",
    source=Source(
        "https://github.com/microsoft/vscode, chatMcpAppModel.ts in the released bundle",
        "2026-08-19",
        "source",
    ),
    profile=_refuse,
)
