"""Even rhythms: a number of beats, spread over a number of steps as evenly as they can be."""


def make_rhythm(beats: int, steps: int, turn: int = 0) -> list[bool]:
    """Return which steps have a beat; the first one has, unless `turn` moves it on.

    Raises:
        ValueError: There are more beats than steps.
    """
    if beats > steps:
        raise ValueError(f"{beats} beats do not fit into {steps} steps")
    # The line from 0 to `beats` climbs to a new whole number at each beat.
    return [(step - turn) * beats % steps < beats for step in range(steps)]


def written(rhythm: list[bool]) -> str:
    """Return `x..x..x.` for a rhythm of three beats in eight steps."""
    return "".join("x" if beat else "." for beat in rhythm)
