"""The host context of one View: what it starts with and what changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcpapps_cli import wire
from mcpapps_cli.host.message import same_json
from mcpapps_cli.host.mounting import Mounting
from mcpapps_cli.host.profiles import Profile
from mcpapps_cli.model import JsonObject

Context = dict[str, Any]
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": wire.THEMES,
    "platform": wire.PLATFORMS,
    "displayMode": wire.DISPLAY_MODES,
}


def first_context(mounting: Mounting) -> tuple[Context, tuple[str, ...]]:
    """Return the context a View starts with, and what was wrong with the mount's own values."""
    profile = mounting.profile
    context: Context = dict(profile.context)
    if profile.display_modes:
        context["displayMode"] = profile.display_modes[0]
        context["availableDisplayModes"] = list(profile.display_modes)
    if profile.tool_info:
        context["toolInfo"] = {"id": mounting.request_id, "tool": mounting.tool}
    theme = mounting.context.get("theme", context.get("theme"))
    _, faults = change_context(context, {**styles_of(profile, theme), **mounting.context})
    return context, faults


def styles_of(profile: Profile, theme: object) -> Context:
    """Return the part of the context that goes with a theme; empty when the host has none."""
    variables = profile.styles.get(theme) if isinstance(theme, str) else None
    return {"styles": {"variables": dict(variables)}} if variables else {}


def change_context(context: Context, new: JsonObject) -> tuple[Context, tuple[str, ...]]:
    """Change `context` in place; return what a View has to be told, and faults.

    Nested objects are replaced whole, because Views merge one level deep. None takes a key away;
    a View cannot be told that. A word or a variable outside the specification's sets is left
    out: an official View would refuse the whole message.
    """
    changed: Context = {}
    faults: list[str] = []
    for key, value in new.items():
        if value is None:
            context.pop(key, None)
            continue
        if key in _WORDS and value not in _WORDS[key]:
            faults.append(f'"{key}" of the host context is not one of {", ".join(_WORDS[key])}')
            continue
        if key == "styles":
            value = _standard_styles(value, faults)
        if key not in context or not same_json(context[key], value):
            context[key] = changed[key] = value
    return changed, tuple(faults)


def _standard_styles(styles: Any, faults: list[str]) -> Any:
    variables = styles.get("variables") if isinstance(styles, Mapping) else None
    if not isinstance(variables, Mapping):
        return styles
    known = {
        name: value
        for name, value in variables.items()
        if name in wire.STYLE_VARIABLES and isinstance(value, str)
    }
    faults.extend(
        f'"{name}" is not a standard style variable with a text for a value'
        for name in variables
        if name not in known
    )
    return {**styles, "variables": known}


def offered_modes(context: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the display modes the context offers."""
    modes = context.get("availableDisplayModes")
    return tuple(modes) if isinstance(modes, list | tuple) else ()


def next_mode(
    wanted: str, *, current: str, offered: tuple[str, ...], declared: tuple[str, ...] | None
) -> str:
    """Return the display mode after a request for `wanted` (specification, Display Modes).

    Args:
        wanted: The requested mode.
        current: The mode the View is in; the answer when the request cannot be granted.
        offered: The host's modes.
        declared: The View's `availableDisplayModes`; None when it declared none, which allows any.
    """
    if wanted not in offered or (declared is not None and wanted not in declared):
        return current
    return wanted
