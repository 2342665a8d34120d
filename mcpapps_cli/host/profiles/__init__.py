"""Host profiles: what one host gives a View, every value with its source and date.

One module per profile; its name with dashes is the profile's, and it holds `PROFILE`.
"""

from __future__ import annotations

import difflib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Literal

from mcpapps_cli.errors import UserError
from mcpapps_cli.model import JsonObject

Evidence = Literal["specification", "probe", "vendor-doc", "report", "choice"]
"""How a value is known; `choice` is ours where the specification leaves it open."""
Consent = Literal["link", "message", "download", "sampling"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value comes from.

    Attributes:
        text: A document and its section, or the address of a report.
        date: ISO date of that document or observation.
        kind: How it was learnt.
    """

    text: str
    date: str
    kind: Evidence


@dataclass(frozen=True, slots=True)
class Profile:
    """What one host guarantees to a View.

    Attributes:
        name: As the user writes it.
        title: As it is shown.
        source: Source of every value that `sources` does not name.
        host_info: `hostInfo` of the initialize result; None when unknown.
        capabilities: `hostCapabilities`, without `sandbox`, which depends on the View.
        context: Defaults of `hostContext`; `toolInfo` and the display modes are added.
        display_modes: The modes offered, the first being the one a View starts in.
        methods: The View's requests that are served; any other is answered -32601.
        sends: The host's messages that a View gets.
        permissions: The permissions granted when the View declares them.
        sandbox: Tokens of the inner frame's `sandbox` attribute.
        start_height: Height of the frame before the View reports its own, in CSS pixels.
        denial: How a request that the user declines is answered: JSON-RPC error -32000, or a
            result with `isError`.
        early_requests: What happens to a request before `ui/notifications/initialized`.
        consent: What the user is asked about first.
        tool_info: Whether the context names the tool call.
        csp_ignored: Keys of `_meta.ui.csp` that have no effect.
        hides_app_tools: Whether tools without `model` visibility are kept from the model.
        unknown: Dotted names of values that no source gives, such as `context.styles`.
        sources: Source by dotted name, for every value that differs from `spec`.
    """

    name: str
    title: str
    source: Source
    host_info: JsonObject | None
    capabilities: JsonObject
    context: JsonObject
    display_modes: tuple[str, ...]
    methods: frozenset[str]
    sends: frozenset[str]
    permissions: tuple[str, ...]
    sandbox: tuple[str, ...]
    start_height: int
    denial: Literal["error", "result"]
    early_requests: Literal["refuse", "answer"]
    consent: frozenset[Consent]
    tool_info: bool = True
    csp_ignored: frozenset[str] = frozenset()
    hides_app_tools: bool = True
    unknown: frozenset[str] = frozenset()
    sources: Mapping[str, Source] = field(default_factory=dict)


DEFAULT = "spec"


def profile_names() -> tuple[str, ...]:
    """Return the name of every profile, the default first, then in alphabetical order."""
    names = {module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)}
    return (DEFAULT, *sorted(names - {DEFAULT}))


def load_profile(name: str = DEFAULT) -> Profile:
    """Return the profile of that name.

    Raises:
        UserError: there is none; `help` names the closest one.
    """
    names = profile_names()
    if name not in names:
        close = difflib.get_close_matches(name, names, n=1)
        raise UserError(
            f'there is no host profile "{name}"',
            help=f'did you mean "{close[0]}"?' if close else f"use one of {', '.join(names)}",
        )
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    profile: Profile = module.PROFILE
    return profile
