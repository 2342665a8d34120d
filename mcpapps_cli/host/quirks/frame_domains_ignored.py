"""`frameDomains` and `baseUriDomains` have no effect."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli.host.profiles import Profile, Source
from mcpapps_cli.host.quirks import Quirk


def _ignore(profile: Profile) -> Profile:
    return replace(profile, csp_ignored=profile.csp_ignored | {"frameDomains", "baseUriDomains"})


QUIRK = Quirk(
    name="frame-domains-ignored",
    title="frameDomains and baseUriDomains have no effect",
    source=Source("https://github.com/anthropics/claude-ai-mcp/issues/40", "2026-08-22", "report"),
    profile=_ignore,
)
