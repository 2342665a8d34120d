"""Qwen Code, of which only the limits are known."""

from __future__ import annotations

from dataclasses import replace

from mcpapps_cli.host.profiles import Source
from mcpapps_cli.host.profiles.spec import PROFILE as SPEC

_LIMITS = Source("https://github.com/QwenLM/qwen-code/issues/11945", "2026-09-15", "report")

PROFILE = replace(
    SPEC,
    name="qwen",
    title="Qwen Code",
    source=_LIMITS,
    host_info=None,
    html_bytes=2**20,
    read_seconds=10.0,
    unknown=frozenset(
        {
            *("client_info", "host_info", "capabilities", "context", "display_modes", "methods"),
            *("sends", "permissions", "sandbox", "start_height", "denial", "early_requests"),
            *("consent", "tool_info", "csp_ignored", "hides_app_tools", "policy", "features"),
            *("styles", "honours_border", "input_early", "refuses", "quirks"),
        }
    ),
    sources={"html_bytes": _LIMITS, "read_seconds": _LIMITS},
)
