"""Host profiles: what one host gives a View, every value with its source and date.

One module per profile; its name with dashes is the profile's, and it holds `PROFILE`.
"""

from __future__ import annotations

import difflib
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Final, Literal

from mcpapps_cli import wire
from mcpapps_cli.errors import UserError
from mcpapps_cli.model import JsonObject

Evidence = Literal["specification", "source", "probe", "vendor-doc", "report", "choice", "project"]
"""How a value is known.

`source` is the host's own public code, `probe` a capture from the real host, `report` what users
of it report. `choice` is ours where the specification leaves it open, `project` is the user's.
"""
Consent = Literal["link", "message", "download", "sampling", "app-tool"]
Refusal = Literal["link", "message", "download", "sampling", "mode"]

CAPABILITY_METHODS: Final[Mapping[str, tuple[str, ...]]] = {
    "openLinks": (wire.UI_OPEN_LINK,),
    "serverTools": (wire.TOOLS_CALL,),
    "serverResources": (
        *(wire.RESOURCES_READ, wire.RESOURCES_LIST, wire.RESOURCES_TEMPLATES_LIST),
    ),
    "updateModelContext": (wire.UI_UPDATE_MODEL_CONTEXT,),
    "message": (wire.UI_MESSAGE,),
    "downloadFile": (wire.UI_DOWNLOAD_FILE,),
    "sampling": (wire.SAMPLING_CREATE_MESSAGE,),
}
"""The requests that each capability of a host announces."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value comes from.

    Attributes:
        text: A document and its section, or a public address.
        date: ISO date of that document or observation; empty for a project's own value without
            one.
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
        client_info: `clientInfo` that the host gives to servers; None when unknown.
        policy: Directive to sources, as `policy.fill` reads them; None for the policy of the
            specification.
        features: Entries of the frames' `allow` attribute beside the granted permissions.
        styles: Theme to style variables, for `context.styles.variables`.
        honours_border: Whether `prefersBorder` has an effect.
        input_early: Whether `tool-input` follows the answer to `ui/initialize` at once, without
            waiting for `initialized`, which the specification forbids.
        refuses: What is always declined, without asking the user.
        app_tools: Whether the View's own tools are listed unasked (draft).
        html_bytes: Largest document that is mounted, in UTF-8 bytes; None when there is no limit.
        read_seconds: How long `resources/read` may take; None when there is no limit.
        quirks: Names of the quirks that the host is known to have.
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
    client_info: JsonObject | None = None
    policy: Mapping[str, str] | None = None
    features: tuple[str, ...] = ()
    styles: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    honours_border: bool = True
    input_early: bool = False
    refuses: frozenset[Refusal] = frozenset()
    app_tools: bool = False
    html_bytes: int | None = None
    read_seconds: float | None = None
    quirks: tuple[str, ...] = ()
    unknown: frozenset[str] = frozenset()
    sources: Mapping[str, Source] = field(default_factory=dict)

    def source_of(self, name: str) -> Source | None:
        """Return where the value under a dotted name comes from; None when it is unknown.

        The closest name counts: `context` stands for `context.locale` when that is not named.
        """
        while name:
            if name in self.unknown:
                return None
            if name in self.sources:
                return self.sources[name]
            name = name.rpartition(".")[0]
        return self.source


def methods_for(capabilities: Iterable[str], *more: str) -> frozenset[str]:
    """Return the View's requests that a host with these capabilities serves.

    Args:
        capabilities: Keys of `hostCapabilities`.
        more: Requests that the host serves without announcing them.
    """
    announced = {method for name in capabilities for method in CAPABILITY_METHODS.get(name, ())}
    always = (wire.UI_INITIALIZE, wire.UI_REQUEST_DISPLAY_MODE, wire.PING)
    return frozenset({*always, *announced, *more})


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
