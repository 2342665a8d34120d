"""What happens to one page: its splices, and what its scripts must hold afterwards."""

from __future__ import annotations

from mcpapps_cli import embed
from mcpapps_cli.bundle.splice import Splice
from mcpapps_cli.bundle.tally import Tally
from mcpapps_cli.markup.page import Script
from mcpapps_cli.resources import bridge_dir


class Edits:
    """The splices of one page, and what its scripts and sheets must hold afterwards.

    Attributes:
        splices: In no order.
        scripts: Offset in the original page and final text of every script outside SVG.
        running: The texts that a policy has to let run, also those that scripts insert.
        at_end: Elements that move to the end of the body, and the text of each script.
    """

    def __init__(self) -> None:
        self.splices: list[Splice] = []
        self.scripts: list[tuple[int, str]] = []
        self.running: list[str] = []
        self.at_end: list[tuple[str, str]] = []

    def note(self, script: Script, text: str) -> None:
        """Note what a script must hold; inside SVG it is markup to a browser, and not compared."""
        if script.token.foreign:
            return
        self.scripts.append((script.token.start, text))
        if script.type != "data" and (script.src is None or text):
            self.running.append(text)

    def insert(self, at: int, element: str, text: str) -> None:
        """Insert a script element that holds `text`."""
        self.splices.append(Splice(at, at, element))
        self.scripts.append((at, text))
        self.running.append(text)


class Bridge:
    """The inlined bridge: once per page, before the first script that needs it."""

    def __init__(self, edits: Edits, tally: Tally):
        self._edits = edits
        self._tally = tally
        self._there = False

    def take(self) -> str:
        """Return its text for an element that asked for it; empty when it is there already."""
        if self._there:
            return ""
        self._there = True
        text = embed.bridge_script()
        self._tally.add("bridge", bridge_dir(), len(text.encode()))
        return text

    def put_before(self, script: Script) -> None:
        """Insert an element of its own before `script`, unless the bridge is there already."""
        text = self.take()
        if text:
            element = f"<script {embed.SENTINEL}>{text}</script>"
            self._edits.insert(script.token.start, element, text)
