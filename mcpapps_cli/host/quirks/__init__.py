"""Quirks: what real hosts are known to do wrong, each switchable and all combinable.

One module per quirk; its name with dashes is the quirk's, and it holds `QUIRK`.
"""

from __future__ import annotations

import difflib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING

from mcpapps_cli.errors import UserError
from mcpapps_cli.host.profiles import Profile, Source
from mcpapps_cli.model import JsonObject

if TYPE_CHECKING:
    from mcpapps_cli.host.effect import Effect
    from mcpapps_cli.host.event import Event
    from mcpapps_cli.host.mounting import Mounting


@dataclass(frozen=True, slots=True)
class Quirk:
    """One deviation, as functions without memory; None where it changes nothing.

    Attributes:
        name: As the user writes it.
        title: What the host does, in one line.
        source: Where it was seen.
        profile: Changes the host itself.
        tool: Changes how the host sees a raw `tools/list` entry.
        mounting: Changes what is mounted, given the first mounting of the same URI.
        event: Changes what the engine hears; None as its value means that it hears nothing.
        effect: Changes what the engine does.
        declares_apps: Whether the host declares the extension to servers.
    """

    name: str
    title: str
    source: Source
    profile: Callable[[Profile], Profile] | None = None
    tool: Callable[[JsonObject], JsonObject] | None = None
    mounting: Callable[[Mounting, Mounting], Mounting] | None = None
    event: Callable[[Event], Event | None] | None = None
    effect: Callable[[Effect], Effect] | None = None
    declares_apps: bool = True


def quirk_names() -> tuple[str, ...]:
    """Return the name of every quirk, in alphabetical order."""
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)))


def load_quirk(name: str) -> Quirk:
    """Return the quirk of that name.

    Raises:
        UserError: there is none; `help` names the closest one.
    """
    names = quirk_names()
    if name not in names:
        close = difflib.get_close_matches(name, names, n=1)
        raise UserError(
            f'there is no quirk "{name}"',
            help=f'did you mean "{close[0]}"?' if close else f"use one of {', '.join(names)}",
        )
    quirk: Quirk = import_module(f"{__name__}.{name.replace('-', '_')}").QUIRK
    return quirk


class Quirks:
    """The quirks of one emulated host, applied in order; it remembers what it has mounted.

    Keep one for a conversation: a host that caches documents does so across its Views.

    Args:
        names: Quirks to switch on; a name after `no-` switches one of the profile's off.
        profile: The host; its own quirks come first.

    Raises:
        UserError: a name is unknown.
    """

    def __init__(self, names: Iterable[str] = (), *, profile: Profile | None = None):
        chosen = dict.fromkeys(profile.quirks if profile is not None else ())
        for name in names:
            if name.startswith("no-"):
                chosen.pop(load_quirk(name[3:]).name, None)
            else:
                chosen[name] = None
        self.active: tuple[Quirk, ...] = tuple(load_quirk(name) for name in chosen)
        self._first: dict[str, Mounting] = {}

    @property
    def declares_apps(self) -> bool:
        """Whether the host declares the extension when it connects to a server."""
        return all(quirk.declares_apps for quirk in self.active)

    def profile(self, profile: Profile) -> Profile:
        """Return the host with its quirks."""
        for quirk in self.active:
            if quirk.profile is not None:
                profile = quirk.profile(profile)
        return profile

    def tools(self, tools: Iterable[JsonObject]) -> tuple[JsonObject, ...]:
        """Return raw `tools/list` entries as the host sees them."""
        return tuple(self._tool(tool) for tool in tools)

    def _tool(self, tool: JsonObject) -> JsonObject:
        for quirk in self.active:
            if quirk.tool is not None:
                tool = quirk.tool(tool)
        return tool

    def mount(self, mounting: Mounting) -> Mounting:
        """Return what is mounted really; the engine takes the rest from `Mounting.quirks`."""
        first = self._first.setdefault(mounting.uri, mounting)
        for quirk in self.active:
            if quirk.mounting is not None:
                mounting = quirk.mounting(mounting, first)
        profile = self.profile(mounting.profile)
        return replace(mounting, profile=profile, quirks=self.active)
