"""The Python examples of `docs/` run, page by page, in the order in which they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.wire import both_eras, content, talking

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def run(page: Path, name: str) -> Iterator[dict[str, Any]]:
    """Run the blocks of a page; yields what they have defined after each."""
    text = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": name}
    for block in _BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(1))
        code = compile("\n" * line + block[1], str(page), "exec")
        exec(code, names)
        yield names


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = tmp_path / "built"
    built.mkdir()
    (built / "forecast.html").write_text("<!doctype html>", encoding="utf-8")
    pair = {"uri": "ui://weather/forecast.html", "_meta": {"ui": {"csp": {}}}, "sha256": "0" * 64}
    (built / "forecast.json").write_text(json.dumps(pair), encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_the_client_page_runs() -> None:
    assert len(list(run(DOCS / "client.md", "client_page"))) == 5


@pytest.mark.anyio
@both_eras
async def test_the_servers_of_the_server_page_serve(era: Any, bundle: None) -> None:
    servers = {}
    for names in run(DOCS / "server.md", "server_page"):
        if "mcp" in names:
            servers[id(names["mcp"])] = names["mcp"]
    servers[0] = names["apps"].server("last")
    tools = []
    for server in servers.values():
        async with talking(server, era) as client:
            tools.append([tool["name"] for tool in await client.list_tools()])
            if "show_forecast" in tools[-1]:
                result = await client.call_tool("show_forecast", {"city": "Oslo"})
                assert result["content"] == [{"type": "text", "text": "21 degrees in Oslo"}]
                assert result["structuredContent"] == {"city": "Oslo", "high": 21}
            if "show_city" in tools[-1]:
                now = await content(client, "ui://weather/now.html")
                assert now["_meta"]["ui"]["csp"]["connectDomains"] == ["https://eu.example.com"]
    assert tools == [
        ["show_forecast"],
        ["set_alarm", "show_city"],
        ["show_radar", "compute", "progress"],
    ]
