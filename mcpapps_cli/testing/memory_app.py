"""A View without a browser, on the real server and the real host engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mcpapps_cli.errors import RpcError
from mcpapps_cli.host import event
from mcpapps_cli.host.effect import ChatMessage, ModelContext, Note
from mcpapps_cli.host.faults import Faults
from mcpapps_cli.host.ladder import check_resource
from mcpapps_cli.host.memory import MemoryHost, Post
from mcpapps_cli.host.memory_view import MemoryView
from mcpapps_cli.host.profiles import Profile
from mcpapps_cli.host.resource import mounting_for
from mcpapps_cli.model import JsonObject
from mcpapps_cli.testing.fault import ViewFault
from mcpapps_cli.wire import TOOLS_CALL

if TYPE_CHECKING:
    from mcpapps_cli.testing.loop import Loop
    from mcpapps_cli.testing.server import Server


class MemoryApp:
    """A mounted View that behaves, and the host around it.

    Attributes:
        view: Keeps what it is told: `inputs`, `results`, `context`, `told` and more.
        host: The engine, its effects and its clock.
    """

    def __init__(self, host: MemoryHost, view: MemoryView, loop: Loop):
        self.host = host
        self.view = view
        self._loop = loop

    @property
    def input(self) -> JsonObject | None:
        """The arguments that the View got; None before they came."""
        return self.view.inputs[-1]["arguments"] if self.view.inputs else None

    @property
    def result(self) -> JsonObject | None:
        """The tool's result as the View got it; None before it came."""
        return self.view.results[-1] if self.view.results else None

    @property
    def model_context(self) -> JsonObject | None:
        """What the View told the model; None when nothing."""
        told = [one.params for one in self.host.effects if isinstance(one, ModelContext)]
        return told[-1] if told else None

    @property
    def messages(self) -> tuple[JsonObject, ...]:
        """Params of every `ui/message` that was let through."""
        return tuple(one.params for one in self.host.effects if isinstance(one, ChatMessage))

    @property
    def complaints(self) -> tuple[str, ...]:
        """What the host had to say against the View."""
        return tuple(
            one.text
            for one in self.host.effects
            if isinstance(one, Note) and one.kind == "fault" and one.level != "info"
        )

    def request(self, method: str, params: JsonObject | None = None) -> JsonObject:
        """Let the View ask something, and return the answer.

        Args:
            method: Such as `ui/message`.
            params: Its params; default: `{}`.

        Raises:
            RpcError: the answer is an error.
            ViewFault: there is none.
        """
        return self._loop.run(self._request(method, params))

    def call(self, tool: str, args: JsonObject | None = None) -> JsonObject:
        """Let the View call the tool of that name, without `args` with none; see `request`."""
        return self.request("tools/call", {"name": tool, "arguments": dict(args or {})})

    def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Let the View send a notification; `params` is `{}` by default."""
        self.view.notify(method, params)
        self._loop.run(self.host.feed())

    def change_context(self, **changes: Any) -> None:
        """Change whole top-level keys of the host context to the values of `changes`."""
        self._loop.run(self.host.feed(event.ContextChange(changes)))

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass; no clock is waited for."""
        self._loop.run(self.host.advance(seconds))

    def close(self, reason: str = "the test ends the View") -> bool:
        """Ask the View to go, giving it `reason`; return whether it answered."""
        self._loop.run(self.host.feed(event.CloseRequested(reason)))
        return self.view.closed

    async def _request(self, method: str, params: JsonObject | None) -> JsonObject:
        id_ = self.view.request(method, params)
        await self.host.feed()
        answer = self.view.answers.get(id_)
        if answer is None:
            raise ViewFault(f'the host did not answer "{method}"')
        if (error := answer.get("error")) is not None:
            raise RpcError(error["code"], error["message"], error.get("data"))
        result: JsonObject = answer["result"]
        return result


async def mount_in_memory(
    server: Server, tool: str, args: JsonObject, profile: Profile, loop: Loop
) -> MemoryApp:
    """Read a tool's resource, call the tool, and mount a `MemoryView` for it.

    Raises:
        ViewFault: the resource could not be mounted.
    """
    entry = server.tool(tool)
    resource = await server.resource(server.view_of(tool))
    for step in check_resource(resource, entry, html_bytes=profile.html_bytes):
        if step.state != "ok":
            raise ViewFault(f'the View of {tool} is broken at "{step.step}": {step.cause}')
    views: list[MemoryView] = []

    def make(post: Post) -> MemoryView:
        views.append(MemoryView(post))
        return views[-1]

    request_id = server.reserve_id(TOOLS_CALL, {"name": tool, "arguments": args})
    unsent = [request_id]

    async def ask(
        method: str, params: JsonObject, progress: Callable[[JsonObject], None]
    ) -> JsonObject | None:
        # The first call is the host's own: the View knows it by this id.
        own = unsent.pop() if method == TOOLS_CALL and unsent else None
        return await server.request(method, params, request_id=own, on_progress=progress)

    mounting = mounting_for(
        entry, resource, server.inventory(), request_id=request_id, profile=profile, probe=False
    )
    host = MemoryHost(mounting, view=make, server=ask, faults=Faults())
    await host.open()
    await host.call_tool(args)
    return MemoryApp(host, views[-1], loop)
