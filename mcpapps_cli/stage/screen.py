"""What one View shows: on the page, and to the program around the stage."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from mcpapps_cli.host import effect
from mcpapps_cli.host.event import ToolCancelled, ToolResult, Violation
from mcpapps_cli.model import JsonObject
from mcpapps_cli.stage import host_message as out
from mcpapps_cli.stage.event import (
    Direction,
    MessageEvent,
    NoteEvent,
    PaintEvent,
    StageEvent,
    StepEvent,
    ViolationEvent,
)
from mcpapps_cli.stage.report import excerpt, remedy

if TYPE_CHECKING:
    from mcpapps_cli.stage.recorder import Recorder
    from mcpapps_cli.stage.slot import Opened

Shown = (
    effect.Reveal
    | effect.Resize
    | effect.SetMode
    | effect.ModelContext
    | effect.ChatMessage
    | effect.AppTools
    | effect.AppToolResult
    | effect.Note
    | effect.Step
)
"""The effects that are nothing but shown."""


class Screen:
    """Writes for one View; every method is one message to the page, with its event.

    Args:
        view: The View's name in this stage.
        tool: The tool whose call it belongs to.
        send: Sends one message to the page.
        on_event: Told of every step, violation, message and note.
        recorder: Where the View's messages are written; None for nowhere.
    """

    def __init__(
        self,
        view: str,
        tool: str,
        *,
        send: Callable[[out.ToPage], None],
        on_event: Callable[[StageEvent], None],
        recorder: Recorder | None = None,
    ):
        self._view = view
        self._tool = tool
        self._send = send
        self._on_event = on_event
        self._recorder = recorder

    def seen(self, *, result: bool) -> None:
        """Tell that something can be seen, before or after the result; no page shows that."""
        self._on_event(PaintEvent(self._view, self._tool, result))

    def opened(self, arguments: JsonObject, uri: str | None, server: str, *, hold: bool) -> None:
        """Begin a turn of the conversation."""
        self._send(
            out.Opened(
                type="opened",
                view=self._view,
                server=server,
                tool=self._tool,
                arguments=arguments,
                uri=uri,
                hold=hold,
            )
        )

    def finished(self, outcome: ToolResult | ToolCancelled) -> None:
        """End the tool call."""
        if isinstance(outcome, ToolResult):
            self._send(out.Finished(type="finished", view=self._view, result=outcome.result))
        else:
            error = outcome.reason or "cancelled"
            self._send(out.Finished(type="finished", view=self._view, error=error))

    def outdated(self) -> None:
        """Offer another call, since the result no longer is what the tool promises."""
        self._send(out.ResultOutdated(type="outdated", view=self._view))

    def mounted(self, opened: Opened, mount: effect.Mount) -> None:
        """Create the frame."""
        self._send(
            out.MountFrame(
                type="mount",
                view=self._view,
                frame=opened.frame,
                url=opened.url,
                channel=opened.channel,
                allow=mount.allow,
                sandbox=mount.sandbox,
                border=mount.border,
                own=opened.own,
                declared=opened.declared,
                policy=mount.policy,
            )
        )

    def reserved(self, opened: Opened, mount: effect.Mount) -> None:
        """Create the frame that the next `mounted` may use, out of sight."""
        self._send(
            out.ReserveFrame(
                type="reserve",
                view=self._view,
                frame=opened.frame,
                url=opened.url,
                channel=opened.channel,
                allow=mount.allow,
                sandbox=mount.sandbox,
            )
        )

    def ask(self, request: int, kind: str, detail: JsonObject) -> None:
        """Ask the user something."""
        self._send(
            out.Asked(type="ask", view=self._view, request=request, kind=kind, detail=detail)
        )

    def posted(self, message: Any) -> None:
        """Tell of a message that the page has relayed, and logged itself."""
        self._tell("view-to-host", message)

    def sent(self, frame: int, message: JsonObject) -> None:
        """Post a message into the frame."""
        self._tell("host-to-view", message)
        self._send(out.SendToFrame(type="send", view=self._view, frame=frame, message=message))

    def unmounted(self, frame: int, reason: str, *, replaced: bool = False) -> None:
        """Remove the frame, or let it be seen until the one that replaces it can be."""
        self._send(
            out.UnmountFrame(
                type="unmount", view=self._view, frame=frame, reason=reason, replaced=replaced
            )
        )

    def show(self, frame: int, shown: Shown) -> None:
        """Carry out an effect that needs nothing but the page."""
        view = self._view
        match shown:
            case effect.Reveal():
                self._send(out.RevealFrame(type="reveal", view=view, frame=frame))
            case effect.Resize(width, height):
                size = out.ResizeFrame(
                    type="resize", view=view, frame=frame, width=width, height=height
                )
                self._send(size)
            case effect.SetMode(mode):
                self._send(out.SetFrameMode(type="mode", view=view, frame=frame, mode=mode))
            case effect.ModelContext(params):
                self._send(out.ModelTold(type="model", view=view, kind="context", params=params))
            case effect.ChatMessage(params):
                self._send(out.ModelTold(type="model", view=view, kind="message", params=params))
            case effect.AppTools(tools):
                self._send(out.ViewTools(type="app-tools", view=view, tools=list(tools)))
            case effect.AppToolResult(call, result, error):
                answer = out.ViewToolResult(type="app-tool-result", view=view, call=call)
                if result is not None:
                    answer["result"] = result
                else:
                    answer["error"] = error or {}
                self._send(answer)
            case effect.Note(level, text, detail, kind):
                self.note(level, text, detail, kind)
            case effect.Step():
                self.step(shown)

    def step(self, step: effect.Step) -> None:
        """Show a rung's state."""
        fields = (step.step, step.state, step.cause, step.rule, step.detail)
        self._on_event(StepEvent(self._view, self._tool, *fields))
        self._send(
            out.StepReached(
                type="step",
                view=self._view,
                step=step.step,
                state=step.state,
                cause=step.cause,
                rule=step.rule,
                detail=step.detail,
            )
        )

    def note(
        self,
        level: Literal["info", "warning", "error"],
        text: str,
        detail: Any = None,
        kind: effect.NoteKind = "host",
    ) -> None:
        """Show something that is no step."""
        self._on_event(NoteEvent(self._view, self._tool, level, text, kind))
        self._send(out.Noted(type="note", view=self._view, level=level, text=text, detail=detail))

    def violation(self, violation: Violation, html: str) -> None:
        """Show what the policy blocked, where in the document, and what would allow it."""
        directive, blocked, line = violation.directive, violation.blocked, violation.line
        self._on_event(ViolationEvent(self._view, self._tool, directive, blocked, line))
        key, origin = remedy(violation)
        self._send(
            out.Violated(
                type="violation",
                view=self._view,
                directive=directive,
                blocked=blocked,
                line=line,
                column=violation.column,
                source=violation.source,
                sample=violation.sample,
                key=key,
                origin=origin,
                excerpt=excerpt(html, violation),
            )
        )

    def _tell(self, direction: Direction, message: Any) -> None:
        self._on_event(MessageEvent(self._view, self._tool, direction, message))
        if self._recorder is not None:
            sender, _, receiver = direction.partition("-to-")
            self._recorder.frame(_party(sender), _party(receiver), message, self._view)


def _party(name: str) -> Literal["host", "view"]:
    return "view" if name == "view" else "host"
