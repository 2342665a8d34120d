"""What the server sends, read as a host reads it."""

import asyncio
import json
from datetime import date
from typing import Any

import pytest
from mcp import Client
from mcp.types import TextResourceContents

from hello_app.rooms import Booking, Calendar, Taken
from hello_app.server import BUILT, calendar, mcp

SATURDAY = "2026-12-05"

PATIENCE = 30
"""Seconds after which a test gives up."""


async def read_everything() -> dict[str, Any]:
    async with Client(mcp) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        listed = {each.name: each for each in (await client.list_resources()).resources}
        listing = listed["booking"]
        [content] = (await client.read_resource(listing.uri)).contents
        wanted = {"title": "Plans", "room": "Cedar", "day": SATURDAY, "start": "09:30"}
        plan = await client.call_tool("plan_booking", wanted)
        before = list(calendar.bookings)
        write = {"title": "Plans", "room": "Cedar", "day": SATURDAY, "start": 570, "minutes": 60}
        booked = await client.call_tool("book_room", write)
        again = await client.call_tool("book_room", write)
        return {
            "tools": tools, "listing": listing, "content": content, "plan": plan,
            "before": before, "booked": booked, "again": again,
        }


@pytest.fixture(scope="module")
def wire() -> dict[str, Any]:
    return asyncio.run(asyncio.wait_for(read_everything(), PATIENCE))


def test_tool_points_at_the_view_with_both_keys(wire: dict[str, Any]) -> None:
    uri = wire["listing"].uri
    meta = wire["tools"]["plan_booking"].meta
    assert meta == {"ui/resourceUri": uri, "ui": {"resourceUri": uri}}


def test_only_the_view_sees_the_tool_that_writes(wire: dict[str, Any]) -> None:
    assert wire["tools"]["book_room"].meta == {"ui": {"visibility": ["app"]}}
    assert wire["tools"]["plan_booking"].annotations.read_only_hint


def test_view_is_the_bundle_and_its_metadata_agrees(wire: dict[str, Any]) -> None:
    bundle = json.loads((BUILT / "booking.json").read_text("utf-8"))
    assert isinstance(wire["content"], TextResourceContents)
    assert wire["content"].text == (BUILT / "booking.html").read_text("utf-8")
    assert wire["content"].mime_type == "text/html;profile=mcp-app"
    assert wire["content"].meta == wire["listing"].meta == bundle["_meta"]


def test_planning_books_nothing_and_says_so(wire: dict[str, Any]) -> None:
    text = wire["plan"].content[0].text
    assert text.startswith("Cedar is free on Saturday 5 December from 9:30 to 10:30. Nothing is")
    assert wire["plan"].structured_content["draft"] == {
        "title": "Plans", "room": "Cedar", "start": 570, "minutes": 60,
    }
    assert wire["before"] == []


def test_a_room_is_booked_once(wire: dict[str, Any]) -> None:
    assert not wire["booked"].is_error
    assert len(calendar.bookings) == 1
    assert wire["again"].is_error
    assert "Cedar is taken on Saturday" in wire["again"].content[0].text


def test_a_booking_may_begin_when_another_ends() -> None:
    rooms, day = Calendar(), date(2026, 12, 5)
    rooms.book(Booking("one", "Oak", day, 600, 60))
    rooms.book(Booking("two", "Oak", day, 660, 30))
    with pytest.raises(Taken):
        rooms.book(Booking("three", "Oak", day, 630, 60))


@pytest.mark.parametrize(("start", "minutes"), [(450, 60), (1050, 60), (575, 60), (600, 0)])
def test_times_outside_the_day_or_off_the_half_hour_are_refused(start: int, minutes: int) -> None:
    with pytest.raises(ValueError, match="is not between 8:00 and 18:00"):
        Calendar().book(Booking("x", "Oak", date(2026, 12, 5), start, minutes))
