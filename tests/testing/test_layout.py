"""What fits (specification, Container Dimensions), by arithmetic."""

from __future__ import annotations

from typing import Any

import pytest

from mcpapps_cli.testing.layout import Layout, size_faults

FLEXIBLE = {"width": 720, "maxHeight": 600}


def found(layout: Layout, dimensions: Any = FLEXIBLE, **more: Any) -> list[str]:
    options = {"inline": True, "reported": True, **more}
    return [fault.text for fault in size_faults(layout, dimensions, **options)]


@pytest.mark.parametrize(
    ("layout", "dimensions"),
    [
        (Layout(720, 300, 720, 300), FLEXIBLE),
        (Layout(720, 300, 721, 301), FLEXIBLE),
        (Layout(720, 600, 720, 2000), FLEXIBLE),
        (Layout(768, 400, 768, 2000), {"height": 400, "maxWidth": 768}),
        (Layout(720, 300, 720, 300), None),
    ],
)
def test_what_fits_or_may_scroll_is_no_fault(layout: Layout, dimensions: Any) -> None:
    assert found(layout, dimensions) == []


def test_a_document_wider_than_its_frame_is_one() -> None:
    assert found(Layout(320, 300, 500, 300)) == ["the content is 500 px wide, its frame 320 px"]


def test_a_document_higher_than_a_frame_that_follows_it_is_one() -> None:
    assert found(Layout(720, 150, 720, 400), reported=False) == [
        "the content is 400 px high, its frame 150 px; it never reported its size"
    ]


def test_outside_the_conversation_the_host_alone_sizes_a_view() -> None:
    assert found(Layout(720, 150, 720, 400), None, inline=False) == []
