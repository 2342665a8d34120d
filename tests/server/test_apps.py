"""Registering tools and Views, seen on the raw wire in both eras."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import pytest
from mcp import Client, types
from mcp.server.extension import Extension
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resources import BinaryResource, TextResource
from mcp.shared.exceptions import MCPError
from mcp.types import Annotations, CallToolResult, Icon, TextContent, ToolAnnotations
from pydantic import BaseModel, Field, WithJsonSchema

from mcpapps_cli.errors import RpcError
from mcpapps_cli.model import Era, ServerSpec
from mcpapps_cli.rpc import connect
from mcpapps_cli.server import (
    Apps,
    capability,
    client_supports,
    notify_resource_updated,
    notify_resources_changed,
    reference_warnings,
    tool_meta,
    ui_content,
    ui_resource,
)
from tests.server.wire import both_eras, content, listening, one, talking, text

pytestmark = pytest.mark.anyio

VIEW = "ui://weather/forecast.html"
HTML = "<!doctype html><p>é</p>"
MIME = "text/html;profile=mcp-app"
UI = {
    "csp": {
        "connectDomains": ["https://api.example.com"],
        "resourceDomains": [],
        "frameDomains": [],
        "baseUriDomains": [],
    },
    "permissions": {"clipboardWrite": {}},
    "prefersBorder": True,
}


def with_view(**settings: Any) -> Apps:
    apps = Apps(**settings)
    apps.add_html_resource(
        VIEW,
        HTML,
        name="forecast",
        csp={"connectDomains": ["https://api.example.com"]},
        permissions=["clipboardWrite"],
        prefers_border=True,
    )
    return apps


@both_eras
async def test_e5_e8_e20_k8_k25_a_view_is_listed_and_read_with_one_metadata(era: Era) -> None:
    apps = with_view()

    @apps.tool(resource_uri=VIEW)
    def forecast() -> str:
        return "sun"

    async with talking(apps.server("weather"), era) as client:
        assert (await one(client, "forecast"))["_meta"]["ui"]["resourceUri"] == VIEW
        assert await client.list_resources() == [
            {"uri": VIEW, "name": "forecast", "mimeType": MIME, "_meta": {"ui": UI}}
        ]
        assert await content(client, VIEW) == {
            **{"uri": VIEW, "mimeType": MIME, "text": HTML},
            "_meta": {"ui": UI},
        }


async def test_e6_r8_k28_a_uri_that_is_not_ui_is_refused_and_nothing_is_registered() -> None:
    apps = Apps()
    page = apps.page
    for register in (
        lambda: apps.add_html_resource("https://x", HTML),
        lambda: apps.add_resource(TextResource(uri="https://x", text=HTML)),
        lambda: page("https://x"),
    ):
        with pytest.raises(ValueError, match='uri "https://x" must start with "ui://"'):
            register()
    assert list(apps.resources()) == []


@both_eras
async def test_e7_e21_r9_the_media_type_is_on_the_listing_and_on_every_content(era: Era) -> None:
    apps = Apps()
    apps.add_resource(TextResource(uri="ui://t", text=HTML))
    apps.add_resource(BinaryResource(uri="ui://b", data=HTML.encode()))

    @apps.page("ui://p")
    def page() -> str:
        return HTML

    with pytest.raises(ValueError, match="text/html"):
        apps.add_resource(TextResource(uri="ui://x", text=HTML, mime_type="text/html"))
    async with talking(apps.server(), era) as client:
        listed = {entry["uri"]: entry["mimeType"] for entry in await client.list_resources()}
        assert listed == {"ui://t": MIME, "ui://b": MIME, "ui://p": MIME}
        for uri in listed:
            item = await content(client, uri)
            assert (item["uri"], item["mimeType"]) == (uri, MIME)
            assert ("blob" in item) is (uri == "ui://b")


@both_eras
async def test_e9_r6_k20_a_view_declares_the_extension_in_the_handshake(era: Era) -> None:
    async with talking(with_view().server(), era) as client:
        assert client.capabilities["extensions"] == {
            "io.modelcontextprotocol/ui": {"mimeTypes": [MIME]}
        }


@both_eras
async def test_e9_a_template_is_a_view_too(era: Era) -> None:
    apps = Apps()

    @apps.page("ui://weather/{city}.html")
    def page(city: str) -> str:
        return city

    async with talking(apps.server(), era) as client:
        assert "io.modelcontextprotocol/ui" in client.capabilities["extensions"]


@both_eras
async def test_e9_a_server_without_a_view_does_not_declare_it(era: Era) -> None:
    apps = Apps()

    @apps.tool(visibility=["app"])
    def poll() -> str:
        return "x"

    async with talking(apps.server(), era) as client:
        assert "extensions" not in client.capabilities
        assert (await one(client, "poll"))["_meta"]["ui"] == {"visibility": ["app"]}


class Other(Extension):
    identifier = "com.example/other"

    def settings(self) -> dict[str, Any]:
        return {"x": 1}


@both_eras
async def test_e10_r22_other_extensions_and_explicit_settings_are_kept(era: Era) -> None:
    apps = with_view(settings={"mimeTypes": ["text/html"], "y": 2})
    async with talking(apps.server(extensions=[Other()]), era) as client:
        assert client.capabilities["extensions"] == {
            "io.modelcontextprotocol/ui": {"mimeTypes": ["text/html"], "y": 2},
            "com.example/other": {"x": 1},
        }


@both_eras
async def test_e11_e15_r12_other_metadata_of_a_tool_stands_beside_ui(era: Era) -> None:
    apps = with_view()

    @apps.tool(resource_uri=VIEW, visibility=["model"], meta={"example.com/k": {"n": 1}})
    def forecast() -> str:
        return "sun"

    async with talking(apps.server(), era) as client:
        assert (await one(client, "forecast"))["_meta"] == {
            "example.com/k": {"n": 1},
            "ui": {"resourceUri": VIEW, "visibility": ["model"]},
        }


async def test_e12_e13_k27_a_refused_tool_leaves_nothing_behind() -> None:
    apps = with_view()
    refused: list[tuple[dict[str, Any], str]] = [
        ({"resource_uri": VIEW, "meta": {"ui": {}}}, 'meta has the key "ui"'),
        ({"resource_uri": "https://x"}, 'resource_uri "https://x" must start with "ui://"'),
        ({"resource_uri": VIEW, "visibility": ["modle"]}, "visibility entry 'modle'"),
        ({}, "resource_uri and visibility are both None"),
        ({"resource_uri": VIEW, "wrong": 1}, "wrong= is no option of a tool"),
        ({"resource_uri": VIEW, "summary": str}, "needs a return type that has a JSON Schema"),
    ]
    for options, message in refused:
        with pytest.raises(ValueError, match=message):
            apps.tool(**options)(lambda_free)
    assert list(apps.tools()) == []
    with pytest.raises(ValueError, match=r"fn 'bad' makes no tool: .*cannot start with '_'"):
        apps.tool(resource_uri=VIEW)(bad)
    assert list(apps.tools()) == []
    apps.tool(resource_uri=VIEW)(lambda_free)
    with pytest.raises(ValueError, match='tool "lambda_free" is registered already'):
        apps.tool(resource_uri=VIEW)(lambda_free)
    assert len(apps.tools()) == 1


def lambda_free():  # type: ignore[no-untyped-def]
    """A tool that says nothing about what it returns."""


def bad(_private: int) -> str:
    return ""


def test_k9_what_belongs_to_a_view_is_refused_on_a_tool() -> None:
    apps = with_view()
    for option in ("csp", "permissions", "domain", "prefersBorder", "prefers_border"):
        with pytest.raises(ValueError, match=f"{option}= says something about a View"):
            apps.tool(resource_uri=VIEW, **{option: {}})


async def test_k27_a_refused_view_leaves_nothing_behind() -> None:
    apps = Apps()
    refused: list[tuple[dict[str, Any], str]] = [
        ({"csp": {"connectDomains": ["nowhere"]}}, "nowhere"),
        ({"permissions": ["usb"]}, "usb"),
        ({"html": b""}, "html b'' must be a string"),
    ]
    for options, message in refused:
        with pytest.raises(ValueError, match=message):
            apps.add_html_resource(**{"uri": VIEW, "html": HTML, **options})
    with pytest.raises(ValueError, match="/_meta/ui/csp must be an object"):
        apps.add_resource(TextResource(uri=VIEW, text=HTML, meta={"ui": {"csp": []}}))
    assert list(apps.resources()) == []
    apps.add_html_resource(VIEW, HTML)
    with pytest.raises(ValueError, match=f'uri "{VIEW}" is registered already'):
        apps.add_html_resource(VIEW, HTML)


def test_k27_a_tool_whose_view_is_missing_makes_no_server() -> None:
    apps = Apps()
    apps.tool(resource_uri=VIEW)(lambda_free)
    with pytest.raises(ValueError, match=f'"{VIEW}" of tool "lambda_free" is not registered'):
        apps.server()


def test_what_comes_after_the_server_is_refused_since_it_would_be_lost() -> None:
    for build in (lambda apps: apps.server(), lambda apps: MCPServer(extensions=[apps])):
        apps = with_view()
        build(apps)
        for late in (
            lambda apps=apps: apps.tool(resource_uri=VIEW),
            lambda apps=apps: apps.add_html_resource("ui://late", HTML),
            lambda apps=apps: apps.page("ui://late"),
        ):
            with pytest.raises(ValueError, match="comes too late: the server was made already"):
                late()


@both_eras
async def test_k6_r16_the_flat_key_is_written_when_asked(era: Era) -> None:
    apps = with_view()
    apps.tool(resource_uri=VIEW, flat_key=True)(lambda_free)
    async with talking(apps.server(), era) as client:
        assert (await one(client, "lambda_free"))["_meta"] == {
            "ui/resourceUri": VIEW,
            "ui": {"resourceUri": VIEW},
        }


@both_eras
async def test_e17_lists_do_not_depend_on_the_client_and_results_may(era: Era) -> None:
    apps = with_view()

    @apps.tool(resource_uri=VIEW)
    def forecast(ctx: Context[Any]) -> str:
        return "shown in the View" if client_supports(ctx) else "sun, 21 degrees, no wind"

    seen = []
    async with listening(apps.server()) as url:
        for ui in (True, False):
            async with connect(ServerSpec(url=url), era=era, ui=ui) as client:
                lists = [await client.list_tools(), await client.list_resources()]
                seen.append((lists, await text(client, "forecast")))
    assert seen[0][0] == seen[1][0]
    assert [said for _, said in seen] == ["shown in the View", "sun, 21 degrees, no wind"]


@both_eras
async def test_k24_every_field_of_a_tool_and_of_its_view_is_listed(era: Era) -> None:
    apps = Apps()
    icon = Icon(src="https://a.example/i.png")
    apps.add_html_resource(
        VIEW, HTML, name="forecast", title="Forecast", description="Five days", domain="d.example"
    )

    @apps.tool(
        resource_uri=VIEW,
        name="show",
        title="Show",
        description="Shows it",
        annotations=ToolAnnotations(read_only_hint=True),
        icons=[icon],
    )
    def forecast(city: str) -> dict[str, int]:
        return {"high": 21}

    async with talking(apps.server(), era) as client:
        (tool,) = await client.list_tools()
        (resource,) = await client.list_resources()
    assert {key: tool[key] for key in ("name", "title", "description", "annotations", "icons")} == {
        "name": "show",
        "title": "Show",
        "description": "Shows it",
        "annotations": {"readOnlyHint": True},
        "icons": [{"src": "https://a.example/i.png"}],
    }
    assert tool["inputSchema"]["required"] == ["city"]
    assert tool["outputSchema"]["type"] == "object"
    assert (resource["title"], resource["description"]) == ("Forecast", "Five days")
    assert resource["_meta"]["ui"] == {"domain": "d.example"}


def test_tools_keep_the_order_of_their_registration() -> None:
    apps = with_view()
    for name, options in (
        ("c", {"resource_uri": VIEW}),
        ("a", {"visibility": ["app"]}),
        ("b", {"resource_uri": VIEW}),
    ):
        apps.tool(name=name, **options)(lambda_free)
    assert [binding.kwargs["name"] for binding in apps.tools()] == ["c", "a", "b"]


@both_eras
async def test_k126_r25_every_tool_is_listed_and_answers_whoever_calls(era: Era) -> None:
    apps = with_view()
    for name, who in (("both", None), ("model", ["model"]), ("app", ["app"])):
        apps.tool(resource_uri=VIEW, name=name, visibility=who)(lambda_free)  # type: ignore[arg-type]
    async with talking(apps.server(), era) as client:
        assert [tool["name"] for tool in await client.list_tools()] == ["both", "model", "app"]
        for name in ("both", "model", "app"):
            assert (await client.call_tool(name, {}))["isError"] is False


@both_eras
async def test_k23_r24_plain_objects_serve_a_low_level_server(era: Era) -> None:
    async def tools(ctx: Any, params: Any) -> types.ListToolsResult:
        tool = {"name": "show", "inputSchema": {"type": "object"}, "_meta": tool_meta(VIEW)}
        return types.ListToolsResult(tools=[types.Tool.model_validate(tool)])

    async def resources(ctx: Any, params: Any) -> types.ListResourcesResult:
        entry = ui_resource(VIEW, "forecast", prefers_border=True)
        return types.ListResourcesResult(resources=[types.Resource.model_validate(entry)])

    async def read(ctx: Any, params: Any) -> types.ReadResourceResult:
        item = ui_content(params.uri, HTML, prefers_border=True)
        return types.ReadResourceResult(contents=[types.TextResourceContents.model_validate(item)])

    server = Server("low", on_list_tools=tools, on_list_resources=resources, on_read_resource=read)
    server.extensions.update(capability())
    async with talking(server, era) as client:
        assert (await one(client, "show"))["_meta"] == {"ui": {"resourceUri": VIEW}}
        (listing,) = await client.list_resources()
        item = await content(client, VIEW)
    assert listing["_meta"] == item["_meta"] == {"ui": {"prefersBorder": True}}
    assert (listing["mimeType"], item["mimeType"], item["text"]) == (MIME, MIME, HTML)


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
