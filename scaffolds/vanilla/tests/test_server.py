"""What the server sends, read as a host reads it."""

import json
from typing import Any

import anyio
import pytest
from host import connect

from hello_app.daylight import LATITUDES, daylight_hours
from hello_app.server import BUILT, mcp


async def read_everything() -> dict[str, Any]:
    async with connect(mcp) as host:
        tool = (await host.list_tools())["show_daylight"]
        listing = next(each for each in await host.list_resources() if each["name"] == "daylight")
        content = await host.read_resource(listing["uri"])
        result = await host.call_tool(tool["name"], {"place": "Oslo", "month": 6})
        return {"tool": tool, "listing": listing, "content": content, "result": result}


@pytest.fixture(scope="module")
def wire() -> dict[str, Any]:
    return anyio.run(read_everything)


def test_tool_points_at_the_view_with_both_keys(wire: dict[str, Any]) -> None:
    uri, meta = wire["listing"]["uri"], wire["tool"]["_meta"]
    assert meta["ui"] == {"resourceUri": uri}
    assert meta["ui/resourceUri"] == uri


def test_view_is_the_bundle_and_its_metadata_agrees(wire: dict[str, Any]) -> None:
    bundle = json.loads((BUILT / "daylight.json").read_text("utf-8"))
    assert wire["content"]["text"] == (BUILT / "daylight.html").read_text("utf-8")
    assert wire["content"]["mimeType"] == "text/html;profile=mcp-app"
    ui = bundle["_meta"]["ui"]
    assert wire["content"]["_meta"]["ui"] == wire["listing"]["_meta"]["ui"] == ui


def test_result_has_text_for_the_model_and_data_for_the_view(wire: dict[str, Any]) -> None:
    result = wire["result"]
    assert not result.get("isError")
    assert result["content"][0]["text"].startswith("Oslo has 18 h ")
    assert result["structuredContent"]["place"] == "Oslo"
    assert len(result["structuredContent"]["hours"]) == 12


@pytest.mark.parametrize("day", [80, 264])
def test_day_and_night_are_equal_at_the_equinox(day: int) -> None:
    for latitude in LATITUDES.values():
        assert daylight_hours(latitude, day) == pytest.approx(12, abs=0.6)


def test_sun_neither_rises_nor_sets_in_the_far_north() -> None:
    assert daylight_hours(LATITUDES["Longyearbyen"], 355) == 0
    assert daylight_hours(LATITUDES["Longyearbyen"], 172) == 24
