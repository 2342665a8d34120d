"""Views that `mcpapps bundle` wrote."""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer

from mcpapps_cli.bundle.build import build_bundle
from mcpapps_cli.bundle.output import write_bundle
from mcpapps_cli.errors import RpcError
from mcpapps_cli.model import Csp, Era, View
from mcpapps_cli.server import Apps
from tests.server.wire import both_eras, content, one, talking

pytestmark = pytest.mark.anyio

URI = "ui://weather/forecast.html"


def write(folder: Path, html: str, *, hashed: bool = False, **ui: Any) -> Path:
    """Write a pair as the format is documented; return the page."""
    digest = hashlib.sha256(html.encode()).hexdigest()
    uri = f"ui://weather/forecast.{digest[:12]}.html" if hashed else URI
    page = folder / "forecast.html"
    page.write_bytes(html.encode())
    document = {"uri": uri, "_meta": {"ui": ui}, "sha256": digest, "size": len(html), "tool": "x"}
    page.with_suffix(".json").write_text(json.dumps(document), encoding="utf-8")
    return page


def serving(page: Path) -> MCPServer[Any]:
    apps = Apps()
    view = apps.add_view(page, title="Forecast")

    @apps.tool(resource_uri=view, flat_key=True)
    def forecast() -> str:
        return "sun"

    return apps.server()


@both_eras
async def test_what_bundle_writes_is_what_is_served(era: Era, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html><p>é</p>\r\n", encoding="utf-8")
    view = View(
        name="forecast",
        entry=tmp_path / "index.html",
        uri=URI,
        csp=Csp(connect=("https://api.example.com",)),
        permissions=("camera",),
        prefers_border=False,
    )
    bundle = build_bundle(view, root=tmp_path)
    page, _ = write_bundle(bundle, tmp_path / "built")
    async with talking(serving(page), era) as client:
        (listing,) = await client.list_resources()
        item = await content(client, URI)
    assert listing == {
        **{"uri": URI, "name": "forecast", "title": "Forecast"},
        **{"mimeType": "text/html;profile=mcp-app", "_meta": {"ui": bundle.meta}},
    }
    assert item["_meta"] == listing["_meta"]
    assert item["text"] == bundle.html
    assert "é</p>\r\n" in item["text"]


@both_eras
async def test_a_new_bundle_needs_no_restart(era: Era, tmp_path: Path) -> None:
    page = write(tmp_path, "<!doctype html>one", prefersBorder=True)
    async with talking(serving(page), era) as client:
        assert (await content(client, URI))["text"] == "<!doctype html>one"
        write(tmp_path, "<!doctype html>two", prefersBorder=False)
        item = await content(client, URI)
        assert (item["text"], item["_meta"]) == (
            "<!doctype html>two",
            {"ui": {"prefersBorder": False}},
        )
        write(tmp_path, "<!doctype html>three", domain="d")
        (listing,) = await client.list_resources()
        assert listing["_meta"] == {"ui": {"domain": "d"}}


async def test_a_plain_server_of_the_sdk_serves_it_too(tmp_path: Path) -> None:
    apps = Apps()
    apps.add_view(write(tmp_path, "one", prefersBorder=True))
    async with talking(MCPServer(extensions=[apps])) as client:
        write(tmp_path, "two", domain="d")
        item = await content(client, URI)
    assert (item["text"], item["_meta"]) == ("two", {"ui": {"domain": "d"}})


@both_eras
async def test_any_hash_of_a_known_view_answers_the_current_bundle(
    era: Era, tmp_path: Path
) -> None:
    page = write(tmp_path, "one", hashed=True, domain="one")
    mcp = serving(page)
    old = f"ui://weather/forecast.{hashlib.sha256(b'one').hexdigest()[:12]}.html"
    new = f"ui://weather/forecast.{hashlib.sha256(b'two').hexdigest()[:12]}.html"
    async with talking(mcp, era) as client:
        assert (await one(client, "forecast"))["_meta"]["ui"] == {"resourceUri": old}
        write(tmp_path, "two", hashed=True, domain="two")
        (listing,) = await client.list_resources()
        assert listing["uri"] == new
        assert (await one(client, "forecast"))["_meta"] == {
            "ui/resourceUri": new,
            "ui": {"resourceUri": new},
        }
        for uri in (old, new, "ui://weather/forecast.0123456789ab.html"):
            item = await content(client, uri)
            assert (item["uri"], item["text"]) == (uri, "two")
            assert item["_meta"] == {"ui": {"domain": "two"}}
        for uri in (
            "ui://weather/other.0123456789ab.html",
            "ui://weather/forecast.0123456789AB.html",
            "ui://weather/forecast.0123456789a.html",
            "ui://weather/forecast.0123456789abc.html",
            "ui://weather/forecast.html",
            "ui://weather/forecast.0123456789ab.html/x",
        ):
            with pytest.raises(RpcError) as unknown:
                await client.read_resource(uri)
            assert unknown.value.code == -32602


async def test_two_servers_of_one_registration_answer_alike(tmp_path: Path) -> None:
    apps = Apps()
    old = apps.add_view(write(tmp_path, "one", hashed=True))
    first = apps.server()
    async with talking(first) as client:
        write(tmp_path, "two", hashed=True)
        await client.list_resources()
    async with talking(apps.server()) as client:
        assert (await content(client, old))["text"] == "two"


def test_hexadecimal_text_that_is_not_the_contents_hash_is_a_name(tmp_path: Path) -> None:
    page = write(tmp_path, "one")
    beside = page.with_suffix(".json")
    document = json.loads(beside.read_bytes())
    document["uri"] = "ui://weather/forecast.0123456789ab.html"
    beside.write_text(json.dumps(document), encoding="utf-8")
    apps = Apps()
    apps.add_view(page)
    MCPServer(extensions=[apps])  # it needs no other server, for it has one URI


def test_a_hash_needs_a_server_that_knows_of_hashes(tmp_path: Path) -> None:
    apps = Apps()
    uri = apps.add_view(write(tmp_path, "one", hashed=True))
    with pytest.raises(ValueError, match=f'"{uri}" needs a server made by'):
        MCPServer(extensions=[apps])


@both_eras
async def test_a_bundle_that_is_gone_fails_the_reading_and_not_the_list(
    era: Era, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    page = write(tmp_path, "one", domain="d")
    async with talking(serving(page), era) as client:
        page.unlink()
        (listing,) = await client.list_resources()
        assert listing["_meta"] == {"ui": {"domain": "d"}}
        with (
            caplog.at_level(logging.WARNING, "mcpapps_cli.server"),
            pytest.raises(RpcError) as caught,
        ):
            await client.read_resource(URI)
    assert caught.value.code == -32603
    assert caught.value.message == 'view "forecast.html" cannot be read; run "mcpapps bundle"'
    assert str(tmp_path) not in json.dumps(caught.value.data)
    assert f'view file "{page}" does not exist' in caplog.text


BROKEN: list[tuple[Any, str]] = [
    (None, "does not exist"),
    ("{", "is no JSON"),
    ("[" * 100_000, "is no JSON"),
    ("[]", 'has no "_meta.ui"'),
    ('{"uri": "ui://a", "_meta": {"ui": []}}', 'has no "_meta.ui"'),
    ('{"uri": "https://a", "_meta": {"ui": {}}}', 'must start with "ui://"'),
    ('{"_meta": {"ui": {}}}', 'must be a "ui://" URI'),
    ('{"uri": "ui://a", "_meta": {"ui": {"csp": []}}}', "/_meta/ui/csp must be an object"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_a_pair_that_is_not_as_bundle_writes_it_is_refused(
    text: str | None, message: str, tmp_path: Path
) -> None:
    page = write(tmp_path, "one")
    beside = page.with_suffix(".json")
    if text is None:
        beside.unlink()
    else:
        beside.write_text(text, encoding="utf-8")
    apps = Apps()
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        apps.add_view(page)
    assert message in str(caught.value)
    assert list(apps.resources()) == []


def test_only_the_html_file_names_a_view(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r'must be the ".html" file'):
        Apps().add_view(write(tmp_path, "x").with_suffix(".json"))
    with pytest.raises(ValueError, match="does not exist"):
        Apps().add_view(tmp_path / "none.html")
    apps = Apps()
    apps.add_view(write(tmp_path, "x"))
    with pytest.raises(ValueError, match="is registered already"):
        apps.add_view(str(tmp_path / "forecast.html"))
