"""One View, as the tests of servers register it."""

from __future__ import annotations

from typing import Any

from mcpapps_cli.server import Apps

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


def lambda_free():  # type: ignore[no-untyped-def]
    """A tool that says nothing about what it returns."""
