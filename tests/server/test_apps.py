"""Registering tools and Views, seen on the raw wire in both eras."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import types
from mcp.server.extension import Extension
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resources import BinaryResource, TextResource
from mcp.types import Icon, ToolAnnotations

from mcpapps_cli.model import Era, ServerSpec
from mcpapps_cli.rpc import connect
from mcpapps_cli.server import (
    Apps,
    capability,
    client_supports,
    tool_meta,
    ui_content,
    ui_resource,
)
from tests.server.forecast import HTML, MIME, UI, VIEW, lambda_free, with_view
from tests.server.wire import both_eras, content, listening, one, talking, text

pytestmark = pytest.mark.anyio


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
