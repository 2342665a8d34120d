"""What a server asks in the middle of a request: put to the user, answered later."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from mcpapps_cli.host.input_required import Question
from mcpapps_cli.model import JsonObject


class Questions:
    """The open questions of one View's server.

    Args:
        show: Shows a question under a number, with its kind and params. The numbers are negative:
            those of the engine are not.
    """

    def __init__(self, show: Callable[[int, str, JsonObject], None]):
        self._show = show
        self._number = 0
        self._open: dict[int, tuple[Question, asyncio.Future[JsonObject | None]]] = {}

    async def ask(self, question: Question) -> JsonObject | None:
        """Return the user's answer; None for what no user can answer."""
        if question.kind not in ("elicitation", "sampling"):
            return None
        self._number -= 1
        number = self._number
        future: asyncio.Future[JsonObject | None] = asyncio.get_running_loop().create_future()
        self._open[number] = question, future
        self._show(number, f"server-{question.kind}", question.params)
        try:
            return await future
        finally:
            self._open.pop(number, None)

    def answer(self, number: int, allowed: bool, result: JsonObject | None) -> bool:
        """Take an answer; False when the question is not one of these."""
        if number >= 0:
            return False
        question, future = self._open.get(number, (None, None))
        if question is not None and future is not None and not future.done():
            future.set_result(_answer(question, allowed, result))
        return True

    def forget(self) -> None:
        """Leave every open question unanswered."""
        for _, future in self._open.values():
            future.cancel()


def _answer(question: Question, allowed: bool, result: JsonObject | None) -> dict[str, Any] | None:
    if question.kind == "elicitation":
        # Specification of elicitation: three actions, and content only with "accept" of a form.
        if not allowed:
            return {"action": "decline"}
        if question.params.get("mode") == "url":
            return {"action": "accept"}
        return {"action": "accept", "content": dict(result or {})}
    return dict(result) if allowed and result is not None else None
