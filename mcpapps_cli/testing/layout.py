"""Whether a View fits the frame that its host gives it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mcpapps_cli.testing.fault import Fault

SLACK: Final = 1
"""CSS pixels that rounding may cost."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Sizes of a View in CSS pixels.

    Attributes:
        width: Of its frame.
        height: Of its frame.
        contentWidth: Of its document; 0 when the page hides what is wider.
        contentHeight: Of its document.
    """

    width: int
    height: int
    contentWidth: int
    contentHeight: int


def size_faults(
    layout: Layout, dimensions: Any, *, inline: bool, reported: bool
) -> Iterator[Fault]:
    """Yield what does not fit (specification, Container Dimensions).

    Args:
        layout: As it is measured.
        dimensions: `containerDimensions` of the host context.
        inline: Whether the View is among the messages; elsewhere the host alone sizes it.
        reported: Whether the View ever sent `ui/notifications/size-changed`.
    """
    if layout.contentWidth > layout.width + SLACK:
        yield Fault(
            "size",
            f"the content is {layout.contentWidth} px wide, its frame {layout.width} px",
            "let it wrap or scroll inside an element of its own",
        )
    box = dimensions if isinstance(dimensions, Mapping) else {}
    if not inline or "height" in box:
        # The host fixes the height, and the document may scroll.
        return
    most = box.get("maxHeight")
    if isinstance(most, int | float) and layout.height + SLACK >= most:
        return
    if layout.contentHeight > layout.height + SLACK:
        why = "" if reported else "; it never reported its size"
        yield Fault(
            "size",
            f"the content is {layout.contentHeight} px high, its frame {layout.height} px{why}",
            "send ui/notifications/size-changed, as the bridge does by itself",
        )
