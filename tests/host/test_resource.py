"""From a tool and its resource to a mounting: H7, H8 and the place of the metadata."""

from __future__ import annotations

from typing import Any

import pytest

from mcpapps_cli.host.profiles import load_profile
from mcpapps_cli.host.resource import is_html, mounting_for
from mcpapps_cli.model import Csp, Inventory, Resource
from tests.host.rig import PAGE, PLAIN, TOOL

URI = "ui://demo/chart.html"
INVENTORY = Inventory("legacy", "2025-11-25", {}, {}, tools=(TOOL, PLAIN))


def mount(content: Any = None, listing: Any = None, html: str | None = PAGE) -> Any:
    resource = Resource(
        URI, listing=listing, content={"uri": URI, "text": html, **(content or {})}, html=html
    )
    profile = load_profile("spec")
    return mounting_for(TOOL, resource, INVENTORY, request_id=7, profile=profile, probe=True)


def ui(**fields: Any) -> dict[str, Any]:
    return {"_meta": {"ui": fields}}


def test_everything_comes_along() -> None:
    mounting = mount()
    assert (mounting.tool, mounting.uri, mounting.html) == (TOOL, URI, PAGE)
    assert mounting.tools == (TOOL, PLAIN)
    assert (mounting.request_id, mounting.probe, mounting.context) == (7, True, {})
    assert (mounting.csp, mounting.permissions, mounting.prefers_border) == (None, (), None)


def test_metadata_of_the_content_is_used() -> None:
    mounting = mount(
        ui(
            csp={"connectDomains": ["https://api.example.com"]},
            permissions={"geolocation": {}},
            prefersBorder=False,
        )
    )
    assert mounting.csp == Csp(connect=("https://api.example.com",))
    assert mounting.permissions == ("geolocation",)
    assert mounting.prefers_border is False


def test_metadata_of_the_listing_is_the_fallback() -> None:
    mounting = mount(listing=ui(csp={"resourceDomains": ["https://cdn.example.com"]}))
    assert mounting.csp == Csp(resource=("https://cdn.example.com",))


def test_metadata_of_the_content_hides_the_listings_as_a_whole() -> None:
    mounting = mount(
        ui(prefersBorder=True), listing=ui(csp={"resourceDomains": ["https://cdn.example.com"]})
    )
    assert mounting.csp is None


def test_an_empty_csp_is_a_declaration() -> None:
    assert mount(ui(csp={})).csp == Csp()


def test_a_resource_without_text_cannot_be_mounted() -> None:
    with pytest.raises(ValueError, match="has no text to mount"):
        mount(html=None)


@pytest.mark.parametrize(
    "text",
    [
        "<!doctype html>",
        "<!DOCTYPE  HTML PUBLIC>",
        "<html>",
        "<HTML lang=en>",
        "\ufeff\n <!-- a comment --> <!doctype html>",
        "<!-- " + "x" * 5000 + " --><html>",
        "<head></head><html\n>",
    ],
)
def test_an_html_document_is_known(text: str) -> None:
    assert is_html(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "<p>hello</p>",
        '{"html": "<html>"}',
        ' \n["<!doctype html>"]',
        "<htmlx>",
        "x" * 1024 + "<html>",
        "<!-- <html>",
    ],
)
def test_other_text_is_no_html_document(text: str) -> None:
    assert not is_html(text)
