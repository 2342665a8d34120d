"""A server's `input_required` answer, which a host resolves before it answers a View.

The iframe channel knows no such answer (core MCP 2026-07-28, Multi Round-Trip Requests, against
the Apps specification). A driver that gets one asks its user and sends the same request again:

    while (wanted := read_input_required(result)) is not None:
        answers = {question.key: await ask(question) for question in wanted.questions}
        result = await request(method, retry_params(params, wanted, answers))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from mcpapps_cli import wire
from mcpapps_cli.model import JsonObject

ROUNDS_MAX: Final = 10
"""Rounds of one request after which a driver gives up."""
RESULT_TYPE: Final = "input_required"
_KINDS: Final[Mapping[str, Literal["elicitation", "sampling", "roots"]]] = {
    "elicitation/create": "elicitation",
    wire.SAMPLING_CREATE_MESSAGE: "sampling",
    "roots/list": "roots",
}


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that the server wants to know.

    Attributes:
        key: The server's name for it.
        kind: What to do: show a form or open a URL, answer as the model, or name the roots;
            `other` for what no host knows.
        method: The method as received.
        params: Its params; for a form, `message` and `requestedSchema`.
    """

    key: str
    kind: Literal["elicitation", "sampling", "roots", "other"]
    method: str
    params: JsonObject


@dataclass(frozen=True, slots=True)
class InputRequired:
    """An answer that is not the last one.

    Attributes:
        questions: In the order of the server; empty when it only wants the request again.
        state: `requestState`, to be given back as it is; None when there was none.
    """

    questions: tuple[Question, ...]
    state: str | None


def read_input_required(result: JsonObject) -> InputRequired | None:
    """Return what a server asks for, or None when `result` is the final answer."""
    if result.get("resultType") != RESULT_TYPE:
        return None
    wanted, state = result.get("inputRequests"), result.get("requestState")
    return InputRequired(
        questions=tuple(
            _question(key, request)
            for key, request in (wanted if isinstance(wanted, Mapping) else {}).items()
        ),
        state=state if isinstance(state, str) else None,
    )


def _question(key: str, request: Any) -> Question:
    method = request.get("method") if isinstance(request, Mapping) else None
    params = request.get("params") if isinstance(request, Mapping) else None
    name = method if isinstance(method, str) else ""
    return Question(
        key=key,
        kind=_KINDS.get(name, "other"),
        method=name,
        params=params if isinstance(params, Mapping) else {},
    )


def retry_params(
    params: JsonObject, wanted: InputRequired, answers: Mapping[str, JsonObject]
) -> dict[str, Any]:
    """Return the params of the next round.

    Args:
        params: Those of the first round; `_meta` and arguments stay as they are.
        wanted: What the server asked for.
        answers: Key to result: of a form `{"action": "accept", "content": {...}}`, or an action
            of `decline` or `cancel` alone.
    """
    known = {question.key for question in wanted.questions}
    kept = {k: v for k, v in params.items() if k not in ("inputResponses", "requestState")}
    responses = {key: answer for key, answer in answers.items() if key in known}
    if responses:
        kept["inputResponses"] = responses
    if wanted.state is not None:
        kept["requestState"] = wanted.state
    return kept


def declined(question: Question) -> dict[str, Any] | None:
    """Return the answer to a question that nobody answers, or None when there is no such answer.

    A form can be declined and roots can be none; without a sampling answer the request fails.
    """
    match question.kind:
        case "elicitation":
            return {"action": "decline"}
        case "roots":
            return {"roots": []}
        case _:
            return None
