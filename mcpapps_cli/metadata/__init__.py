"""The metadata of MCP Apps: reading anybody's, building our own, and what a client does with it."""

from __future__ import annotations

from mcpapps_cli.metadata.agent import model_content, model_tools
from mcpapps_cli.metadata.building import resource_meta
from mcpapps_cli.metadata.extension import (
    Extensions,
    canonical_id,
    check_mime_types,
    client_extensions,
    declared_extensions,
    supports_apps,
)
from mcpapps_cli.metadata.problem import Placement, Problem, ProblemKind
from mcpapps_cli.metadata.reading import AppsMetadata, apps_metadata

__all__ = [
    "AppsMetadata",
    "Extensions",
    "Placement",
    "Problem",
    "ProblemKind",
    "apps_metadata",
    "canonical_id",
    "check_mime_types",
    "client_extensions",
    "declared_extensions",
    "model_content",
    "model_tools",
    "resource_meta",
    "supports_apps",
]
