"""Building the `_meta.ui` of a UI resource."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcpapps_cli import wire
from mcpapps_cli.errors import ConfigError
from mcpapps_cli.metadata.problem import shown
from mcpapps_cli.model import Csp


def resource_meta(
    *,
    csp: Csp | None = None,
    permissions: Sequence[str] = (),
    domain: str | None = None,
    prefers_border: bool | None = None,
) -> dict[str, Any]:
    """Build the value of `_meta.ui` for a UI resource (specification, UI Resource Format).

    Args:
        csp: The declared origins. All four lists are written, also empty ones, so that no host
            takes the declaration for absent; None leaves `csp` out.
        permissions: Any of `wire.PERMISSIONS`.
        domain: A host-specific sandbox domain; None leaves it out.
        prefers_border: None leaves it out.

    Raises:
        ConfigError: A permission is not one of the four.
    """
    unknown = [name for name in permissions if name not in wire.PERMISSIONS]
    if unknown:
        raise ConfigError(
            f'unknown permission "{shown(unknown[0])}"',
            help=f"use one of {', '.join(wire.PERMISSIONS)}",
        )
    meta: dict[str, Any] = {}
    if csp is not None:
        lists = (csp.connect, csp.resource, csp.frame, csp.base_uri)
        meta["csp"] = {
            key: list(origins) for key, origins in zip(wire.CSP_KEYS, lists, strict=True)
        }
    if permissions:
        meta["permissions"] = {name: {} for name in wire.PERMISSIONS if name in permissions}
    if domain is not None:
        meta["domain"] = domain
    if prefers_border is not None:
        meta["prefersBorder"] = prefers_border
    return meta
