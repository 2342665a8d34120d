"""A server over stdio with one fault in every tool, written from the specifications.

python broken_server.py ORIGIN     ORIGIN answers HTTP without a CORS permission
python broken_server.py --silent   answers nothing
python broken_server.py --noisy    says something else first, and ends
"""

from __future__ import annotations

import json
import sys
from typing import Any

HELLO = """
  let shaken;
  function post(message) { parent.postMessage({ jsonrpc: "2.0", ...message }, "*"); }
  const params = {
    appInfo: { name: "broken", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26",
  };
  function hello() { post({ id: 0, method: "ui/initialize", params }); }
  function ready() { post({ method: "ui/notifications/initialized", params: {} }); }
  function connect(onResult) {
    addEventListener("message", ({ data }) => {
      if (data.id === 0) ready();
      if (data.method === "ui/notifications/tool-result") onResult?.(data.params);
    });
    hello();
  }
"""
BLANK = "<style>html, body { margin: 0 }</style>"


def page(script: str, body: str = "") -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>View</title></head>'
        f"<body>{BLANK}{body}<script>{HELLO}{script}</script></body></html>"
    )


def pages(origin: str) -> dict[str, str]:
    """One document for each fault that lies in the View, by the name of its tool."""
    return {
        "healthy": page("connect(() => { document.body.append('fine'); });"),
        "zod-probe": page(
            "try { new Function(''); } catch {}connect(() => { document.body.append('fine'); });"
        ),
        "script-blocked": '<!doctype html><title>x</title>\n<script src="https://cdn.test/a.js">'
        "</script>",
        "script-error": "<!doctype html><title>x</title>\n<script>\nstart();\n</script>",
        "storage-refused": page("localStorage.setItem('seen', '1'); connect();"),
        "wrong-method": page("post({ id: 0, method: 'initialize', params });"),
        "rejected-parameters": page("delete params.appInfo; hello();"),
        "early-request": page(
            "hello(); post({ id: 1, method: 'tools/call', params: { name: 'healthy' } });"
        ),
        "handshake-missing": "<!doctype html><title>x</title><p>static</p>",
        "handshake-unfinished": page("hello();"),
        "late-listener": page(
            "addEventListener('message', ready, { once: true }); hello();"
            "setTimeout(() => addEventListener('message', () => {}), 1000);"
        ),
        "call-refused": page(
            "connect(() => post({ id: 1, method: 'tools/call', params: { name: 'secret' } }));"
        ),
        "size-not-reported": page(
            # A text would count as painted for the browser, wherever it is.
            "connect(() => { document.querySelector('div').style.background = 'red'; });",
            "<div style='margin-top: 400px; height: 99px'></div>",
        ),
        "size-growing": page(
            "connect(() => {"
            "  document.body.append('grows');"
            "  const tell = () => post({ method: 'ui/notifications/size-changed',"
            "    params: { height: innerHeight + 20 } });"
            "  addEventListener('resize', tell); tell();"
            "});"
        ),
        "connection-blocked": page(
            "connect(async () => document.body.append((await fetch('https://api.test/')).status));"
        ),
        "network-failed": page(
            "const url = 'http://127.0.0.1:9/';"
            "connect(async () => document.body.append((await fetch(url)).status));"
        ),
        "cors-refused": page(
            f"connect(async () => {{ document.body.append((await fetch('{origin}/a')).status); }});"
        ),
        "cors-or-network": page(
            "connect(async () => { document.body.append("
            f"(await fetch('{origin}/post', {{ method: 'POST', body: 'x' }})).status); }});"
        ),
        "not-html": "just words",
        "wrong-mime": page("connect();"),
    }


def tools(names: list[str]) -> list[dict[str, Any]]:
    schema = {"type": "object"}
    views = [
        {
            "name": name,
            "inputSchema": schema,
            "_meta": {"ui": {"resourceUri": f"ui://broken/{name}"}},
        }
        for name in (*names, "unreadable")
    ]
    secret = {"name": "secret", "inputSchema": schema, "_meta": {"ui": {"visibility": ["model"]}}}
    return [*views, secret]


class Refused(Exception):
    pass


def answer(method: str, params: dict[str, Any], origin: str) -> dict[str, Any]:
    documents = pages(origin)
    match method:
        case "initialize":
            return {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}, "resources": {}},
                "serverInfo": {"name": "broken", "version": "1"},
            }
        case "tools/list":
            return {"tools": tools(list(documents))}
        case "tools/call":
            return {"content": [{"type": "text", "text": "done"}]}
        case "resources/list":
            return {"resources": []}
        case "resources/read":
            name = params["uri"].rpartition("/")[2]
            if name not in documents:
                raise Refused
            mime = "text/html" if name == "wrong-mime" else "text/html;profile=mcp-app"
            csp = {"connectDomains": [origin, "http://127.0.0.1:9"]}
            item = {"uri": params["uri"], "mimeType": mime, "text": documents[name]}
            return {"contents": [{**item, "_meta": {"ui": {"csp": csp}}}]}
        case _:
            raise Refused


def main() -> None:
    origin = sys.argv[1]
    if origin == "--noisy":
        sys.stdout.write("Server running on stdio\n")
        return
    for line in sys.stdin:
        message = json.loads(line)
        if origin == "--silent" or "id" not in message:
            continue
        try:
            reply = {"result": answer(message["method"], message.get("params", {}), origin)}
        except Refused:
            reply = {"error": {"code": -32002, "message": "there is no such thing"}}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
