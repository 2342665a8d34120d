"""Estimating pi with darts: throws at a square, and the share that lands in the quarter circle."""

import random
from dataclasses import dataclass, field

SHOWN = 400
POINTS = 120


@dataclass(eq=False)
class Run:
    """A computation that somebody waits for.

    One thread writes and another reads; each reading is whole, for `snapshot` copies what it needs
    and a list only ever grows.
    """

    total: int
    throws: int = 0
    inside: int = 0
    sample: list[tuple[float, float]] = field(default_factory=list)
    history: list[tuple[int, float]] = field(default_factory=list)
    source: random.Random = field(default_factory=random.Random)

    @property
    def batch(self) -> int:
        """How many throws to make before somebody may look again."""
        return min(max(self.total // POINTS, 1000), 100_000)

    @property
    def is_done(self) -> bool:
        """Whether every throw was made."""
        return self.throws >= self.total

    def throw(self) -> None:
        """Make the next batch of throws."""
        count = min(self.batch, self.total - self.throws)
        random_ = self.source.random
        hits = 0
        for _ in range(count):
            x, y = random_(), random_()
            hits += x * x + y * y <= 1
        self.sample += [(random_(), random_()) for _ in range(4) if len(self.sample) < SHOWN]
        self.inside += hits
        self.throws += count
        if len(self.history) < POINTS or self.is_done:
            self.history.append((self.throws, round(4 * self.inside / self.throws, 6)))
