"""What a host really gives a View, of what the View's metadata asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpapps_cli import wire
from mcpapps_cli.csp import allow_attribute, render
from mcpapps_cli.host.effect import Mount
from mcpapps_cli.host.mounting import Mounting
from mcpapps_cli.host.policy import effective_policy, origins_of
from mcpapps_cli.metadata import resource_meta
from mcpapps_cli.model import Csp, JsonObject


def granted_csp(mounting: Mounting) -> Csp | None:
    """Return the origins that the policy will hold; None when the View declares no `csp`.

    Entries that are no origin are gone, and so are the lists that the profile ignores
    (specification, Security: a host may restrict further and must not allow more).
    """
    if mounting.csp is None:
        return None
    declared, ignored = mounting.csp, mounting.profile.csp_ignored
    kept = Csp(
        connect=() if "connectDomains" in ignored else declared.connect,
        resource=() if "resourceDomains" in ignored else declared.resource,
        frame=() if "frameDomains" in ignored else declared.frame,
        base_uri=() if "baseUriDomains" in ignored else declared.base_uri,
    )
    return origins_of(kept)


def granted_permissions(mounting: Mounting) -> tuple[str, ...]:
    """Return the declared permissions that the profile grants."""
    return tuple(name for name in mounting.permissions if name in mounting.profile.permissions)


def mount(mounting: Mounting) -> Mount:
    """Return the frame to create."""
    profile = mounting.profile
    allowed = allow_attribute(granted_permissions(mounting))
    return Mount(
        policy=render(effective_policy(profile, granted_csp(mounting))),
        allow="; ".join(filter(None, (allowed, *profile.features))),
        sandbox=" ".join(profile.sandbox),
        border=mounting.prefers_border if profile.honours_border else None,
    )


def resource_ready_params(mounting: Mounting) -> JsonObject:
    """Return params of `sandbox-resource-ready` (specification, Sandbox proxy)."""
    return {
        "html": mounting.html,
        "sandbox": " ".join(mounting.profile.sandbox),
        **_granted(mounting),
    }


def initialize_result(mounting: Mounting, context: Mapping[str, Any]) -> JsonObject:
    """Return the result of `ui/initialize`; all four fields are always there."""
    profile = mounting.profile
    return {
        "protocolVersion": wire.APPS_VERSION,
        "hostInfo": profile.host_info or {"name": profile.name, "version": "unknown"},
        "hostCapabilities": {**profile.capabilities, "sandbox": _granted(mounting)},
        "hostContext": dict(context),
    }


def _granted(mounting: Mounting) -> JsonObject:
    return resource_meta(csp=granted_csp(mounting), permissions=granted_permissions(mounting))
