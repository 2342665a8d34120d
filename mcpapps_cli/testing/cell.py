"""One View in one host, theme, display mode and size: what to try, and how it went."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcpapps_cli.model import JsonObject
from mcpapps_cli.testing.fault import Fault


@dataclass(frozen=True, slots=True)
class Input:
    """A tool call to be tried.

    Attributes:
        tool: Its name.
        args: Its arguments.
        origin: Where they come from, such as `--call` or `sample`.
    """

    tool: str
    args: JsonObject = field(default_factory=dict)
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Size:
    """The room of a View in CSS pixels; None leaves it to the host."""

    width: int | None = None
    height: int | None = None

    @property
    def box(self) -> int | tuple[int, int] | None:
        """The size as `McpApp.render` takes it."""
        if self.width is None or self.height is None:
            return self.width
        return self.width, self.height

    def __str__(self) -> str:
        """Return it as it is written: `320x600`, `320`, or `host`."""
        if self.width is None:
            return "host"
        return f"{self.width}x{self.height}" if self.height else str(self.width)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a View is tried."""

    profile: str = "spec"
    theme: str = "light"
    mode: str = "inline"
    size: Size = Size()

    def __str__(self) -> str:
        """Return it in words."""
        size = "" if self.size == Size() else f" {self.size}"
        return f"{self.profile} {self.theme} {self.mode}{size}"


@dataclass(frozen=True, slots=True)
class Cell:
    """How one View did in one place.

    Attributes:
        input: The call.
        place: Where.
        faults: What is wrong; empty when it passed.
        skipped: Why it was not tried; empty when it was.
        steps: The rungs of the ladder with their states.
        console: The last lines of the View's console.
        picture: A PNG of the View; empty when there is none.
        seconds: How long it took.
    """

    input: Input
    place: Place
    faults: tuple[Fault, ...] = ()
    skipped: str = ""
    steps: JsonObject = field(default_factory=dict)
    console: tuple[str, ...] = ()
    picture: bytes = b""
    seconds: float = 0.0

    @property
    def state(self) -> str:
        """`passed`, `failed` or `skipped`."""
        return "skipped" if self.skipped else "failed" if self.faults else "passed"


@dataclass(frozen=True, slots=True)
class Matrix:
    """All cells of a run.

    Attributes:
        project: The project's or server's name.
        cells: In the order in which they were tried.
        untried: Tools with a View that were not called, and why.
        version: Ours.
    """

    project: str
    cells: tuple[Cell, ...]
    untried: tuple[tuple[str, str], ...] = ()
    version: str = ""

    def count(self, state: str) -> int:
        """Return how many cells are in a state."""
        return sum(cell.state == state for cell in self.cells)
