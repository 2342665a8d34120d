"""The View half of the reference SDK in one page, and a server whose View it is."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from playwright.async_api import Frame

from mcpapps_cli.embed import escape_script
from mcpapps_cli.stage import MessageEvent
from tests.browser.bridge.conftest import PEERS
from tests.browser.conftest import Open, Scene
from tests.stage.backend import MemoryBackend, text_result, tool

PACKAGES = {"2.0.4": "@modelcontextprotocol/ext-apps", "1.7.5": "ext-apps-v1"}
"""Where each version is installed."""
URI = "ui://weather/forecast"


@cache
def _module(version: str) -> str:
    """The build with its dependencies, whose class `App` is the global of that name."""
    path = PEERS / "node_modules" / PACKAGES[version] / "dist/src/app-with-deps.js"
    if not path.exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"run npm ci in {PEERS}")
        pytest.skip(f"run npm ci in {PEERS}")
    source, _, exports = path.read_text("utf-8").rpartition("export{")
    names: dict[str, str] = {}
    for part in exports.strip().removesuffix(";").removesuffix("}").split(","):
        local, _, exported = part.partition(" as ")
        names[exported] = local
    result = names["McpUiResourceTeardownResultSchema"]
    return escape_script(f"{source}\nglobalThis.App={names['App']};globalThis.AnyResult={result};")


def reference_view(version: str, script: str, body: str = "") -> str:
    """Return a page that has `App`, and `AnyResult` for requests that have no method of it."""
    return (
        f"<!doctype html><html><head><meta charset=utf-8><title>View</title>"
        f"<style>body{{margin:0}}</style></head><body>{body}"
        f"<script type=module>{_module(version)}\n{script}</script></body></html>"
    )


SCRIPT = """
  window.seen = [];
  const note = (name, answer) => (params) => { seen.push([name, params]); return answer; };
  const app = window.app = new App(
    { name: "theirs", version: "1" },
    { availableDisplayModes: ["inline", "fullscreen"], tools: { listChanged: true } },
    { autoResize: true });
  app.ontoolinputpartial = note("partial");
  app.ontoolinput = note("input");
  app.ontoolresult = note("result");
  app.ontoolcancelled = note("cancelled");
  app.onhostcontextchanged = note("context");
  app.onteardown = note("teardown", {});
  app.onlisttools = async () => ({ tools: [
    { name: "move", description: "Move a piece", inputSchema: { type: "object" },
      annotations: { readOnlyHint: true } }] });
  app.oncalltool = async ({ name, arguments: args }) =>
    ({ content: [{ type: "text", text: `${name} to ${args.to}` }] });
  app.onerror = (error) => seen.push(["error", String(error)]);
  /** How a promise ends: its value, or code and message of its error. */
  window.outcome = (promise) => promise.then((value) => ({ value }),
    ({ code, message }) => ({ code: code ?? null, message }));
  await app.connect();
  window.connected = true;
"""


@dataclass
class WeatherBackend(MemoryBackend):
    """A server whose tool `slow` tells progress and ends when it is cancelled."""

    cancelled: bool = False

    async def request(
        self,
        method: str,
        params: Any,
        *,
        request_id: int | None = None,
        on_progress: Callable[[Any], None] | None = None,
        new_session: bool = False,
    ) -> Any:
        match method:
            case "tools/list":
                return {"tools": self.tools}
            case "resources/list":
                return {"resources": [{"uri": "data://a", "name": "a"}]}
            case _ if params.get("name") == "slow":
                assert on_progress is not None
                on_progress({"progressToken": 99, "progress": 1, "total": 2, "message": "half"})
                return await self._wait()
        return await super().request(
            method,
            params,
            request_id=request_id,
            on_progress=on_progress,
            new_session=new_session,
        )

    async def _wait(self) -> Any:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise


def weather(version: str, script: str = SCRIPT) -> WeatherBackend:
    body = "<p style='height:210px;margin:0'>text</p>"
    return WeatherBackend(
        tools=[
            tool("forecast", URI),
            tool("slow"),
            tool("save"),
            {"name": "search", "_meta": {"ui": {"visibility": ["model"]}}},
        ],
        pages={URI: reference_view(version, script, body), "data://a": "read"},
        results={
            "forecast": text_result("sunny", structuredContent={"degrees": 12}),
            "save": text_result("saved", structuredContent={"n": 3}, _meta={"k": 1}),
        },
    )


async def begin(scene: Open, version: str, **options: Any) -> tuple[Scene, Frame]:
    """Call the tool and wait for its result in the View."""
    opened = await scene(weather(version), **options)
    await opened.call("forecast", city="Oslo")
    await opened.step("result")
    return opened, await view_of(opened)


async def view_of(opened: Scene) -> Frame:
    inner = next(frame for frame in opened.page.frames if frame.url == "about:srcdoc")
    await until(inner, "window.connected")
    return inner


async def until(inner: Frame, expression: str) -> None:
    """Wait for something in a View, whose policy forbids `wait_for_function` its eval."""
    await inner.evaluate(
        f"""new Promise((resolve) => {{
          const look = () => ({expression}) ? resolve() : setTimeout(look, 5);
          look();
        }})"""
    )


async def seen(inner: Frame, name: str) -> list[Any]:
    await until(inner, f"seen.some(([kind]) => kind == '{name}')")
    return [params for kind, params in await inner.evaluate("seen") if kind == name]


def posted(opened: Scene, method: str) -> list[Any]:
    """The params of every message of the View of one method."""
    return [
        event.message.get("params")
        for event in opened.all(MessageEvent)
        if event.direction == "view-to-host" and event.message.get("method") == method
    ]
