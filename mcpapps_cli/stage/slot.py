"""The place of one View's frame: its document, its proxy page, and where faults in it lie."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcpapps_cli.host.event import ProbeReport, Violation
from mcpapps_cli.metadata import resource_meta
from mcpapps_cli.stage.emulation import SAME_ORIGIN
from mcpapps_cli.stage.probe import Splice, splice_probe
from mcpapps_cli.stage.sandbox import Frame, Sandbox, own_subdomain

if TYPE_CHECKING:
    from mcpapps_cli.host.effect import Mount
    from mcpapps_cli.host.mounting import Mounting
    from mcpapps_cli.model import JsonObject


@dataclass(frozen=True, slots=True)
class Opened:
    """What the page needs to create a frame.

    Attributes:
        frame: The frame's number.
        url: Of the proxy page.
        channel: The secret under which the page takes the probe's reports.
        own: Whether the View has an origin of its own.
        declared: The lists of `_meta.ui.csp` as they were declared; None when there is no `csp`.
    """

    frame: int
    url: str
    channel: str
    own: bool
    declared: JsonObject | None


class Slot:
    """Holds one frame at a time.

    Args:
        sandbox: Where the proxy page is served.
        owner: Name of the server; with the URI it makes the name of a View's own origin.
        on_violation: Called with every violation the browser reports.
        on_missing: Called with every path the View asked of its own origin.

    Attributes:
        number: Tells the frames of one View apart, from 1.
        html: The document of the newest frame.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        *,
        owner: str,
        on_violation: Callable[[Violation], None],
        on_missing: Callable[[str], None],
    ):
        self.number = 0
        self.html = ""
        self._sandbox = sandbox
        self._owner = owner
        self._on_violation = on_violation
        self._on_missing = on_missing
        self._key = self._channel = self._uri = ""
        self._splice: Splice | None = None
        self._declared: JsonObject | None = None

    def load(self, mounting: Mounting, *, probe: bool) -> None:
        """Take the next document."""
        self.html, self._uri = mounting.html, mounting.uri
        self._channel = secrets.token_urlsafe(16)
        csp = mounting.csp
        self._declared = None if csp is None else resource_meta(csp=csp)["csp"]
        connect = () if csp is None else csp.connect
        self._splice = splice_probe(self.html, self._channel, connect) if probe else None

    def open(self, mount: Mount) -> Opened:
        """Serve a proxy page for a new frame."""
        self.number += 1
        self._key = secrets.token_urlsafe(16)
        self._sandbox.open(
            Frame(
                key=self._key,
                channel=self._channel,
                policy=mount.policy,
                allow=mount.allow,
                probe=self._splice,
                on_violation=self._on_violation,
                on_missing=self._on_missing,
            )
        )
        own = SAME_ORIGIN in mount.sandbox.split()
        subdomain = own_subdomain(self._owner, self._uri) if own else None
        url = self._sandbox.url(self._key, subdomain=subdomain)
        return Opened(self.number, url, self._channel, own, self._declared)

    def close(self) -> None:
        """Forget the proxy page."""
        self._sandbox.close(self._key)

    def original_column(self, line: int | None, column: int | None) -> int | None:
        """Return the column in the author's document for one the browser reported."""
        splice = self._splice
        return column if splice is None else splice.original_column(line, column)

    def as_written(self, detail: JsonObject) -> JsonObject:
        """Return what the probe saw with the column of the author's document."""
        if isinstance(line := detail.get("line"), int):
            return {**detail, "column": self.original_column(line, detail.get("column"))}
        return detail

    def is_told_by_the_probe(self, violation: Violation) -> bool:
        """Whether the browser names the probe's own wrapper; the probe knows who called it."""
        splice = self._splice
        return splice is not None and splice.covers(violation.line, violation.column)

    def violation_in(self, report: ProbeReport) -> Violation | None:
        """Return the violation that a report of the probe is about, if it is about one."""
        detail = report.detail
        url = detail.get("url")
        if (
            report.kind != "network"
            or detail.get("blocked") is not True
            or not isinstance(url, str)
        ):
            return None
        line, column = detail.get("line"), detail.get("column")
        return Violation(
            directive="connect-src",
            blocked=url,
            line=line if isinstance(line, int) else None,
            column=column if isinstance(column, int) else None,
        )
