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


@dataclass(frozen=True, slots=True)
class _Spare:
    """A proxy page, with all that decides which document it may get.

    Its policy is a header of the page and its probe lies in it, so neither can change later.
    """

    number: int
    frame: Frame
    sandbox: str
    subdomain: str | None

    def serves(self, mount: Mount, probe: Splice | None, subdomain: str | None) -> bool:
        has = (self.frame.policy, self.frame.allow, self.frame.probe, self.sandbox, self.subdomain)
        return has == (mount.policy, mount.allow, probe, mount.sandbox, subdomain)


class Slot:
    """Holds one frame at a time, and a proxy page for the next one.

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
        self._last = 0
        self._sandbox = sandbox
        self._owner = owner
        self._on_violation = on_violation
        self._on_missing = on_missing
        self._key = self._channel = self._uri = ""
        self._splice: Splice | None = None
        self._connect: tuple[str, ...] = ()
        self._declared: JsonObject | None = None
        self._spare: _Spare | None = None

    def load(self, mounting: Mounting, *, probe: bool) -> None:
        """Take the next document."""
        self.html, self._uri = mounting.html, mounting.uri
        spare = self._spare
        self._channel = spare.frame.channel if spare is not None else secrets.token_urlsafe(16)
        csp = mounting.csp
        self._declared = None if csp is None else resource_meta(csp=csp)["csp"]
        self._connect = () if csp is None else csp.connect
        self._splice = splice_probe(self.html, self._channel, self._connect) if probe else None

    def open(self, mount: Mount) -> Opened:
        """Serve a proxy page for a new frame: the spare one, where it is the same."""
        subdomain = self._subdomain(mount.sandbox)
        spare, self._spare = self._spare, None
        if spare is not None and not spare.serves(mount, self._splice, subdomain):
            self._sandbox.close(spare.frame.key)
            spare = None
        if spare is None:
            spare = self._new(mount, self._channel, self._splice)
        self.number, self._key = spare.number, spare.frame.key
        return self._opened(spare)

    def reserve(self, mount: Mount) -> Opened | None:
        """Serve a proxy page that the next `open` can use; None when there is one already."""
        if self._spare is not None:
            return None
        channel = secrets.token_urlsafe(16)
        splice = self._splice and splice_probe(self.html, channel, self._connect)
        self._spare = self._new(mount, channel, splice)
        return self._opened(self._spare)

    def close(self) -> None:
        """Forget the proxy page."""
        self._sandbox.close(self._key)

    def forget(self) -> None:
        """Forget the spare proxy page too."""
        self.close()
        if self._spare is not None:
            self._sandbox.close(self._spare.frame.key)
            self._spare = None

    def _new(self, mount: Mount, channel: str, splice: Splice | None) -> _Spare:
        self._last += 1
        frame = Frame(
            key=secrets.token_urlsafe(16),
            channel=channel,
            policy=mount.policy,
            allow=mount.allow,
            probe=splice,
            on_violation=self._on_violation,
            on_missing=self._on_missing,
        )
        self._sandbox.open(frame)
        return _Spare(self._last, frame, mount.sandbox, self._subdomain(mount.sandbox))

    def _opened(self, spare: _Spare) -> Opened:
        url = self._sandbox.url(spare.frame.key, subdomain=spare.subdomain)
        own = spare.subdomain is not None
        return Opened(spare.number, url, spare.frame.channel, own, self._declared)

    def _subdomain(self, sandbox: str) -> str | None:
        own = SAME_ORIGIN in sandbox.split()
        return own_subdomain(self._owner, self._uri) if own else None

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
