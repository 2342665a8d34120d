"""Names of the types that values are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Json = Any
"""A JSON value as `json.loads` gives it."""
JsonObject = Mapping[str, Any]
"""A JSON object that nobody may change."""
Uri = str
"""A resource URI, normally `ui://...`."""
Pointer = str
"""A JSON Pointer (RFC 6901)."""
Severity = Literal["error", "warning", "info"]
Era = Literal["legacy", "modern"]
"""`legacy` is the initialize handshake (2025-11-25 and older), `modern` is 2026-07-28."""
EraChoice = Literal["auto", "legacy", "modern"]
Engine = Literal["auto", "none", "esbuild-py", "esbuild"]
PolicyMode = Literal["hash", "unsafe-inline", "none"]
Verdict = Literal["works", "degraded", "blocked", "unknown"]
