"""The rungs from "the server answers" to "something is visible", and why one is broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mcpapps_cli import wire
from mcpapps_cli.host.effect import Step, StepName
from mcpapps_cli.host.message import shorten
from mcpapps_cli.host.resource import is_html
from mcpapps_cli.metadata import apps_metadata
from mcpapps_cli.model import JsonObject, Resource

CAUSES: Final[dict[str, str | None]] = {
    # server
    "no-answer": None,
    "noise-on-stdout": "stdout-pollution",
    # tool, resource, mime, html
    "no-such-tool": None,
    "no-view": None,
    "unreadable": "resource-uri-dangling",
    "wrong-mime": "mime-type",
    "not-html": "content-not-html",
    "too-large": "html-size",
    # frame
    "sandbox-silent": None,
    "not-loaded": None,
    # initialize, initialized
    "handshake-missing": "handshake-missing",
    "handshake-unfinished": "handshake-incomplete",
    "wrong-method": "initialize-wrong-method",
    "rejected-parameters": "initialize-params",
    "early-request": "call-before-initialized",
    "storage-refused": "storage-unguarded",
    "script-blocked": "undeclared-resource-origin",
    "script-error": None,
    # input, result
    "late-listener": "late-handler",
    "no-listener": "handshake-missing",
    "call-cancelled": None,
    "server-gone": None,
    "withheld": None,
    # painted
    "blocked-by-policy": "undeclared-resource-origin",
    "connection-blocked": "undeclared-connect-origin",
    "cors-refused": None,
    "network-failed": None,
    "cors-or-network": None,
    "call-refused": "app-tool-unlisted",
    "size-not-reported": "no-size-report",
    "size-growing": "viewport-height",
    "nothing-visible": None,
    "no-probe": None,
}
"""Why a rung is broken or unknown, and the lint rule that explains it."""

NOISE_LINES: Final = 5
"""Lines of noise that are shown."""
_HANDSHAKE_CAUSES: Final = (
    "storage-refused",
    "script-blocked",
    "script-error",
    "connection-blocked",
    "blocked-by-policy",
)
_PAINT_CAUSES: Final = (
    "no-listener",
    "late-listener",
    "storage-refused",
    "script-blocked",
    "script-error",
    "connection-blocked",
    "blocked-by-policy",
    "cors-refused",
    "network-failed",
    "cors-or-network",
    "call-refused",
    "size-not-reported",
)


def check_server(failure: str | None, noise: Sequence[str] = ()) -> tuple[Step, ...]:
    """Return the rung `server` before anything else is known of it.

    A server that answers although it writes other things to stdout reaches the rung; the driver
    shows the noise by itself.

    Args:
        failure: Why the server did not answer the negotiation; None when it did.
        noise: The lines on its stdout that were no messages.
    """
    if failure is None:
        return (Step("server", "ok"),)
    if noise:
        lines = [shorten(line, 200) for line in noise[:NOISE_LINES]]
        return (_broken("server", "noise-on-stdout", {"error": failure, "lines": lines}),)
    return (_broken("server", "no-answer", {"error": failure}),)


def check_tool(tool: JsonObject | None, name: str) -> tuple[Step, ...]:
    """Return the rung `tool`: whether the server lists it and it links a View.

    Args:
        tool: The raw `tools/list` entry; None when there is none of that name.
        name: The tool that was called.
    """
    if tool is None:
        return (_broken("tool", "no-such-tool", {"tool": shorten(name)}),)
    if apps_metadata(tool).resource_uri is None:
        return (_broken("tool", "no-view", {"tool": shorten(name)}),)
    return (Step("tool", "ok"),)


def check_resource(
    resource: Resource | None,
    tool: JsonObject,
    *,
    html_bytes: int | None = None,
    error: str | None = None,
) -> tuple[Step, ...]:
    """Return the rungs `server` to `html`, which are decided before a frame exists.

    A View may be mounted when all five are `ok`. The first broken rung is the last one returned.

    Args:
        resource: The tool's UI resource as it was read; None when it could not be read.
        tool: The raw `tools/list` entry.
        html_bytes: `Profile.html_bytes`.
        error: Why it could not be read, for the detail.
    """
    return tuple(_check(resource, tool, html_bytes, error))


def _check(
    resource: Resource | None, tool: JsonObject, html_bytes: int | None, error: str | None
) -> Iterator[Step]:
    yield Step("server", "ok")
    found = check_tool(tool, str(tool.get("name")))
    yield from found
    if found[-1].state != "ok":
        return
    uri = apps_metadata(tool).resource_uri or ""
    content = None if resource is None else resource.content
    if resource is None or content is None or not uri.startswith(wire.URI_SCHEME):
        why = {} if error is None else {"error": error}
        yield _broken("resource", "unreadable", {"uri": uri, **why})
        return
    yield Step("resource", "ok")
    mime = content.get("mimeType")
    if mime != wire.MIME_TYPE:
        yield _broken("mime", "wrong-mime", {"uri": uri, "mimeType": mime})
        return
    yield Step("mime", "ok")
    if resource.html is None or not is_html(resource.html):
        begins = {} if resource.html is None else {"begins": shorten(resource.html.lstrip(), 80)}
        yield _broken("html", "not-html", {"uri": uri, **begins})
        return
    size = len(resource.html.encode("utf-8", "surrogatepass"))
    if html_bytes is not None and size > html_bytes:
        yield _broken("html", "too-large", {"uri": uri, "bytes": size, "limit": html_bytes})
        return
    yield Step("html", "ok")


def _broken(step: StepName, cause: str, detail: Any = None) -> Step:
    return Step(step, "broken", cause, CAUSES[cause], detail)


class Ladder:
    """The states of one View's rungs, and what was seen that may explain a broken one."""

    def __init__(self) -> None:
        self._steps: dict[StepName, Step] = {}
        self._proven: set[StepName] = set()
        self._seen: dict[str, Any] = {}

    def step(self, name: StepName) -> Step | None:
        """Return the newest state of a rung, or None before it has one."""
        return self._steps.get(name)

    def is_ok(self, name: StepName) -> bool:
        """Whether a rung is reached."""
        step = self._steps.get(name)
        return step is not None and step.state == "ok"

    def saw(self, cause: str, detail: Any = None) -> None:
        """Remember the first evidence for a cause; it breaks nothing by itself."""
        self._seen.setdefault(cause, detail)

    def reach(self, name: StepName) -> Iterator[Step]:
        """Yield `ok`; a rung that evidence has broken stays broken."""
        if name not in self._proven:
            yield from self._set(Step(name, "ok"))

    def leave_open(self, name: StepName, cause: str, detail: Any = None) -> Iterator[Step]:
        """Yield `unknown`."""
        yield from self._set(Step(name, "unknown", cause, CAUSES[cause], detail))

    def expire(self, name: StepName, cause: str, detail: Any = None) -> Iterator[Step]:
        """Yield `broken` by a deadline, unless the rung is reached; what comes late mends it."""
        if not self.is_ok(name) and name not in self._proven:
            yield from self._set(_broken(name, cause, detail))

    def prove_broken(self, name: StepName, cause: str, detail: Any = None) -> Iterator[Step]:
        """Yield `broken` by evidence that nothing later can undo."""
        if name not in self._proven:
            self._proven.add(name)
            yield from self._set(_broken(name, cause, detail))

    def expire_handshake(self, seconds: float) -> Iterator[Step]:
        """Yield what is broken when the handshake is not finished within `seconds`."""
        late: StepName = "initialized" if self.is_ok("initialize") else "initialize"
        own = "handshake-unfinished" if late == "initialized" else "handshake-missing"
        known = self._steps.get(late)
        if known is None or known.state != "broken":
            yield from self.expire(late, *self._explain(_HANDSHAKE_CAUSES, own, seconds))

    def expire_paint(self, seconds: float) -> Iterator[Step]:
        """Yield what is broken when nothing is visible within `seconds` after the result.

        A delivery that nobody can have heard breaks its own rung first.
        """
        cause, detail = self._explain(_PAINT_CAUSES, "nothing-visible", seconds)
        if cause == "no-listener":
            yield from self.prove_broken("input", cause, detail)
        elif cause == "late-listener":
            yield from self.prove_broken(detail["step"], cause, detail)
        yield from self.expire("painted", cause, detail)

    def start_over(self) -> None:
        """Forget the rungs and the evidence of a document that is gone."""
        self._steps.clear()
        self._proven.clear()
        self._seen.clear()

    def _explain(self, causes: tuple[str, ...], otherwise: str, seconds: float) -> tuple[str, Any]:
        cause = next((cause for cause in causes if cause in self._seen), otherwise)
        return cause, self._seen.get(cause, {"seconds": seconds})

    def _set(self, step: Step) -> Iterator[Step]:
        if self._steps.get(step.step) != step:
            self._steps[step.step] = step
            yield step
