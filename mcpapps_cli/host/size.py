"""The size of the frame: what the View reports, clamped, and growth without end stopped."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from mcpapps_cli.host.effect import Effect, Note, Resize, StartTimer
from mcpapps_cli.model import JsonObject

TIMER = "size"
WINDOW_SECONDS = 2.0
RUN_MAX = 10
"""More changes than this in one direction within the window look like a loop."""
CEILING = 10_000
"""No View gets more CSS pixels than this on an axis without `maxHeight` or `maxWidth`."""


class Size:
    """The frame of one View.

    A fixed axis (`height`, `width`) belongs to the host and reports on it are ignored; a flexible
    one follows the reports up to its maximum (specification, Container Dimensions). The width
    of a host that says nothing of its container is the host's.

    When the height changes more than `RUN_MAX` times in one direction within `WINDOW_SECONDS`,
    resizing is held. At the end of the window the last report is carried out: an animation is
    over by then. If the View goes on in that direction, it answers its own growth, and it is
    never resized again.

    Attributes:
        looping: Whether the frame is never resized again.
        reported: Whether the View ever reported a size.
        heights: The changes of this window, in one direction.
        run: The newest changes in one direction, over all windows.
    """

    def __init__(self, start_height: int):
        self.looping = False
        self.reported = False
        self.heights: list[int] = []
        self.run: deque[int] = deque(maxlen=4 * RUN_MAX)
        self._start_height = start_height
        self._dimensions: JsonObject | None = None
        self._width: int | None = None
        self._height: int | None = start_height
        self._wanted: JsonObject = {}
        self._inline = True
        self._faulted = False
        self._timing = self._held = self._suspect = self._excused = False
        self._direction = 0

    @property
    def follows_height(self) -> bool:
        """Whether the frame's height is the View's to report."""
        return "height" not in (self._dimensions or {})

    def start(self, dimensions: object) -> Iterator[Effect]:
        """Yield the first size."""
        self._dimensions = dimensions if isinstance(dimensions, Mapping) else None
        self._height = self._limit("height", self._start_height)
        self._width = self._limit("width", None)
        yield Resize(self._width, self._height)

    def resize_container(self, dimensions: object) -> Iterator[Effect]:
        """Take new `containerDimensions`."""
        self._dimensions = dimensions if isinstance(dimensions, Mapping) else None
        yield from self._apply(
            self._limit("width", self._width), self._limit("height", self._height)
        )

    def set_mode(self, mode: str) -> Iterator[Effect]:
        """Take a new display mode; outside `inline` the host alone sizes the frame."""
        was_inline, self._inline = self._inline, mode == "inline"
        if self._inline and not was_inline:
            yield Resize(self._width, self._height)

    def delivered(self) -> None:
        """Note that the View was told something; growth after that is an answer to it."""
        self.heights.clear()
        self.run.clear()
        self._suspect, self._excused = False, self._held

    def report(self, params: JsonObject) -> Iterator[Effect]:
        """Take `ui/notifications/size-changed`."""
        width, height = _pixels(params.get("width")), _pixels(params.get("height"))
        if width is None and height is None:
            if not self._faulted:
                self._faulted = True
                text = "size-changed names no usable width or height"
                yield Note("warning", text, dict(params), "fault")
            return
        self.reported = True
        if self.looping:
            return
        width = self._width if width is None else self._limit("width", width)
        height = self._height if height is None else self._limit("height", height)
        yield from self._count(height)
        if not self._held and not self.looping:
            yield from self._apply(width, height)
        else:
            self._wanted = {"width": width, "height": height}

    def window_ended(self) -> Iterator[Effect]:
        """Take the end of the timer `TIMER`."""
        held = self._held
        self._suspect = held and not self._excused
        self._timing = self._held = self._excused = False
        self.heights.clear()
        if held:
            self._timing = True
            yield StartTimer(TIMER, WINDOW_SECONDS)
            yield from self._apply(self._wanted.get("width"), self._wanted.get("height"))

    def _count(self, height: int | None) -> Iterator[Effect]:
        last = self.heights[-1] if self.heights else self._height
        if height is None or last is None or height == last:
            return
        direction = 1 if height > last else -1
        if direction != self._direction:
            self._direction, self._suspect = direction, False
            self.heights.clear()
            self.run.clear()
        self.run.append(height)
        if self._suspect:
            self.looping = True
            text = "resize loop: the frame is no longer resized"
            yield Note("error", text, list(self.run), "fault")
            return
        self.heights.append(height)
        if not self._timing:
            self._timing = True
            yield StartTimer(TIMER, WINDOW_SECONDS)
        if len(self.heights) > RUN_MAX and not self._held:
            self._held = True
            yield Note(
                "warning",
                f"the height changed {len(self.heights)} times in one direction within "
                f"{WINDOW_SECONDS:g} s; resizing waits for the View to settle",
                list(self.heights),
            )
        del self.heights[: -4 * RUN_MAX]

    def _apply(self, width: int | None, height: int | None) -> Iterator[Effect]:
        new_width = width if width != self._width else None
        new_height = height if height != self._height else None
        self._width, self._height = width, height
        if self._inline and (new_width is not None or new_height is not None):
            yield Resize(new_width, new_height)

    def _limit(self, axis: str, wanted: int | None) -> int | None:
        box = self._dimensions
        if box is None:
            return None if axis == "width" or wanted is None else min(wanted, CEILING)
        fixed = _pixels(box.get(axis))
        if fixed is not None:
            return min(fixed, CEILING)
        most = _pixels(box.get("maxHeight" if axis == "height" else "maxWidth"))
        return wanted if wanted is None else min(wanted, CEILING if most is None else most)


def _pixels(value: Any) -> int | None:
    """Return whole CSS pixels, or None for what is no size."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    # The comparison also refuses NaN and numbers too large for a float.
    if not 0 <= value < math.inf:
        return None
    return math.ceil(min(value, CEILING))
