"""What the server sends, read as a host reads it."""

import json
from typing import Any

import anyio
import pytest
from host import connect

from hello_app.palette import contrast, make_palette, text_on
from hello_app.server import BUILT, mcp


async def read_everything() -> dict[str, Any]:
    async with connect(mcp) as host:
        tool = (await host.list_tools())["show_palette"]
        listing = next(each for each in await host.list_resources() if each["name"] == "palette")
        content = await host.read_resource(listing["uri"])
        result = await host.call_tool(tool["name"], {"colour": "#ff0000", "scheme": "triadic"})
        return {"tool": tool, "listing": listing, "content": content, "result": result}


@pytest.fixture(scope="module")
def wire() -> dict[str, Any]:
    return anyio.run(read_everything)


def test_tool_points_at_the_view_with_both_keys(wire: dict[str, Any]) -> None:
    uri, meta = wire["listing"]["uri"], wire["tool"]["_meta"]
    assert meta["ui"] == {"resourceUri": uri}
    assert meta["ui/resourceUri"] == uri


def test_view_is_the_bundle_and_its_metadata_agrees(wire: dict[str, Any]) -> None:
    bundle = json.loads((BUILT / "palette.json").read_text("utf-8"))
    assert wire["content"]["text"] == (BUILT / "palette.html").read_text("utf-8")
    assert wire["content"]["mimeType"] == "text/html;profile=mcp-app"
    ui = bundle["_meta"]["ui"]
    assert wire["content"]["_meta"]["ui"] == wire["listing"]["_meta"]["ui"] == ui


def test_result_has_text_for_the_model_and_data_for_the_view(wire: dict[str, Any]) -> None:
    result = wire["result"]
    assert not result.get("isError")
    colours = ["#ff0000", "#00ff00", "#0000ff"]
    assert result["content"][0]["text"].endswith(": " + ", ".join(colours) + ".")
    assert [each["colour"] for each in result["structuredContent"]["swatches"]] == colours


@pytest.mark.parametrize(
    ("scheme", "colours"),
    [
        ("complementary", ["#ff0000", "#00ffff"]),
        ("analogous", ["#ff0080", "#ff0000", "#ff8000"]),
    ],
)
def test_schemes_are_turns_of_the_colour_wheel(scheme: Any, colours: list[str]) -> None:
    assert make_palette("#ff0000", scheme) == colours


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#777777", "#ffffff") == 4.48
    assert (text_on("#ffff00"), text_on("#00007f")) == ("#000000", "#ffffff")
