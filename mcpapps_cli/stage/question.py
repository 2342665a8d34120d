"""What the user is asked: by the engine, or by a server in the middle of a request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from mcpapps_cli.host.input_required import Question
from mcpapps_cli.model import JsonObject

Answerer = Callable[[str, JsonObject], bool | None]
"""Takes a question's kind and detail, as `effect.AskUser` has them or `server-elicitation` and
`server-sampling`; returns whether it is allowed, or None to leave it to the page."""


class Questions:
    """The questions about one View.

    Args:
        show: Shows a question under a number, with its kind and detail. The numbers of a server's
            questions are negative: those of the engine are not.
        answerer: Answers what the page would be asked. Default: the page is asked everything.
        on_answer: Called with the number and the word of the answerer, and never at once: whoever
            asks is still busy with what made it ask.
    """

    def __init__(
        self,
        show: Callable[[int, str, JsonObject], None],
        *,
        answerer: Answerer | None = None,
        on_answer: Callable[[int, bool, None], None],
    ):
        self._show = show
        self._answerer = answerer
        self._on_answer = on_answer
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
        self.put(number, f"server-{question.kind}", question.params)
        try:
            return await future
        finally:
            self._open.pop(number, None)

    def put(self, number: int, kind: str, detail: JsonObject) -> None:
        """Ask the answerer, else the page."""
        allowed = None if self._answerer is None else self._answerer(kind, detail)
        if allowed is None:
            self._show(number, kind, detail)
        else:
            asyncio.get_running_loop().call_soon(self._on_answer, number, allowed, None)

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
            return {"action": "cancel" if result == {"action": "cancel"} else "decline"}
        if question.params.get("mode") == "url":
            return {"action": "accept"}
        return {"action": "accept", "content": dict(result or {})}
    return dict(result) if allowed and result is not None else None
