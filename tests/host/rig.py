"""An engine under test, driven by typed messages as the specification writes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from mcpapps_cli.host.effect import Effect, Note, Send, Step
from mcpapps_cli.host.engine import Engine, Mounting
from mcpapps_cli.host.event import Event, ProbeReport, ViewMessage
from mcpapps_cli.host.profiles import load_profile

PAGE = "<!doctype html><html><title>Chart</title><p>chart</p></html>"
TOOL = {"name": "chart", "_meta": {"ui": {"resourceUri": "ui://demo/chart.html"}}}
MODEL_ONLY = {"name": "delete_all", "_meta": {"ui": {"visibility": ["model"]}}}
APP_ONLY = {"name": "refresh", "_meta": {"ui": {"visibility": ["app"]}}}
NOBODY = {"name": "retired", "_meta": {"ui": {"visibility": []}}}
PLAIN = {"name": "lookup"}
INITIALIZE = {
    "appInfo": {"name": "chart", "version": "1.0.0"},
    "appCapabilities": {},
    "protocolVersion": "2026-01-26",
}
RESULT = {"content": [{"type": "text", "text": "sunny"}]}
E_ = TypeVar("E_", bound=Effect)


def mounting(profile: dict[str, Any] | None = None, **fields: Any) -> Mounting:
    """A mount under the profile `spec`, with changes to the profile and to the mount."""
    base = Mounting(
        tool=TOOL,
        uri="ui://demo/chart.html",
        html=PAGE,
        csp=None,
        permissions=(),
        prefers_border=None,
        tools=(TOOL, MODEL_ONLY, APP_ONLY, NOBODY, PLAIN),
        request_id=7,
        context={},
        profile=replace(load_profile("spec"), **(profile or {})),
    )
    return replace(base, **fields)


class Rig:
    """Collects the effects of one engine; every call returns the effects it caused."""

    def __init__(self, profile: dict[str, Any] | None = None, *, ids: Any = None, **fields: Any):
        self.engine = Engine(mounting(profile, **fields), ids=ids)
        self.all: list[Effect] = []
        self.started = self._keep(self.engine.start())

    def _keep(self, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        self.all.extend(effects)
        return effects

    def feed(self, *events: Event) -> tuple[Effect, ...]:
        return tuple(effect for event in events for effect in self._keep(self.engine.handle(event)))

    def post(self, message: Any) -> tuple[Effect, ...]:
        return self.feed(ViewMessage(message))

    def ask(self, id_: Any, method: str, params: Any = None) -> tuple[Effect, ...]:
        message = {"jsonrpc": "2.0", "id": id_, "method": method}
        return self.post(message if params is None else {**message, "params": params})

    def notify(self, method: str, params: Any = None) -> tuple[Effect, ...]:
        message = {"jsonrpc": "2.0", "method": method}
        return self.post(message if params is None else {**message, "params": params})

    def loaded(self) -> Rig:
        self.notify("ui/notifications/sandbox-proxy-ready", {})
        self.feed(ProbeReport("loaded", {"by": "sandbox"}))
        return self

    def answered(self, capabilities: Any = None) -> Rig:
        self.loaded()
        self.ask(0, "ui/initialize", {**INITIALIZE, "appCapabilities": capabilities or {}})
        return self

    def ready(self, capabilities: Any = None) -> Rig:
        self.answered(capabilities)
        self.notify("ui/notifications/initialized")
        return self


def of(effects: tuple[Effect, ...] | list[Effect], kind: type[E_]) -> list[E_]:
    return [effect for effect in effects if isinstance(effect, kind)]


def sent(effects: tuple[Effect, ...] | list[Effect]) -> list[Any]:
    return [effect.message for effect in of(effects, Send)]


def methods(effects: tuple[Effect, ...] | list[Effect]) -> list[str]:
    return [message["method"] for message in sent(effects) if "method" in message]


def steps(effects: tuple[Effect, ...] | list[Effect]) -> list[tuple[str, str, str | None]]:
    return [(step.step, step.state, step.cause) for step in of(effects, Step)]


def notes(effects: tuple[Effect, ...] | list[Effect]) -> str:
    return "\n".join(note.text for note in of(effects, Note))
