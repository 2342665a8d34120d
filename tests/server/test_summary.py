"""Words for the model beside typed data for the View."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from enum import Enum
from typing import Any

import jsonschema
import pytest
from mcp.server.mcpserver import Audio, Context, Image, MCPServer
from mcp.types import EmbeddedResource, ResourceLink, TextContent, TextResourceContents
from pydantic import BaseModel, ConfigDict, Field

from mcpapps_cli.model import Era
from mcpapps_cli.server import Apps, with_summary
from tests.server.wire import both_eras, one, talking

pytestmark = pytest.mark.anyio

VIEW = "ui://weather/forecast.html"


class Wind(Enum):
    CALM = "calm"


class Weather(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    city: str
    high: int = Field(le=60)
    wind_force: Wind = Field(default=Wind.CALM, alias="windForce")
    seen: datetime = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def apps_with(summary: Any) -> Apps:
    apps = Apps()
    apps.add_html_resource(VIEW, "<!doctype html>")

    @apps.tool(resource_uri=VIEW, summary=summary)
    def forecast(city: str, high: int = 21) -> Weather:
        return Weather.model_construct(
            city=city, high=high, wind_force=Wind.CALM, seen=datetime(2026, 1, 2, tzinfo=UTC)
        )

    return apps


DATA = {"city": "Oslo", "high": 21, "windForce": "calm", "seen": "2026-01-02T00:00:00Z"}
PNG = base64.b64encode(b"png").decode()
LINK = ResourceLink(type="resource_link", uri="https://a.example/x", name="x")
EMBEDDED = EmbeddedResource(
    type="resource", resource=TextResourceContents(uri="file:///x", text="x")
)


@both_eras
@pytest.mark.parametrize(
    ("made", "blocks"),
    [
        ("21 in Oslo", [{"type": "text", "text": "21 in Oslo"}]),
        (TextContent(type="text", text="t"), [{"type": "text", "text": "t"}]),
        (
            Image(data=b"png", format="png"),
            [{"type": "image", "data": PNG, "mimeType": "image/png"}],
        ),
        (
            Audio(data=b"png", format="wav"),
            [{"type": "audio", "data": PNG, "mimeType": "audio/wav"}],
        ),
        (LINK, [{"type": "resource_link", "uri": "https://a.example/x", "name": "x"}]),
        (EMBEDDED, [{"type": "resource", "resource": {"uri": "file:///x", "text": "x"}}]),
        (
            ["21", ("degrees", None), LINK],
            [
                {"type": "text", "text": "21"},
                {"type": "text", "text": "degrees"},
                {"type": "resource_link", "uri": "https://a.example/x", "name": "x"},
            ],
        ),
    ],
    ids=["text", "block", "image", "audio", "link", "embedded", "several"],
)
async def test_e22_the_summary_is_the_content_and_the_data_is_structured(
    era: Era, made: Any, blocks: list[Any]
) -> None:
    async with talking(apps_with(lambda _: made).server(), era) as client:
        result = await client.call_tool("forecast", {"city": "Oslo"})
        schema = (await one(client, "forecast"))["outputSchema"]
    assert result["content"] == blocks
    assert result["structuredContent"] == DATA
    assert result["isError"] is False
    jsonschema.validate(DATA, schema)
    assert set(schema["properties"]) == set(DATA)


@both_eras
async def test_e22_the_summary_is_made_from_what_the_function_returned(era: Era) -> None:
    summary = lambda weather: f"{weather.high} in {weather.city}, {weather.wind_force.name}"  # noqa: E731
    async with talking(apps_with(summary).server(), era) as client:
        result = await client.call_tool("forecast", {"city": "Oslo", "high": 3})
    assert result["content"] == [{"type": "text", "text": "3 in Oslo, CALM"}]


@both_eras
async def test_e22_data_that_breaks_the_schema_is_an_error_and_not_shown(era: Era) -> None:
    async with talking(apps_with(lambda _: "fine").server(), era) as client:
        result = await client.call_tool("forecast", {"city": "Oslo", "high": 61})
    assert result["isError"] is True
    assert result["content"] == [{"type": "text", "text": "Error executing tool forecast"}]
    assert "structuredContent" not in result


@both_eras
async def test_e22_what_is_no_content_is_an_error(era: Era) -> None:
    async with talking(apps_with(lambda _: 7).server(), era) as client:
        assert (await client.call_tool("forecast", {"city": "Oslo"}))["isError"] is True


@both_eras
async def test_e23_without_a_summary_the_content_is_the_data_as_json(era: Era) -> None:
    async with talking(apps_with(None).server(), era) as client:
        result = await client.call_tool("forecast", {"city": "Oslo"})
    (block,) = result["content"]
    assert '"city": "Oslo"' in block["text"]
    assert result["structuredContent"] == DATA


@pytest.mark.parametrize("nothing", [None, "", [], [None, ""]])
async def test_an_empty_summary_leaves_the_data_as_json(nothing: Any) -> None:
    async with talking(apps_with(lambda _: nothing).server()) as client:
        (block,) = (await client.call_tool("forecast", {"city": "Oslo"}))["content"]
    assert '"city": "Oslo"' in block["text"]


async def test_lists_and_scalars_are_wrapped_as_the_sdk_wraps_them() -> None:
    apps = Apps()
    apps.add_html_resource(VIEW, "<!doctype html>")

    @apps.tool(resource_uri=VIEW, summary=lambda cities: f"{len(cities)} cities")
    async def cities(ctx: Context[Any], first: str = "Oslo") -> list[str]:
        return [first, str(ctx.request_context.method)]

    async with talking(apps.server()) as client:
        result = await client.call_tool("cities", {})
        entry = await one(client, "cities")
    assert result["content"] == [{"type": "text", "text": "2 cities"}]
    assert result["structuredContent"] == {"result": ["Oslo", "tools/call"]}
    assert set(entry["inputSchema"]["properties"]) == {"first"}
    jsonschema.validate(result["structuredContent"], entry["outputSchema"])


async def test_a_server_of_the_sdk_takes_a_function_with_a_summary() -> None:
    mcp = MCPServer("plain")

    def forecast(city: str) -> Weather:
        """What the weather will be."""
        return Weather(city=city, high=1)

    mcp.add_tool(with_summary(forecast, lambda weather: weather.city))
    async with talking(mcp) as client:
        entry = await one(client, "forecast")
        result = await client.call_tool("forecast", {"city": "Oslo"})
    assert entry["description"] == "What the weather will be."
    assert result["content"] == [{"type": "text", "text": "Oslo"}]


class Seen(BaseModel):
    model_config = ConfigDict(strict=True)

    at: datetime
    wind: Wind = Wind.CALM


class Station(BaseModel):
    model_config = ConfigDict(strict=True)

    name: str
    seen: list[Seen]


@both_eras
async def test_a_strict_model_is_not_taken_for_broken(era: Era) -> None:
    apps = Apps()
    apps.add_html_resource(VIEW, "<!doctype html>")

    @apps.tool(resource_uri=VIEW, summary=lambda station: station.name)
    def station() -> Station:
        return Station(name="Oslo", seen=[Seen(at=datetime(2026, 1, 2, tzinfo=UTC))])

    async with talking(apps.server(), era) as client:
        result = await client.call_tool("station", {})
    assert result["content"] == [{"type": "text", "text": "Oslo"}]
    assert result["structuredContent"] == {
        "name": "Oslo",
        "seen": [{"at": "2026-01-02T00:00:00Z", "wind": "calm"}],
    }


def unknown() -> Missing:  # type: ignore[name-defined]  # noqa: F821
    ...


def nothing():  # type: ignore[no-untyped-def]
    ...


def test_a_function_that_says_nothing_typed_can_have_no_summary() -> None:
    from mcp.types import CallToolResult

    def finished() -> CallToolResult: ...  # type: ignore[empty-body]

    def opaque() -> object: ...

    finished.__annotations__ = {"return": CallToolResult}
    for fn, message in (
        (nothing, 'summary= of tool "nothing" needs a return type .* says nothing'),
        (opaque, "says object"),
        (finished, "returns a finished CallToolResult; drop one of the two"),
        (unknown, 'annotations of "unknown" cannot be evaluated: .*Missing'),
    ):
        with pytest.raises(ValueError, match=message):
            with_summary(fn, str)
