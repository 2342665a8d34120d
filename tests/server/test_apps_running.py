"""What a server made with `Apps` answers, tells its clients and logs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import pytest
from mcp import Client
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resources import TextResource
from mcp.shared.exceptions import MCPError
from mcp.types import Annotations, CallToolResult, TextContent
from pydantic import BaseModel, Field, WithJsonSchema

from mcpapps_cli.errors import RpcError
from mcpapps_cli.model import Era, ServerSpec
from mcpapps_cli.rpc import connect
from mcpapps_cli.server import (
    Apps,
    notify_resource_updated,
    notify_resources_changed,
    reference_warnings,
    tool_meta,
)
from tests.server.forecast import MIME, VIEW, lambda_free, with_view
from tests.server.wire import both_eras, listening, one, talking, text

pytestmark = pytest.mark.anyio


class Weather(BaseModel):
    city: str
    high: int


@both_eras
async def test_k34_k35_what_a_function_returns_decides_schema_and_content(era: Era) -> None:
    apps = with_view()

    @apps.tool(resource_uri=VIEW)
    def model(city: str) -> Weather:
        return Weather(city=city, high=21)

    @apps.tool(resource_uri=VIEW, structured_output=False)
    def words() -> str:
        return "sun"

    @apps.tool(resource_uri=VIEW)
    def finished() -> CallToolResult:
        return CallToolResult(content=[TextContent(type="text", text="as it is")])

    async with talking(apps.server(), era) as client:
        assert (await one(client, "model"))["outputSchema"]["required"] == ["city", "high"]
        result = await client.call_tool("model", {"city": "Oslo"})
        assert result["structuredContent"] == {"city": "Oslo", "high": 21}
        for name, said in (("words", "sun"), ("finished", "as it is")):
            assert "outputSchema" not in await one(client, name)
            result = await client.call_tool(name, {})
            assert result["content"] == [{"type": "text", "text": said}]
            assert "structuredContent" not in result


UNITS = {"type": "string", "enum": ["c", "f"]}


@both_eras
async def test_k36_the_schema_of_a_parameter_can_be_refined_or_replaced(era: Era) -> None:
    apps = with_view()

    @apps.tool(resource_uri=VIEW, summary=lambda weather: weather.city)
    def forecast(
        days: Annotated[int, Field(ge=1, le=7, description="How many")] = 3,
        unit: Annotated[str, WithJsonSchema(UNITS)] = "c",
        city: Annotated[str, Field(pattern="^[A-Z]")] = "Oslo",
    ) -> Weather:
        return Weather(city=city, high=days)

    async with talking(apps.server(), era) as client:
        schema = (await one(client, "forecast"))["inputSchema"]["properties"]
        refused = await client.call_tool("forecast", {"days": 9})
    days = {key: schema["days"][key] for key in ("minimum", "maximum", "default", "description")}
    assert days == {"minimum": 1, "maximum": 7, "default": 3, "description": "How many"}
    assert schema["unit"]["enum"] == ["c", "f"]
    assert schema["city"]["pattern"] == "^[A-Z]"
    assert refused["isError"] is True


@both_eras
async def test_k39_what_only_the_view_may_see_travels_in_the_results_meta(era: Era) -> None:
    apps = with_view()

    @apps.tool(resource_uri=VIEW)
    def forecast() -> Annotated[CallToolResult, Weather]:
        return CallToolResult(
            content=[TextContent(type="text", text="sun")],
            structured_content={"city": "Oslo", "high": 21},
            _meta={"example.com/token": "t"},
        )

    async with talking(apps.server(), era) as client:
        result = await client.call_tool("forecast", {})
    assert result["_meta"]["example.com/token"] == "t"
    assert result["content"] == [{"type": "text", "text": "sun"}]
    assert result["structuredContent"] == {"city": "Oslo", "high": 21}


async def test_k12_a_change_is_told_to_those_who_listen() -> None:
    apps = with_view()

    @apps.tool(visibility=["app"])
    async def change(ctx: Context[Any]) -> str:
        await notify_resource_updated(ctx, VIEW)
        await notify_resource_updated(ctx, "ui://unheard")
        await notify_resources_changed(ctx)
        return "done"

    async with (
        Client(apps.server()) as client,
        client.listen(resources_list_changed=True, resource_subscriptions=[VIEW]) as heard,
    ):
        await client.call_tool("change", {})
        async with asyncio.timeout(30):
            events = [await anext(heard), await anext(heard)]
    kinds = [(type(event).__name__, getattr(event, "uri", None)) for event in events]
    assert kinds == [("ResourceUpdated", VIEW), ("ResourcesListChanged", None)]


async def test_k12_a_client_of_the_older_era_is_told_of_changed_lists_only() -> None:
    apps = with_view()

    @apps.tool(visibility=["app"])
    async def change(ctx: Context[Any]) -> str:
        await notify_resource_updated(ctx, VIEW)
        await notify_resources_changed(ctx)
        return "done"

    heard: asyncio.Queue[str] = asyncio.Queue()
    async with (
        listening(apps.server()) as url,
        connect(
            ServerSpec(url=url),
            era="legacy",
            on_notification=lambda method, params: heard.put_nowait(method),
        ) as client,
    ):
        await client.call_tool("change", {})
        async with asyncio.timeout(30):
            assert await heard.get() == "notifications/resources/list_changed"
        assert heard.empty()


async def test_k12_outside_of_a_request_nothing_is_sent() -> None:
    await notify_resources_changed(Context())
    await notify_resource_updated(Context(), VIEW)


LISTED = [{"uri": VIEW, "mimeType": MIME}, {"uri": "ui://plain", "mimeType": "text/html"}]


@pytest.mark.parametrize(
    ("uri", "found"),
    [
        (VIEW, True),
        ("ui://missing", False),
        ("ui://w/oslo/5", True),
        ("ui://w/oslo", False),
        ("ui://w/oslo/5/6", False),
        ("ui://w//5", False),
        ("ui://v/a.html", True),
        ("ui://v/a/b.html", False),
        ("ui://v/.html", False),
        ("ui://q/x?unit=c", True),
        ("ui://q/x", True),
        ("ui://deep/a/b/c", True),
    ],
)
def test_k21_k22_a_tools_view_must_be_listed_or_matched_by_a_template(
    uri: str, found: bool
) -> None:
    templates = [
        {"uriTemplate": template, "mimeType": MIME}
        for template in (
            "ui://w/{city}/{days}",
            "ui://v/{name}.html",
            "ui://q/x{?unit}",
            "ui://deep/{+path}",
        )
    ]
    tools = [{"name": "t", "_meta": {"ui": {"resourceUri": uri}}}, {"name": "u"}]
    warnings = reference_warnings(tools, LISTED, templates)
    expected = (
        f'tool "t" names "{uri}", which is neither a registered resource nor matched by a template'
    )
    assert warnings == (() if found else (expected,))


def test_k21_a_view_of_another_media_type_is_named() -> None:
    tools = [{"name": "t", "_meta": {"ui/resourceUri": "ui://plain"}}]
    assert reference_warnings(tools, LISTED) == (
        f'tool "t" names "ui://plain", whose media type is "text/html" and not "{MIME}"',
    )


@both_eras
async def test_k21_dangling_references_are_logged_at_start_and_stop_nothing(
    era: Era, caplog: pytest.LogCaptureFixture
) -> None:
    mcp = with_view().server()
    mcp.tool(name="late", meta=tool_meta("ui://missing"))(lambda_free)
    mcp.tool(name="fine", meta=tool_meta(VIEW))(lambda_free)
    with caplog.at_level(logging.WARNING, "mcpapps_cli.server"):
        async with talking(mcp, era) as client:
            assert len(await client.list_tools()) == 2
    assert [record.getMessage() for record in caplog.records if "names" in record.getMessage()] == [
        'tool "late" names "ui://missing", which is neither a registered resource nor matched by '
        "a template"
    ]


async def test_the_authors_own_lifespan_is_kept() -> None:
    steps: list[str] = []

    @asynccontextmanager
    async def lifespan(mcp: MCPServer[Any]) -> AsyncIterator[str]:
        steps.append("start")
        yield "state"
        steps.append("stop")

    mcp = with_view().server(lifespan=lifespan)

    @mcp.tool()
    def state(ctx: Context[Any]) -> str:
        return str(ctx.request_context.lifespan_context)

    async with talking(mcp) as client:
        assert await text(client, "state") == "state"
    assert steps == ["start", "stop"]


@both_eras
async def test_e24_the_models_mistakes_are_results_and_crashes_say_nothing(era: Era) -> None:
    apps = with_view()

    @apps.tool(resource_uri=VIEW, summary=lambda weather: weather.city)
    def forecast(how: int) -> Weather:
        if how == 1:
            raise ToolError("no weather today")
        if how == 2:
            raise KeyError("secret")
        raise MCPError(code=-32000, message="refused", data={"why": 1})

    async with talking(apps.server(), era) as client:
        invalid = await client.call_tool("forecast", {"how": "many"})
        declared = await client.call_tool("forecast", {"how": 1})
        crashed = await client.call_tool("forecast", {"how": 2})
        with pytest.raises(RpcError) as refused:
            await client.call_tool("forecast", {"how": 3})
    assert [each["isError"] for each in (invalid, declared, crashed)] == [True, True, True]
    assert "how" in invalid["content"][0]["text"]
    assert declared["content"][0]["text"] == "Error executing tool forecast: no weather today"
    assert crashed["content"][0]["text"] == "Error executing tool forecast"
    assert (refused.value.code, refused.value.message) == (-32000, "refused")
    assert refused.value.data == {"why": 1}


def test_annotations_of_a_resource_are_the_sdks() -> None:
    apps = Apps()
    apps.add_resource(TextResource(uri=VIEW, text="", annotations=Annotations(priority=1.0)))
    assert apps.resources()[0].resource.annotations == Annotations(priority=1.0)
