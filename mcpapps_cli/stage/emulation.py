"""Which host a page emulates: a profile with the project's changes, quirks, faults, an origin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from mcpapps_cli.errors import UserError
from mcpapps_cli.host.faults import Faults
from mcpapps_cli.host.mounting import Mounting
from mcpapps_cli.host.override import host_names, load_host
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
        own_origins: Whether the sandbox can give each View an origin of its own; a forwarded port
            cannot, and there Views are opaque whatever the host does.

    Attributes:
        setting: The choice.
        names: Every host that could be chosen.
        profile: The host, without what its quirks change.
        quirks: Its quirks.
        faults: What goes wrong on demand.
        reduced: What is not as the host has it, and why; None when all is.

    Raises:
        UserError: a name is unknown, a profile of the project has faults, or Views are to have
            an origin of their own where they cannot.
    """

    def __init__(
        self,
        setting: Setting,
        hosts: Mapping[str, Any],
        *,
        ui: bool = True,
        own_origins: bool = True,
    ):
        if not ui:
            chosen = [name for name in setting.quirks if name.removeprefix("no-") != _ABSENT]
            setting = replace(setting, quirks=(*chosen, _ABSENT))
        if setting.origin == "own" and not own_origins:
            raise UserError(
                "a forwarded sandbox has one address, so no View can have an origin of its own",
                help="use --origin opaque, or leave --sandbox-url out",
            )
        profile = load_host(setting.profile, hosts)
        self.setting = setting
        self.names = host_names(hosts)
        self.quirks = Quirks(setting.quirks, profile=profile)
        self.faults = Faults(setting.faults)
        profile = _with_origin(profile, setting.origin)
        self.reduced: str | None = None
        if SAME_ORIGIN in profile.sandbox and not own_origins:
            profile = _with_origin(profile, "opaque")
            self.reduced = (
                f"{profile.title} gives each View an origin of its own; a forwarded sandbox has "
                "one address, so Views are opaque here"
            )
        self.profile = self.faults.profile(profile)

    def mount(self, mounting: Mounting) -> Mounting:
        """Return what this host really mounts."""
        return self.quirks.mount(mounting)


def _with_origin(profile: Profile, origin: OriginKind) -> Profile:
    if origin == "profile":
        return profile
    tokens = tuple(token for token in profile.sandbox if token != SAME_ORIGIN)
    return replace(profile, sandbox=(*tokens, SAME_ORIGIN) if origin == "own" else tokens)
