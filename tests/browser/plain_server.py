"""A server over stdio with one View, written from the specifications; tests copy and edit it.

python plain_server.py NAME
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

NAME = sys.argv[1]
GREETING = "hello"
UI = "io.modelcontextprotocol/ui"

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>View</title></head>
<body><p id="out">waiting</p><button id="ask">ask</button><p id="heard"></p>
<script>
  const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  addEventListener("message", ({ source, data }) => {
    if (source !== parent) return;
    const { id, method, params, result, error } = data;
    if (id === 0) {
      document.title = JSON.stringify(result.hostCapabilities);
      post({ method: "ui/notifications/initialized", params: {} });
    } else if (id === 1) {
      document.getElementById("out").textContent = error?.message ?? result.content[0].text;
    } else if (method === "ui/notifications/tool-result") {
      document.getElementById("out").textContent = params.content[0].text;
    } else if (method === "notifications/tools/list_changed") {
      document.getElementById("heard").textContent = method;
    } else if (method && id !== undefined) {
      post({ id, result: {} });
    }
  });
  document.getElementById("ask").onclick = () => {
    post({ id: 1, method: "tools/call", params: { name: "again", arguments: {} } });
  };
  post({ id: 0, method: "ui/initialize", params: {
    appInfo: { name: "plain", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26",
  } });
</script></body></html>
"""


def send(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def tools(ui: bool, extra: bool) -> list[dict[str, Any]]:
    schema = {"type": "object", "properties": {}}
    meta = {"_meta": {"ui": {"resourceUri": f"ui://{NAME}/page"}}} if ui else {}
    found: list[dict[str, Any]] = [
        {"name": "show", "inputSchema": schema, **meta},
        {"name": "again", "inputSchema": schema},
        {"name": f"only_{NAME}", "inputSchema": schema, **meta},
    ]
    return [*found, {"name": "late", "inputSchema": schema}] if extra else found


def main() -> None:
    print(f"{NAME} is here", file=sys.stderr, flush=True)
    ui = extra = False
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        params, result = message.get("params", {}), {}
        match message["method"]:
            case "initialize":
                ui = UI in params["capabilities"].get("extensions", {})
                result = {
                    "protocolVersion": "2025-11-25",
                    "capabilities": {"tools": {"listChanged": True}, "resources": {}},
                    "serverInfo": {"name": NAME, "version": "1"},
                }
            case "tools/list":
                result = {"tools": tools(ui, extra)}
            case "resources/list":
                result = {"resources": []}
            case "resources/read":
                item = {"uri": params["uri"], "mimeType": "text/html;profile=mcp-app"}
                result = {"contents": [{**item, "text": PAGE}]}
            case "tools/call" if params["name"] == "late":
                os._exit(3)
            case "tools/call":
                kind = "with Views" if ui else "in text only"
                text = f"{GREETING} from {NAME}, {params['name']}, {kind}"
                result = {"content": [{"type": "text", "text": text}]}
                if params["name"] == "again":
                    extra = True
                    send(method="notifications/tools/list_changed")
            case _:
                error = {"code": -32601, "message": "Method not found"}
                send(id=message["id"], error=error)
                continue
        send(id=message["id"], result=result)


if __name__ == "__main__":
    main()
