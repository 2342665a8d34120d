"""The way from one View to its server: faults on the way, and rounds of questions to the user."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NoReturn

from mcpapps_cli import wire
from mcpapps_cli.errors import RpcError, ServerError
from mcpapps_cli.host import event
from mcpapps_cli.host.faults import Origin, Treatment
from mcpapps_cli.host.input_required import (
    ROUNDS_MAX,
    InputRequired,
    Question,
    declined,
    read_input_required,
    retry_params,
)
from mcpapps_cli.model import JsonObject, Resource
from mcpapps_cli.stage.backend import Backend

if TYPE_CHECKING:
    from mcpapps_cli.stage.emulation import Emulation

Injected = event.ServerGone | event.ToolCancelled | event.CloseRequested
Ask = Callable[[Question], Awaitable[JsonObject | None]]


class Channel:
    """Requests of one View and of its host to one server.

    Args:
        backend: Where they go.
        emulation: The emulated host: how long it waits, and what goes wrong on the way.
        ask: Asks the user what a server wants to know; None for no answer.
        inject: Takes what happens instead of an answer.
    """

    def __init__(
        self,
        backend: Backend,
        *,
        emulation: Emulation,
        ask: Ask,
        inject: Callable[[Injected], None],
    ):
        self.emulation = emulation
        self._backend = backend
        self._ask = ask
        self._inject = inject
        self._gone: str | None = None

    async def request(
        self,
        method: str,
        params: JsonObject,
        *,
        origin: Origin,
        request_id: int | None = None,
        on_progress: Callable[[JsonObject], None] | None = None,
    ) -> JsonObject:
        """Return the final result of a request.

        Args:
            method: The method.
            params: Its params.
            origin: Who asks.
            request_id: What the backend reserved for it. A request that the server wants again,
                with an answer of the user, has another one each time.
            on_progress: Called with each progress notification.

        Raises:
            RpcError: the server, or a fault in its place, answered with an error.
            ServerError: the server is gone or did not answer in time.
        """
        treatment = self.emulation.faults.treat(method, origin=origin)
        await self._meet(treatment)
        if treatment.result is not None:
            return treatment.result
        asked = params
        for _ in range(ROUNDS_MAX):
            async with self._waited_for(method):
                result = await self._backend.request(
                    method,
                    asked,
                    request_id=request_id,
                    on_progress=on_progress,
                    new_session=treatment.new_session,
                )
            request_id = None
            wanted = read_input_required(result)
            if wanted is None:
                break
            asked = retry_params(params, wanted, await self._answers(wanted))
        else:
            text = f"the server asked for input more than {ROUNDS_MAX} times"
            raise RpcError(wire.IMPLEMENTATION_ERROR, text)
        if treatment.outcome == "lost":
            await _never()
        return result

    async def resource(self, uri: str) -> Resource:
        """Read a UI resource afresh.

        Raises:
            RpcError: the server, or a fault in its place, answered with an error.
            ServerError: the server is gone or did not answer in time.
        """
        treatment = self.emulation.faults.treat(wire.RESOURCES_READ, origin="host")
        if treatment.error is not None:
            raise RpcError(treatment.error["code"], treatment.error["message"])
        async with self._waited_for(wire.RESOURCES_READ):
            return await self._backend.resource(uri)

    @asynccontextmanager
    async def _waited_for(self, method: str) -> AsyncIterator[None]:
        profile = self.emulation.profile
        seconds = profile.read_seconds if method == wire.RESOURCES_READ else None
        try:
            async with asyncio.timeout(seconds) as deadline:
                yield
        except TimeoutError:
            if not deadline.expired():
                raise
            text = f"{method} took more than the {seconds:g} s that {profile.title} waits"
            raise ServerError(text) from None

    async def _meet(self, treatment: Treatment) -> None:
        if self._gone is not None:
            raise ServerError(self._gone)
        if treatment.seconds:
            await asyncio.sleep(treatment.seconds)
        if treatment.error is not None:
            raise RpcError(treatment.error["code"], treatment.error["message"])
        match treatment.outcome:
            case "gone":
                self._gone = treatment.reason
                self._inject(event.ServerGone(treatment.reason))
                raise ServerError(treatment.reason)
            case "cancelled":
                self._inject(event.ToolCancelled(treatment.reason))
                await _never()
            case "closed":
                self._inject(event.CloseRequested(treatment.reason))
                await _never()
            case _:
                pass

    async def _answers(self, wanted: InputRequired) -> dict[str, JsonObject]:
        answers: dict[str, JsonObject] = {}
        for question in wanted.questions:
            answer = await self._ask(question) or declined(question)
            if answer is None:
                text = f'nobody answers the server\'s "{question.method}"'
                raise RpcError(wire.IMPLEMENTATION_ERROR, text)
            answers[question.key] = answer
        return answers


async def _never() -> NoReturn:
    await asyncio.Event().wait()
    raise AssertionError
