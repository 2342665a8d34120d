"""The frame's size: H20, the clamps and the loop."""

from __future__ import annotations

from typing import Any

import pytest

from mcpapps_cli.host.effect import Resize, StartTimer
from mcpapps_cli.host.event import ContextChange, TimerFired, ToolInput, ToolInputPartial
from tests.host.rig import Rig, notes, of, sent, steps

WINDOW = TimerFired("size")


def report(rig: Rig, **size: Any) -> list[Resize]:
    return of(rig.notify("ui/notifications/size-changed", size), Resize)


def grow(rig: Rig, start: int, times: int) -> list[Resize]:
    return [r for step in range(times) for r in report(rig, height=start + 10 * step)]


def boxed(**dimensions: Any) -> Rig:
    return Rig(context={"containerDimensions": dimensions}).ready()


def test_h20_a_flexible_height_follows_the_view() -> None:
    rig = Rig().ready()
    assert report(rig, width=600, height=420) == [Resize(None, 420)]


def test_h20_an_unchanged_size_resizes_nothing() -> None:
    rig = Rig().ready()
    assert report(rig, height=150) == []
    assert report(rig, height=151) == [Resize(None, 151)]
    assert report(rig, height=151) == []


def test_h20_the_height_is_clamped_to_its_maximum() -> None:
    assert report(boxed(maxHeight=500), height=4000) == [Resize(None, 500)]


def test_a_height_without_maximum_has_a_ceiling() -> None:
    assert report(Rig().ready(), height=10**9) == [Resize(None, 10_000)]


def test_h20_a_fixed_height_belongs_to_the_host() -> None:
    rig = boxed(height=300)
    assert Resize(None, 300) in rig.started
    assert report(rig, height=900) == []


def test_a_fixed_width_is_the_frames_from_the_start() -> None:
    rig = boxed(width=640)
    assert Resize(640, 150) in rig.started
    assert report(rig, width=900, height=200) == [Resize(None, 200)]


def test_h20_a_flexible_width_follows_the_view_and_is_clamped() -> None:
    rig = boxed(maxWidth=700)
    assert report(rig, width=900) == [Resize(700, None)]
    assert report(rig, width=320) == [Resize(320, None)]


def test_the_start_height_is_clamped_too() -> None:
    assert Resize(None, 100) in boxed(maxHeight=100).started


@pytest.mark.parametrize(("given", "applied"), [(200.1, 201), (200.0, 200), (0.2, 1)])
def test_fractions_are_rounded_up_to_whole_pixels(given: float, applied: int) -> None:
    assert report(Rig().ready(), height=given) == [Resize(None, applied)]


@pytest.mark.parametrize(
    "size",
    [
        {},
        {"height": -1},
        {"height": "300"},
        {"height": True},
        {"height": None},
        {"height": float("nan")},
        {"height": float("inf")},
        {"height": [1]},
    ],
)
def test_what_is_no_size_is_ignored(size: dict[str, Any]) -> None:
    rig = Rig().ready()
    effects = rig.notify("ui/notifications/size-changed", size)
    assert of(effects, Resize) == []
    assert "no usable" in notes(effects)


def test_one_usable_axis_is_enough() -> None:
    assert report(Rig().ready(), width="x", height=10**400) == [Resize(None, 10_000)]


def test_new_container_dimensions_apply_at_once() -> None:
    rig = Rig().ready()
    report(rig, height=800)
    effects = rig.feed(ContextChange({"containerDimensions": {"maxHeight": 500}}))
    assert of(effects, Resize) == [Resize(None, 500)]
    assert [m["params"] for m in sent(effects)] == [{"containerDimensions": {"maxHeight": 500}}]


def test_ten_changes_in_one_direction_are_fine() -> None:
    rig = Rig().ready()
    assert len(grow(rig, 160, 10)) == 10
    assert "one direction" not in notes(rig.all)


def test_the_eleventh_change_in_one_direction_holds_resizing() -> None:
    rig = Rig().ready()
    assert len(grow(rig, 160, 11)) == 10
    assert "changed 11 times in one direction" in notes(rig.all)
    assert grow(rig, 270, 5) == []


def test_at_the_end_of_the_window_the_last_size_is_carried_out() -> None:
    rig = Rig().ready()
    grow(rig, 160, 18)
    assert of(rig.feed(WINDOW), Resize) == [Resize(None, 330)]


def test_an_animation_that_has_ended_is_no_loop() -> None:
    rig = Rig().ready()
    grow(rig, 160, 18)
    rig.feed(WINDOW)
    rig.feed(WINDOW)
    assert report(rig, height=400) == [Resize(None, 400)]
    assert ("painted", "broken", "size-growing") not in steps(rig.all)


def test_a_view_that_answers_its_own_growth_is_a_loop() -> None:
    rig = Rig().ready()
    grow(rig, 160, 11)
    rig.feed(WINDOW)
    effects = rig.notify("ui/notifications/size-changed", {"height": 280})
    assert steps(effects) == [("painted", "broken", "size-growing")]
    assert "resize loop" in notes(effects)
    assert report(rig, height=300) == []
    assert of(rig.feed(WINDOW), Resize) == []


def test_shrinking_without_end_is_a_loop_too() -> None:
    rig = Rig().ready()
    report(rig, height=2000)
    grow(rig, 1000, 1)
    for height in range(990, 880, -10):
        report(rig, height=height)
    rig.feed(WINDOW)
    effects = rig.notify("ui/notifications/size-changed", {"height": 700})
    assert steps(effects) == [("painted", "broken", "size-growing")]


def test_a_change_of_direction_starts_the_count_again() -> None:
    rig = Rig().ready()
    grow(rig, 160, 10)
    report(rig, height=150)
    assert len(grow(rig, 160, 10)) == 10


def test_slow_growth_is_no_loop() -> None:
    rig = Rig().ready()
    for window in range(5):
        assert len(grow(rig, 160 + 100 * window, 10)) == 10
        rig.feed(WINDOW)


def test_growth_that_answers_a_delivery_is_no_loop() -> None:
    rig = Rig().ready()
    grow(rig, 160, 9)
    rig.feed(ToolInput({}))
    assert len(grow(rig, 260, 9)) == 9


def test_growth_after_a_delivery_is_no_loop_even_when_it_was_suspected() -> None:
    rig = Rig().ready()
    grow(rig, 160, 12)
    rig.feed(ToolInputPartial({"text": "a"}))
    rig.feed(WINDOW)
    assert report(rig, height=400) == [Resize(None, 400)]
    grow(rig, 410, 12)
    rig.feed(WINDOW)
    rig.feed(ToolInputPartial({"text": "ab"}))
    assert report(rig, height=600) == [Resize(None, 600)]
    assert ("painted", "broken", "size-growing") not in steps(rig.all)


def test_the_window_is_two_seconds_from_the_first_change() -> None:
    rig = Rig().ready()
    effects = rig.notify("ui/notifications/size-changed", {"height": 200})
    assert StartTimer("size", 2.0) in effects
    effects = rig.notify("ui/notifications/size-changed", {"height": 210})
    assert of(effects, StartTimer) == []


def test_sizes_that_are_none_are_noted_once() -> None:
    rig = Rig().ready()
    shown = [notes(rig.notify("ui/notifications/size-changed", {"height": "x"})) for _ in range(9)]
    assert shown == ["size-changed names no usable width or height", *[""] * 8]
