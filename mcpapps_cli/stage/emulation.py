"""Which host a page emulates: a profile with the project's changes, quirks, faults, an origin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from mcpapps_cli.host.faults import Faults
from mcpapps_cli.host.mounting import Mounting
from mcpapps_cli.host.override import load_host
from mcpapps_cli.host.profiles import DEFAULT, Profile
from mcpapps_cli.host.quirks import Quirks

OriginKind = Literal["profile", "opaque", "own"]
SAME_ORIGIN = "allow-same-origin"
_ABSENT = "extension-absent"


@dataclass(frozen=True, slots=True)
class Setting:
    """What the user chose.

    Attributes:
        profile: Name of a host profile.
        quirks: Names of quirks; one after `no-` switches one of the profile's off.
        faults: Keys of `host.faults.FAULTS`, with a number where one takes it.
        origin: Whether Views have an opaque origin or one of their own; `profile` leaves it to
            the host.
    """

    profile: str = DEFAULT
    quirks: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    origin: OriginKind = "profile"


class Emulation:
    """One emulated host for one conversation; it remembers what it has mounted.

    Args:
        setting: The choice.
        hosts: The project's own profiles, as `[tool.mcpapps.hosts]` has them.
        ui: Whether servers were told of MCP Apps; without that no host mounts a View.

    Attributes:
        setting: The choice.
        profile: The host, without what its quirks change.
        quirks: Its quirks.
        faults: What goes wrong on demand.

    Raises:
        UserError: a name is unknown, or a profile of the project has faults.
    """

    def __init__(self, setting: Setting, hosts: Mapping[str, Any], *, ui: bool = True):
        if not ui:
            chosen = [name for name in setting.quirks if name.removeprefix("no-") != _ABSENT]
            setting = replace(setting, quirks=(*chosen, _ABSENT))
        profile = load_host(setting.profile, hosts)
        self.setting = setting
        self.quirks = Quirks(setting.quirks, profile=profile)
        self.faults = Faults(setting.faults)
        self.profile = self.faults.profile(_with_origin(profile, setting.origin))

    def mount(self, mounting: Mounting) -> Mounting:
        """Return what this host really mounts."""
        return self.quirks.mount(mounting)


def _with_origin(profile: Profile, origin: OriginKind) -> Profile:
    if origin == "profile":
        return profile
    tokens = tuple(token for token in profile.sandbox if token != SAME_ORIGIN)
    return replace(profile, sandbox=(*tokens, SAME_ORIGIN) if origin == "own" else tokens)
