"""What page and engine add to a View's tool call, beside our client's own call in the same run."""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from mcpapps_cli.inventory import read_inventory, read_resource
from mcpapps_cli.model import Inventory, JsonObject, Resource, ServerSpec
from mcpapps_cli.rpc import Client, connect, reserve_id
from mcpapps_cli.stage import MessageEvent, Stage, headless

CALLS = 200
LIMIT_MS = 5.0
_SERVER = """
import json, sys
VIEW = open(sys.argv[1]).read()
URI = "ui://bench/view"
def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "resources": {}},
                "serverInfo": {"name": "bench", "version": "1"}}
    if method == "tools/list":
        return {"tools": [{"name": "show", "inputSchema": {"type": "object"},
                           "_meta": {"ui": {"resourceUri": URI}}}]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": "done"}]}
    if method == "resources/read":
        return {"contents": [{"uri": URI, "mimeType": "text/html;profile=mcp-app", "text": VIEW}]}
    return {"resources": []}
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        result = answer(message["method"], message.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""
_VIEW = """<!doctype html><title>bench</title><p>bench</p><script>
const open = new Map();
let last = 0;
function post(message) { parent.postMessage({ jsonrpc: "2.0", ...message }, "*"); }
function request(method, params) {
  last += 1;
  post({ id: last, method, params });
  return new Promise((resolve) => open.set(last, resolve));
}
addEventListener("message", ({ data }) => {
  open.get(data.id)?.(data.result);
  if (data.method === "ui/notifications/tool-result") measure();
});
async function measure() {
  const times = [];
  // The page passes 200 messages of a View a second on, after a burst of 1000.
  for (let n = 0; n < CALLS; n += 1) {
    const began = performance.now();
    await request("tools/call", { name: "show", arguments: { n } });
    times.push(performance.now() - began);
  }
  post({ method: "notifications/message", params: { level: "info", data: times } });
}
request("ui/initialize", { appInfo: { name: "b", version: "1" }, appCapabilities: {},
  protocolVersion: "2026-01-26" }).then(() => post({ method: "ui/notifications/initialized" }));
</script>"""


class _Backend:
    name = "bench"
    label = "bench"

    def __init__(self, client: Client, inventory: Inventory):
        self._client, self._inventory = client, inventory

    def inventory(self) -> Inventory:
        return self._inventory

    def reserve_id(self, method: str, params: JsonObject) -> int:
        return reserve_id()

    async def request(
        self, method: str, params: JsonObject, *, request_id: int | None = None, **more: object
    ) -> JsonObject:
        return await self._client.request(method, params, request_id=request_id)

    async def resource(self, uri: str) -> Resource:
        return (await read_resource(self._client, uri))[0]


async def _measure(folder: Path) -> tuple[list[float], list[float]]:
    server, page = folder / "server.py", folder / "view.html"
    server.write_text(_SERVER, encoding="utf-8")
    page.write_text(_VIEW.replace("CALLS", str(CALLS)), encoding="utf-8")
    spec = ServerSpec(command=(sys.executable, str(server), str(page)), label="bench")
    through: asyncio.Future[list[float]] = asyncio.get_running_loop().create_future()

    def on_event(event: object) -> None:
        if isinstance(event, MessageEvent) and not through.done():
            message = event.message
            if isinstance(message, dict) and message.get("method") == "notifications/message":
                through.set_result(message["params"]["data"])

    async with connect(spec, era="legacy") as client:
        backend = _Backend(client, await read_inventory(client))
        direct = []
        for number in range(CALLS):
            began = time.perf_counter()
            await client.call_tool("show", {"n": number})
            direct.append((time.perf_counter() - began) * 1000)
        async with (
            Stage(backend, port=0, sandbox_port=0, on_event=on_event) as stage,
            headless(f"{stage.url}&tool=show&args={{}}"),
        ):
            return direct, await asyncio.wait_for(through, 120)


def host() -> int:
    """A View's tool call through page, engine and stdio; at most 5 ms more at the median."""
    with tempfile.TemporaryDirectory() as folder:
        direct, through = asyncio.run(_measure(Path(folder)))
    own, whole = statistics.median(direct), statistics.median(through)
    print(f"our client's call {own:8.1f} ms   median of {CALLS}")
    print(f"a View's call     {whole:8.1f} ms   {whole - own:.1f} ms more (limit {LIMIT_MS:g})")
    return 0 if whole - own <= LIMIT_MS else 1
