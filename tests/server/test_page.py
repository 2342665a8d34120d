"""Views that are made when they are read."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError

from mcpapps_cli.errors import RpcError
from mcpapps_cli.model import Era, ServerSpec
from mcpapps_cli.rpc import connect
from mcpapps_cli.server import Apps, Page
from tests.server.wire import both_eras, content, listening, one, talking

pytestmark = pytest.mark.anyio

CITY = "ui://weather/{city}.html"
MIME = "text/html;profile=mcp-app"


def by_city() -> Apps:
    apps = Apps()

    @apps.page(CITY, prefers_border=True)
    def forecast(city: str = "any") -> Page:
        """The forecast for a city."""
        return Page(f"<!doctype html><p>{city}</p>", domain=f"{city}.example")

    return apps


@both_eras
async def test_k29_k31_a_tool_of_a_template_names_one_uri_that_can_be_read_at_once(
    era: Era,
) -> None:
    apps = by_city()

    @apps.tool(resource_uri=CITY, flat_key=True)
    def forecast(city: str) -> str:
        return f"sun in {city}"

    async with talking(apps.server(), era) as client:
        assert (await one(client, "forecast"))["_meta"] == {
            "ui/resourceUri": "ui://weather/any.html",
            "ui": {"resourceUri": "ui://weather/any.html"},
        }
        item = await content(client, "ui://weather/any.html")
        templates = await client.list_resource_templates()
    assert item["text"] == "<!doctype html><p>any</p>"
    assert templates == [
        {
            **{"uriTemplate": CITY, "name": "forecast", "mimeType": MIME},
            "description": "The forecast for a city.",
            "_meta": {"ui": {"prefersBorder": True}},
        }
    ]


def test_k29_a_template_without_defaults_gives_a_tool_no_uri() -> None:
    apps = Apps()

    @apps.page(CITY)
    def forecast(city: str) -> str:
        return city

    with pytest.raises(ValueError, match="give the parameter city of its page a default"):
        apps.tool(resource_uri=CITY)


def test_k29_a_tool_may_name_any_uri_that_a_template_matches() -> None:
    apps = Apps()
    apps.tool(resource_uri="ui://weather/oslo.html", name="t")(lambda: "")

    @apps.page(CITY)
    def forecast(city: str) -> str:
        return city

    (binding,) = apps.tools()
    assert binding.meta == {"ui": {"resourceUri": "ui://weather/oslo.html"}}


@both_eras
async def test_k30_k32_what_is_read_depends_on_its_own_uri_only(era: Era) -> None:
    apps = by_city()

    @apps.tool(resource_uri=CITY)
    def forecast(city: str) -> str:
        return f"sun in {city}"

    async with (
        listening(apps.server()) as url,
        connect(ServerSpec(url=url), era=era) as first,
        connect(ServerSpec(url=url), era=era) as second,
    ):
        await first.call_tool("forecast", {"city": "oslo"})
        await second.call_tool("forecast", {"city": "rome"})
        for client in (first, second):
            item = await content(client, "ui://weather/any.html")
            assert item["text"] == "<!doctype html><p>any</p>"
        read = [
            content(each, f"ui://weather/{n}.html") for n in range(20) for each in (first, second)
        ]
        items = await asyncio.gather(*read)
    for item in items:
        city = item["uri"].removeprefix("ui://weather/").removesuffix(".html")
        assert item["text"] == f"<!doctype html><p>{city}</p>"
        assert item["_meta"] == {"ui": {"domain": f"{city}.example"}}


@both_eras
async def test_variables_are_decoded_and_stay_within_their_segment(era: Era) -> None:
    async with talking(by_city().server(), era) as client:
        item = await content(client, "ui://weather/S%C3%A3o%20Paulo.html")
        assert item["text"] == "<!doctype html><p>São Paulo</p>"
        assert item["uri"] == "ui://weather/S%C3%A3o%20Paulo.html"
        for uri in ("ui://weather/a/b.html", "ui://weather/%2E%2E%2Fsecret.html", "ui://other"):
            with pytest.raises(RpcError) as unknown:
                await client.read_resource(uri)
            assert unknown.value.code == -32602


@both_eras
async def test_a_page_function_can_say_that_there_is_no_such_page(era: Era) -> None:
    apps = Apps()

    @apps.page(CITY)
    async def forecast(city: str) -> str:
        if city == "nowhere":
            raise ResourceNotFoundError("no such city")
        raise KeyError("secret")

    async with talking(apps.server(), era) as client:
        with pytest.raises(RpcError, match="no such city") as unknown:
            await client.read_resource("ui://weather/nowhere.html")
        with pytest.raises(RpcError) as crashed:
            await client.read_resource("ui://weather/oslo.html")
    assert unknown.value.code == -32602
    assert crashed.value.code == -32603
    assert "secret" not in crashed.value.message


@both_eras
async def test_metadata_can_depend_on_who_reads(era: Era) -> None:
    apps = Apps()

    @apps.page("ui://weather/now.html", csp={}, prefers_border=True)
    def now(ctx: ServerRequestContext[Any, Any]) -> Page | str:
        capabilities = ctx.session.client_capabilities
        assert capabilities is not None
        if not capabilities.extensions:
            return "<!doctype html>plain"
        return Page("<!doctype html>", csp={"connectDomains": ["https://a.example"]})

    async with listening(apps.server()) as url:
        metas = []
        for ui in (True, False):
            async with connect(ServerSpec(url=url), era=era, ui=ui) as client:
                metas.append((await content(client, "ui://weather/now.html"))["_meta"])
                (listing,) = await client.list_resources()
    empty = {"connectDomains": [], "resourceDomains": [], "frameDomains": [], "baseUriDomains": []}
    assert metas == [
        {"ui": {"csp": {**empty, "connectDomains": ["https://a.example"]}}},
        {"ui": {"csp": empty, "prefersBorder": True}},
    ]
    assert listing["_meta"] == {"ui": {"csp": empty, "prefersBorder": True}}


async def test_a_page_function_that_returns_no_document_is_a_crash() -> None:
    apps = Apps()

    @apps.page("ui://now")
    def now() -> Any:
        return 7

    async with talking(apps.server()) as client:
        with pytest.raises(RpcError) as caught:
            await client.read_resource("ui://now")
    assert caught.value.code == -32603


def test_what_a_page_says_is_checked_where_it_is_made() -> None:
    with pytest.raises(ValueError, match="nowhere"):
        Page("", csp={"connectDomains": ["nowhere"]})
    with pytest.raises(ValueError, match="usb"):
        Page("", permissions=["usb"])


def test_the_variables_must_be_the_functions_parameters() -> None:
    apps = Apps()
    with pytest.raises(ValueError, match=r"variables \['city'\], and .* parameters \['town'\]"):
        apps.page(CITY)(town)
    with pytest.raises(ValueError, match=r"variables \[\], and .* parameters \['town'\]"):
        apps.page("ui://weather/now.html")(town)
    with pytest.raises(ValueError, match=r'uri "ui://weather/\{city" is no template: Unclosed'):
        apps.page("ui://weather/{city")
    assert not apps.resources()
    apps.page("ui://weather/{town}.html")(town)
    with pytest.raises(ValueError, match="is registered already"):
        apps.page("ui://weather/{town}.html")(town)


def town(town: str) -> str:
    return town


def test_a_server_that_cannot_serve_pages_is_refused() -> None:
    with pytest.raises(ValueError, match=r'"ui://weather/\{city\}.html" needs a server made by'):
        MCPServer(extensions=[by_city()])
    apps = Apps()
    apps.page("ui://now")(lambda: "")
    with pytest.raises(ValueError, match='"ui://now" needs a server made by'):
        MCPServer(extensions=[apps])
