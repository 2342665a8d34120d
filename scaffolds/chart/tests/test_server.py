"""What the server sends, read as a host reads it."""

import asyncio
import json
from typing import Any

import pytest
from mcp import Client
from mcp.types import TextResourceContents

from hello_app.figures import Peak, peak, spoken, totals
from hello_app.server import BUILT, mcp

RAIN = {
    "title": "Rain",
    "unit": "mm",
    "series": ["Bergen", "Oslo"],
    "rows": [{"label": "May", "values": [106, 53.5]}, {"label": "June", "values": [132, 65]}],
}

PATIENCE = 30
"""Seconds after which a test gives up."""


async def read_everything() -> dict[str, Any]:
    async with Client(mcp) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        tool = tools["show_chart"]
        listed = {each.name: each for each in (await client.list_resources()).resources}
        listing = listed["chart"]
        [content] = (await client.read_resource(listing.uri)).contents
        result = await client.call_tool(tool.name, RAIN)
        uneven = await client.call_tool(tool.name, {**RAIN, "series": ["Bergen"]})
        return {
            "tool": tool, "listing": listing, "content": content, "result": result,
            "uneven": uneven,
        }


@pytest.fixture(scope="module")
def wire() -> dict[str, Any]:
    return asyncio.run(asyncio.wait_for(read_everything(), PATIENCE))


def test_tool_points_at_the_view_with_both_keys(wire: dict[str, Any]) -> None:
    uri = wire["listing"].uri
    assert wire["tool"].meta == {"ui/resourceUri": uri, "ui": {"resourceUri": uri}}


def test_view_is_the_bundle_and_its_metadata_agrees(wire: dict[str, Any]) -> None:
    bundle = json.loads((BUILT / "chart.json").read_text("utf-8"))
    assert isinstance(wire["content"], TextResourceContents)
    assert wire["content"].text == (BUILT / "chart.html").read_text("utf-8")
    assert wire["content"].mime_type == "text/html;profile=mcp-app"
    assert wire["content"].meta == wire["listing"].meta == bundle["_meta"]


def test_result_has_text_for_the_model_and_data_for_the_view(wire: dict[str, Any]) -> None:
    result = wire["result"]
    assert result.content[0].text == (
        "Rain: 2 rows; in total Bergen 238 mm, Oslo 118.5 mm. "
        "The highest value is 132 mm (Bergen, June)."
    )
    assert result.structured_content == {**RAIN, "totals": [238, 118.5]}


def test_a_row_without_a_value_for_each_series_is_refused(wire: dict[str, Any]) -> None:
    assert wire["uneven"].is_error
    assert 'row "May" has 2 values for 1 series' in wire["uneven"].content[0].text


def test_series_come_before_rows_so_that_rows_can_be_drawn_as_they_are_written(
    wire: dict[str, Any],
) -> None:
    assert list(wire["tool"].input_schema["properties"])[:3] == ["title", "series", "rows"]


def test_the_first_of_the_largest_values_is_the_peak() -> None:
    assert peak(["a", "b"], ["x", "y"], [[1, 5], [5, 2]]) == Peak("x", "b", 5)


def test_totals_have_no_noise_of_binary_fractions() -> None:
    assert totals([[0.1], [0.2]]) == [0.3]
    assert spoken(1234.5, "mm") == "1,234.5 mm"
