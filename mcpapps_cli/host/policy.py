"""The Content-Security-Policy that a host writes for a View, in the words of its profile."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from mcpapps_cli import wire
from mcpapps_cli.csp import directives
from mcpapps_cli.host.profiles import Profile
from mcpapps_cli.model import Csp

_PLACE: Final = re.compile(r"\{(\w+)(?:\|([^}]*))?\}")

SPECIFICATION: Final[Mapping[str, str]] = {
    "default-src": "'none'",
    "script-src": "'self' 'unsafe-inline' {resourceDomains}",
    "style-src": "'self' 'unsafe-inline' {resourceDomains}",
    "connect-src": "'self' {connectDomains}",
    "img-src": "'self' data: {resourceDomains}",
    "font-src": "'self' {resourceDomains}",
    "media-src": "'self' data: {resourceDomains}",
    "frame-src": "{frameDomains|'none'}",
    "object-src": "'none'",
    "base-uri": "{baseUriDomains|'self'}",
}
"""The specification's construction as a template (Security), for hosts that build on it.

A template names the lists of `_meta.ui.csp` in braces. `{frameDomains|'none'}` stands for the
declared origins, or for `'none'` when there are none.
"""


def effective_policy(profile: Profile, csp: Csp | None) -> dict[str, tuple[str, ...]]:
    """Return the policy that a host applies, directive by directive, in its order.

    Args:
        profile: The host; the lists it ignores are to be gone from `csp` already.
        csp: The origins granted; None when the View declares no `csp`.
    """
    if profile.policy is None:
        return directives(csp)
    return {name: fill(text, csp) for name, text in profile.policy.items()}


def fill(template: str, csp: Csp | None) -> tuple[str, ...]:
    """Return the sources of one directive of a template; entries that are no origin are left out.

    A place in braces that names no list of `_meta.ui.csp` stands for nothing.
    """
    clean = origins_of(csp or Csp())
    lists = (clean.connect, clean.resource, clean.frame, clean.base_uri)
    granted = dict(zip(wire.CSP_KEYS, lists, strict=True))

    def origins(place: re.Match[str]) -> str:
        return " ".join(granted.get(place[1], ())) or place[2] or ""

    return tuple(dict.fromkeys(_PLACE.sub(origins, template).split()))


def template_fault(template: str) -> str | None:
    """Return what is wrong with a directive's template, or None."""
    if unsafe := re.search(r"[;,\r\n]", template):
        return f"contains {unsafe.group()!r}, which ends a directive"
    rest = _PLACE.sub("", template)
    if "{" in rest or "}" in rest:
        return "has a brace that does not belong to a pair"
    unknown = [name for name, _ in _PLACE.findall(template) if name not in wire.CSP_KEYS]
    if unknown:
        return f'names "{unknown[0]}", which is not one of {", ".join(wire.CSP_KEYS)}'
    return None


def origins_of(csp: Csp) -> Csp:
    """Return the declared origins without the entries that no policy takes."""
    built, bare = directives(csp), directives(Csp())

    def applied(entries: tuple[str, ...], directive: str) -> tuple[str, ...]:
        # A keyword such as 'self' may be in the directive already; nobody may declare it.
        return tuple(
            entry for entry in entries if entry in built[directive] and entry not in bare[directive]
        )

    return Csp(
        connect=applied(csp.connect, "connect-src"),
        resource=applied(csp.resource, "img-src"),
        frame=applied(csp.frame, "frame-src"),
        base_uri=applied(csp.base_uri, "base-uri"),
    )
