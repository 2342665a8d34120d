"""What a table of figures says in words and numbers."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Peak:
    """The largest value, and where it stands."""

    label: str
    series: str
    value: float


def totals(rows: Sequence[Sequence[float]]) -> list[float]:
    """Return the sum of each column."""
    return [round(sum(column), 6) for column in zip(*rows, strict=True)]


def peak(series: Sequence[str], labels: Sequence[str], rows: Sequence[Sequence[float]]) -> Peak:
    """Return the largest value; the first one when there are several."""
    places = [(row, column) for row in range(len(rows)) for column in range(len(series))]
    row, column = max(places, key=lambda place: rows[place[0]][place[1]])
    return Peak(labels[row], series[column], rows[row][column])


def spoken(value: float, unit: str) -> str:
    """Return `1,234.5 mm`."""
    text = f"{value:,.2f}".rstrip("0").rstrip(".")
    return f"{text} {unit}".strip()
