"""What the server sends, read as a host reads it."""

import json
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.types import TextResourceContents

from hello_app.daylight import LATITUDES, daylight_hours
from hello_app.server import BUILT, mcp


async def read_everything() -> dict[str, Any]:
    async with Client(mcp) as client:
        [tool] = (await client.list_tools()).tools
        [listing] = (await client.list_resources()).resources
        [content] = (await client.read_resource(listing.uri)).contents
        result = await client.call_tool(tool.name, {"place": "Oslo", "month": 6})
        return {"tool": tool, "listing": listing, "content": content, "result": result}


@pytest.fixture(scope="module")
def wire() -> dict[str, Any]:
    return anyio.run(read_everything)


def test_tool_points_at_the_view_with_both_keys(wire: dict[str, Any]) -> None:
    uri = wire["listing"].uri
    assert wire["tool"].meta == {"ui/resourceUri": uri, "ui": {"resourceUri": uri}}


def test_view_is_the_bundle_and_its_metadata_agrees(wire: dict[str, Any]) -> None:
    bundle = json.loads((BUILT / "daylight.json").read_text("utf-8"))
    assert isinstance(wire["content"], TextResourceContents)
    assert wire["content"].text == (BUILT / "daylight.html").read_text("utf-8")
    assert wire["content"].mime_type == "text/html;profile=mcp-app"
    assert wire["content"].meta == wire["listing"].meta == bundle["_meta"]


def test_result_has_text_for_the_model_and_data_for_the_view(wire: dict[str, Any]) -> None:
    result = wire["result"]
    assert not result.is_error
    assert result.content[0].text.startswith("Oslo has 18 h ")
    assert result.structured_content["place"] == "Oslo"
    assert len(result.structured_content["hours"]) == 12


@pytest.mark.parametrize("day", [80, 264])
def test_day_and_night_are_equal_at_the_equinox(day: int) -> None:
    for latitude in LATITUDES.values():
        assert daylight_hours(latitude, day) == pytest.approx(12, abs=0.6)


def test_sun_neither_rises_nor_sets_in_the_far_north() -> None:
    assert daylight_hours(LATITUDES["Longyearbyen"], 355) == 0
    assert daylight_hours(LATITUDES["Longyearbyen"], 172) == 24
