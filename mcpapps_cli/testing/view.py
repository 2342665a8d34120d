"""A View in a browser, as a test sees it: its frame, what it said, and what its host can do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, overload

from mcpapps_cli import wire
from mcpapps_cli.errors import UserError
from mcpapps_cli.model import JsonObject
from mcpapps_cli.testing.fault import Allowance, Fault, ViewFault, faults_of
from mcpapps_cli.testing.layout import Layout, size_faults
from mcpapps_cli.testing.witness import Request, Witness

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Locator, Page

    from mcpapps_cli.stage import Stage
    from mcpapps_cli.stage.driver import Driver
    from mcpapps_cli.testing.loop import Held, Loop

_FRAME: Final = "view-turn iframe"
_LIFE_MS: Final = 10_000
_QUIET: Final = 0.15
_QUIET_MAX: Final = 3.0
_MEASURE: Final = """() => {
  const root = document.documentElement, body = document.body;
  const hides = (element) => ["hidden", "clip"].includes(getComputedStyle(element).overflowX);
  return {
    width: innerWidth, height: innerHeight,
    contentWidth: hides(root) || (body && hides(body)) ? 0 : root.scrollWidth,
    contentHeight: root.scrollHeight,
  };
}"""


class AppView:
    """A View that `McpApp.render` has mounted.

    Attributes:
        tool: The tool whose call mounted it.
        args: Its arguments.
        profile: The emulated host.
        theme: `light` or `dark`.
        page: Playwright's page of the host around the View.
    """

    def __init__(
        self,
        tool: str,
        args: JsonObject,
        *,
        profile: str,
        theme: str,
        page: Page,
        loop: Loop,
        stage: Held[Stage],
        seen: Witness,
        allow: Allowance,
    ):
        self.tool = tool
        self.args = dict(args)
        self.profile = profile
        self.theme = theme
        self.page = page
        self._loop = loop
        self._stage = stage
        self._seen = seen
        self._allow = allow
        self._closed = False

    # --- the document

    @property
    def frame(self) -> Frame:
        """Playwright's frame of the View's own document, as it is mounted now.

        Raises:
            ViewFault: nothing is mounted.
        """
        if self._closed:
            raise ViewFault(f"the View of {self.tool} is closed")
        outer = self.page.query_selector(_FRAME)
        proxy = outer.content_frame() if outer is not None else None
        inner = (
            proxy.wait_for_selector("iframe", state="attached", timeout=_LIFE_MS)
            if proxy is not None
            else None
        )
        found = inner.content_frame() if inner is not None else None
        if found is None:
            raise ViewFault(f"the View of {self.tool} is not mounted")
        return found

    def locator(self, selector: str) -> Locator:
        """Return a Playwright locator inside the View."""
        return self.frame.locator(selector)

    def screenshot(self, path: Path | None = None) -> bytes:
        """Return a PNG of the View, and write it to `path`.

        Raises:
            ViewFault: nothing of it is visible, or it does not respond.
        """
        from playwright.sync_api import Error

        self.await_life()
        frame = self.page.locator(_FRAME).first
        try:
            return frame.screenshot(path=path, animations="disabled", timeout=_LIFE_MS)
        except Error as exc:
            why = exc.message.splitlines()[0]
            raise ViewFault(f"no picture of the View of {self.tool}: {why}") from exc

    def await_life(self) -> None:
        """Wait until the View's document answers; a script that never ends keeps it from that.

        Raises:
            ViewFault: it does not, or nothing is mounted.
        """
        from playwright.sync_api import TimeoutError as Silence

        try:
            self.frame.wait_for_selector("html", state="attached", timeout=_LIFE_MS)
        except Silence as exc:
            raise ViewFault(f"the View of {self.tool} does not respond") from exc

    # --- what it did

    @property
    def steps(self) -> dict[str, str]:
        """The rungs of the ladder from `server` to `painted`, and the state of each."""
        return {name: step.state for name, step in self._seen.steps.items()}

    @property
    def sent(self) -> tuple[Any, ...]:
        """Every message that the View posted, as it was."""
        return self._seen.sent

    @property
    def received(self) -> tuple[JsonObject, ...]:
        """Every message that the View got."""
        return self._seen.received

    @property
    def requests(self) -> tuple[Request, ...]:
        """Every request and notification of the View with the host's answer."""
        return self._seen.requests()

    @property
    def calls(self) -> tuple[Request, ...]:
        """Its tool calls; `params` has `name` and `arguments`, `result` the tool's answer."""
        return self._of(wire.TOOLS_CALL)

    @property
    def messages(self) -> tuple[str, ...]:
        """The texts that it said in the conversation, as far as the host let it."""
        return tuple(_text(one.params) for one in self._of(wire.UI_MESSAGE) if one.granted)

    @property
    def model_context(self) -> JsonObject | None:
        """What the model is told by the newest `ui/update-model-context`; None without one."""
        told = [one for one in self._of(wire.UI_UPDATE_MODEL_CONTEXT) if one.granted]
        return told[-1].params if told else None

    @property
    def opened_links(self) -> tuple[str, ...]:
        """The addresses that the host opened for it."""
        return tuple(str(one.params["url"]) for one in self._of(wire.UI_OPEN_LINK) if one.granted)

    @property
    def console(self) -> tuple[str, ...]:
        """What it wrote to its console or logged through the host."""
        return tuple(note.text for note in tuple(self._seen.notes) if note.kind == "console")

    @property
    def context(self) -> dict[str, Any]:
        """The host context as the View has it now."""
        return self._seen.context()

    # --- what is wrong

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that is wrong until now, allowed or not."""
        return tuple(faults_of(self._seen))

    def layout(self) -> Layout:
        """Return how large the frame and the content are now."""
        self.await_life()
        return Layout(**self.frame.evaluate(_MEASURE))

    def size_faults(self) -> tuple[Fault, ...]:
        """Return what overflows, once the View has had time to report its size."""
        self.settle()
        mode = str(self.context.get("displayMode", "inline"))
        dimensions = self.context.get("containerDimensions") if mode == "inline" else None
        reported = any(one.method == wire.UI_SIZE_CHANGED for one in self.requests)
        return tuple(
            size_faults(self.layout(), dimensions, inline=mode == "inline", reported=reported)
        )

    def check(self) -> None:
        """Fail when something is wrong that is not allowed; the plugin does it after the test.

        Raises:
            ViewFault: with a line for each.
        """
        if not self._closed:
            # What a script has just done takes a moment to be told.
            self._seen.wait_quiet(_QUIET, _QUIET_MAX)
        left = self._allow.left(self.faults)
        if left:
            raise ViewFault(self.explain(left), left)

    def explain(self, faults: tuple[Fault, ...]) -> str:
        """Return what is wrong as text for a report."""
        where = f"the View of {self.tool}({_shown(self.args)}) in {self.profile}, {self.theme}"
        lines = [f"{where}:", *(f"  {fault}" for fault in faults)]
        lines += [f"  console: {line}" for line in self.console[-5:]]
        kinds = ", ".join(f'"{kind}"' for kind in dict.fromkeys(fault.kind for fault in faults))
        return "\n".join([*lines, f"allow=({kinds},) lets it pass"])

    # --- what its host does

    @overload
    def wait_for(self, what: str, *, count: int = ..., timeout: float = ...) -> Request: ...

    @overload
    def wait_for(self, what: Callable[[AppView], object], *, timeout: float = ...) -> None: ...

    def wait_for(
        self, what: str | Callable[[AppView], object], *, count: int = 1, timeout: float = 10.0
    ) -> Request | None:
        """Wait for something that the View says.

        Args:
            what: A method, whose answer is awaited too when it is a request; or a function of
                this View that becomes true.
            count: How many of that method.
            timeout: Seconds.

        Returns:
            The newest request or notification of that method; None for a function.

        Raises:
            ViewFault: it did not come in time.
        """
        if callable(what):
            if not self._wait(lambda: bool(what(self)), timeout):
                raise ViewFault(f"what was waited for did not happen within {timeout:g} s")
            return None
        found: list[Request] = []

        def enough() -> bool:
            found[:] = [one for one in self._of(what) if _is_over(one)]
            return len(found) >= count

        if not self._wait(enough, timeout):
            said = ", ".join(dict.fromkeys(one.method for one in self.requests)) or "nothing"
            raise ViewFault(
                f'the View of {self.tool} did not send "{what}" within {timeout:g} s; '
                f"it sent {said}"
            )
        return found[-1]

    def set_theme(self, theme: Literal["light", "dark"]) -> None:
        """Change the host's theme, and wait until the View has been told."""
        self.page.evaluate(
            'theme => document.dispatchEvent(new CustomEvent("set-theme", { detail: theme }))',
            theme,
        )
        self.theme = theme
        self._await_context("theme", theme)

    def set_mode(self, mode: Literal["inline", "fullscreen", "pip"]) -> None:
        """Change the display mode as a user does, and wait until the View has been told."""
        self.page.evaluate(
            'mode => document.dispatchEvent(new CustomEvent("set-mode", { detail: mode }))', mode
        )
        self._await_context("displayMode", mode)

    def set_context(self, **changes: Any) -> None:
        """Change whole top-level keys of the host context, such as `locale`."""
        driver = self._driver()
        self._loop.call(lambda: driver.change_context(changes))

    def cancel(self) -> None:
        """Cancel the tool call that still runs, and wait until the View has been told.

        Raises:
            ViewFault: the call is over.
        """
        driver = self._driver()
        self._loop.call(driver.cancel)
        if not self._wait(lambda: self._was_told(wire.UI_TOOL_CANCELLED), 5.0):
            raise ViewFault(f"the call of {self.tool} was over, so nothing could be cancelled")

    def teardown(self, reason: str = "the test ends the View") -> bool:
        """Ask the View to go, and remove it; return whether it answered."""
        driver = self._driver()
        self._loop.run(driver.teardown(reason))
        asked = [m for m in self.received if m.get("method") == wire.UI_RESOURCE_TEARDOWN]
        return bool(asked) and any(
            isinstance(message, Mapping)
            and message.get("id") == asked[-1]["id"]
            and "result" in message
            and "method" not in message
            for message in self.sent
        )

    def reload(self) -> None:
        """Mount the View anew with its input and result, as a chat does that is opened again."""
        driver = self._driver()
        self._seen.steps.clear()
        self._loop.run(driver.remount())
        self.await_step("painted", 30.0)

    def await_step(self, step: str, seconds: float) -> None:
        """Wait until a rung is reached, or another one breaks.

        Raises:
            ViewFault: it was not reached, and that is not allowed.
        """
        seen = self._seen
        seen.wait(lambda: seen.reached(step) or seen.stuck(), seconds)
        if seen.reached(step) or not self._allow.left([Fault("ladder", "")]):
            return
        found = self.faults
        if not seen.stuck():
            at = list(seen.steps)[-1] if seen.steps else "nothing"
            text = f'did not reach "{step}" within {seconds:g} s; it reached "{at}"'
            found = (*found, Fault("ladder", text))
        if left := self._allow.left(found):
            raise ViewFault(self.explain(left), left)

    def settle(self) -> None:
        """Wait until View and host are quiet and its frame has the size that it asked for."""
        self.await_life()
        # Two frames let what a script has just changed be laid out, and its observers run.
        self.frame.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        self._seen.wait_quiet(_QUIET, _QUIET_MAX)

    def close(self) -> None:
        """Remove the View and the host around it."""
        if not self._closed:
            self._closed = True
            self.page.context.close()
            self._stage.release()

    def _of(self, method: str) -> tuple[Request, ...]:
        return tuple(one for one in self.requests if one.method == method)

    def _driver(self) -> Driver:
        view = self._seen.view
        driver = self._loop.call(lambda: self._stage.value.driver(view))
        if driver is None:
            raise ViewFault(f"the View of {self.tool} is closed")
        return driver

    def _was_told(self, method: str) -> bool:
        return any(message.get("method") == method for message in self.received)

    def _await_context(self, key: str, value: str) -> None:
        if not self._wait(lambda: self.context.get(key) == value, 5.0):
            raise UserError(
                f'the View was not told of {key} "{value}"',
                help=f"the host {self.profile} does not offer it, or the View does not declare it",
            )

    def _wait(self, enough: Callable[[], bool], seconds: float) -> bool:
        return self._seen.wait(enough, seconds)


def _is_over(request: Request) -> bool:
    if request.method.startswith(("ui/notifications/", "notifications/")):
        return True
    return request.result is not None or request.error is not None


def _text(params: JsonObject) -> str:
    return "\n".join(texts(params.get("content")))


def texts(content: Any) -> Iterator[str]:
    """Yield the text of each content block that has one."""
    for block in content if isinstance(content, list | tuple) else [content]:
        if isinstance(block, Mapping) and isinstance(block.get("text"), str):
            yield block["text"]


def _shown(args: JsonObject) -> str:
    return ", ".join(f"{name}={json.dumps(value)}" for name, value in args.items())[:200]
