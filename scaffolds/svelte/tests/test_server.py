"""What the server sends, read as a host reads it."""

import json
from typing import Any

import anyio
import pytest
from host import connect

from hello_app.rhythm import make_rhythm, written
from hello_app.server import BUILT, mcp


async def read_everything() -> dict[str, Any]:
    async with connect(mcp) as host:
        tool = (await host.list_tools())["show_rhythm"]
        listing = next(each for each in await host.list_resources() if each["name"] == "rhythm")
        content = await host.read_resource(listing["uri"])
        result = await host.call_tool(tool["name"], {"beats": 3, "steps": 8})
        return {"tool": tool, "listing": listing, "content": content, "result": result}


@pytest.fixture(scope="module")
def wire() -> dict[str, Any]:
    return anyio.run(read_everything)


def test_tool_points_at_the_view_with_both_keys(wire: dict[str, Any]) -> None:
    uri, meta = wire["listing"]["uri"], wire["tool"]["_meta"]
    assert meta["ui"] == {"resourceUri": uri}
    assert meta["ui/resourceUri"] == uri


def test_view_is_the_bundle_and_its_metadata_agrees(wire: dict[str, Any]) -> None:
    bundle = json.loads((BUILT / "rhythm.json").read_text("utf-8"))
    assert wire["content"]["text"] == (BUILT / "rhythm.html").read_text("utf-8")
    assert wire["content"]["mimeType"] == "text/html;profile=mcp-app"
    ui = bundle["_meta"]["ui"]
    assert wire["content"]["_meta"]["ui"] == wire["listing"]["_meta"]["ui"] == ui


def test_result_has_text_for_the_model_and_data_for_the_view(wire: dict[str, Any]) -> None:
    result = wire["result"]
    assert not result.get("isError")
    assert result["content"][0]["text"] == "3 beats in 8 steps: x..x..x."
    assert [n for n, beat in enumerate(result["structuredContent"]["pattern"]) if beat] == [0, 3, 6]


@pytest.mark.parametrize(
    ("beats", "steps", "turn", "rhythm"),
    [(4, 16, 0, "x...x...x...x..."), (1, 4, 1, ".x.."), (5, 8, 0, "x.x.xx.x"), (2, 2, 0, "xx")],
)
def test_beats_are_spread_evenly(beats: int, steps: int, turn: int, rhythm: str) -> None:
    assert sorted(written(make_rhythm(beats, steps, turn))) == sorted(rhythm)
    assert written(make_rhythm(beats, steps, turn)) in (rhythm + rhythm)


def test_more_beats_than_steps_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        make_rhythm(9, 8)
