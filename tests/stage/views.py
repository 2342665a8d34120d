"""Views written by hand from the specification, with nothing but `postMessage`."""

from __future__ import annotations

HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>View</title>
<script>
  const waiting = new Map();
  let lastId = -1;
  function request(method, params) {
    lastId += 1;
    parent.postMessage({ jsonrpc: "2.0", id: lastId, method, params }, "*");
    return new Promise((resolve, reject) => waiting.set(lastId, { resolve, reject }));
  }
  function notify(method, params) {
    parent.postMessage({ jsonrpc: "2.0", method, params }, "*");
  }
  const on = {};
  addEventListener("message", (event) => {
    if (event.source !== parent) return;
    const { id, method, params, result, error } = event.data;
    if (method === undefined) {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (error) reject(error); else resolve(result);
    } else if (id !== undefined) {
      on[method]?.(params);
      parent.postMessage({ jsonrpc: "2.0", id, result: {} }, "*");
    } else on[method]?.(params);
  });
  async function connect() {
    const answer = await request("ui/initialize", {
      appInfo: { name: "by-hand", version: "1.0.0" },
      appCapabilities: {},
      protocolVersion: "2026-01-26",
    });
    notify("ui/notifications/initialized", {});
    return answer;
  }
</script>
"""


def view(script: str = "", body: str = '<p id="out">waiting</p>') -> str:
    """A View that connects, shows the text of its result, and runs `script` before that."""
    return f"""{HEAD}</head><body>{body}
<script>
  on["ui/notifications/tool-result"] = (params) => {{
    document.getElementById("out").textContent = params.content[0].text;
  }};
  {script}
  connect();
</script></body></html>
"""
