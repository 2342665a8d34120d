"""The View's requests that a user decides: links, messages, downloads, sampling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

from mcpapps_cli import wire
from mcpapps_cli.host import message
from mcpapps_cli.host.effect import AskUser, ChatMessage, Effect, Note, Send
from mcpapps_cli.host.event import UserAnswer
from mcpapps_cli.host.message import Request, RequestId, shorten
from mcpapps_cli.host.profiles import Consent, Profile
from mcpapps_cli.model import JsonObject

OPEN_MAX: Final = 8
"""Questions of one View that may wait for the user at once."""
LINK_SCHEMES: Final = ("http", "https", "mailto")
KINDS: Final[dict[str, Consent]] = {
    wire.UI_OPEN_LINK: "link",
    wire.UI_MESSAGE: "message",
    wire.UI_DOWNLOAD_FILE: "download",
    wire.SAMPLING_CREATE_MESSAGE: "sampling",
}
_CONTROL: Final = re.compile(r"[\x00-\x20\x7f]")


def deny(
    request_id: RequestId, text: str, style: Literal["error", "result"], *, tool: bool = False
) -> Send:
    """Return the refusal of a valid request, in the profile's style.

    Args:
        request_id: The View's id.
        text: Why.
        style: `Profile.denial`.
        tool: Whether the answer has to be a CallToolResult.
    """
    if style == "error":
        return Send(message.error(request_id, wire.IMPLEMENTATION_ERROR, text))
    content = {"content": [{"type": "text", "text": text}]} if tool else {}
    return Send(message.result(request_id, {**content, "isError": True}))


def link_refusal(url: str) -> str | None:
    """Return why a link is never opened, or None when the user may be asked."""
    if _CONTROL.search(url):
        return "the URL contains white space or a control character"
    try:
        parts = urlsplit(url)
    except ValueError:
        return "the URL cannot be read"
    if parts.scheme.lower() not in LINK_SCHEMES:
        return f'only {", ".join(LINK_SCHEMES)} links are opened, not "{shorten(url)}"'
    if parts.scheme.lower() != "mailto" and not parts.hostname:
        return "the URL names no host"
    return None


@dataclass(frozen=True, slots=True)
class _Asked:
    request: Request
    kind: Consent


class Desk:
    """The questions of one View that wait for the user, by the number of their effect."""

    def __init__(self, profile: Profile, numbers: Iterator[int]):
        self._profile = profile
        self._numbers = numbers
        self._open: dict[int, _Asked] = {}

    def has(self, id_: RequestId) -> bool:
        """Whether a request with that id of the View waits."""
        return any(asked.request.id == id_ for asked in self._open.values())

    def take(self, request: Request) -> Iterator[Effect]:
        """Take a valid request of `KINDS`: refuse it, ask the user, or do it."""
        kind = KINDS[request.method]
        refusal = link_refusal(request.params["url"]) if kind == "link" else None
        if kind in self._profile.refuses:
            refusal = "the host declines it"
        if refusal is None and len(self._open) >= OPEN_MAX:
            refusal = f"{OPEN_MAX} questions wait for the user already"
        if refusal is not None:
            yield Note("warning", f"{request.method} refused: {refusal}")
            yield deny(request.id, refusal, self._profile.denial)
        elif kind in self._profile.consent or kind == "sampling":
            number = next(self._numbers)
            self._open[number] = _Asked(request, kind)
            yield AskUser(number, kind, _detail(request))
        else:
            yield from _carry_out(request, None)

    def answer(self, event: UserAnswer) -> Iterator[Effect]:
        """Carry the user's answer out."""
        asked = self._open.pop(event.request, None)
        if asked is None:
            return
        if not event.allowed or (asked.kind == "sampling" and event.result is None):
            text = f"the user declined {asked.request.method}"
            yield deny(asked.request.id, text, self._profile.denial)
        else:
            yield from _carry_out(asked.request, event.result)

    def forget(self, id_: RequestId) -> None:
        """Forget a request that the View has cancelled."""
        for number in [n for n, asked in self._open.items() if asked.request.id == id_]:
            del self._open[number]

    def forget_all(self) -> None:
        """Forget every request of a document that is gone."""
        self._open.clear()


def _carry_out(request: Request, result: JsonObject | None) -> Iterator[Effect]:
    if request.method == wire.UI_MESSAGE:
        yield ChatMessage(_detail(request))
    yield Send(message.result(request.id, {} if result is None else result))


def _detail(request: Request) -> JsonObject:
    content = request.params.get("content")
    if request.method == wire.UI_MESSAGE and not isinstance(content, list | tuple):
        return {**request.params, "content": [content]}
    return request.params
