import assert from "node:assert/strict";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import { createHost, RpcError } from "../test-host/index.js";
import { bridge, collect, pair, quietly, settled } from "./kit.mjs";

const { connect, BridgeError, HostError, TimeoutError } = bridge;

test("E40 a View runs over a MessageChannel port", async () => {
  const { port1, port2 } = new MessageChannel();
  const heard = [];
  port1.on("message", (message) => {
    heard.push(message.method);
    if (message.method == "ui/initialize")
      port1.postMessage({ jsonrpc: "2.0", id: message.id, result: { protocolVersion: "2026-01-26", hostInfo: { name: "port", version: "1" }, hostCapabilities: {}, hostContext: {} } });
    if (message.method == "ui/notifications/initialized")
      port1.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-input", params: { arguments: { city: "Oslo" } } });
  });
  const view = connect({ name: "a", version: "1", target: port2, source: port2 });
  assert.deepEqual(await view.toolInput, { city: "Oslo" });
  assert.deepEqual(heard, ["ui/initialize", "ui/notifications/initialized"]);
  port1.close();
});

test("E41 the handshake is ui/initialize, its answer, then ui/notifications/initialized", async () => {
  const { host, view } = pair({ displayModes: ["inline", "fullscreen"] });
  await view.ready;
  await host.initialized;
  assert.deepEqual(host.received, [
    {
      jsonrpc: "2.0",
      id: 1,
      method: "ui/initialize",
      params: {
        appInfo: { name: "clock", version: "1.2.0" },
        appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
        protocolVersion: "2026-01-26",
      },
    },
    { jsonrpc: "2.0", method: "ui/notifications/initialized", params: {} },
  ]);
  host.close();
});

test("V2 appCapabilities are sent although there are none", async () => {
  const { host } = pair();
  assert.deepEqual((await host.initialized).appCapabilities, {});
});

test("K61 tools, display modes and experimental capabilities are declared", async () => {
  const { host } = pair({ displayModes: ["inline"], tools: true, capabilities: { experimental: { x: {} } } });
  assert.deepEqual((await host.initialized).appCapabilities, {
    experimental: { x: {} },
    availableDisplayModes: ["inline"],
    tools: { listChanged: true },
  });
});

test("K63 the context is known before initialized is sent, and connected comes after", async () => {
  const { host, view } = pair({ host: { hostContext: { theme: "dark" } } });
  const seen = [];
  view.on("connected", ({ hostInfo }) => seen.push(["connected", hostInfo.name, view.hostContext.theme, view.connected]));
  await host.initialized;
  await settled();
  assert.deepEqual(seen, [["connected", "test-host", "dark", true]]);
});

test("E47 K65 K97 hostInfo and hostCapabilities are those of the answer", async () => {
  const { view } = pair({ host: { hostInfo: { name: "desk", version: "9" }, hostCapabilities: { openLinks: {} } } });
  assert.equal(view.hostInfo, undefined);
  assert.equal(view.hostCapabilities, undefined);
  await view.ready;
  assert.deepEqual(view.hostInfo, { name: "desk", version: "9" });
  assert.deepEqual(view.hostCapabilities, { openLinks: {} });
});

test("K66 connected is false until the handshake is done", async () => {
  const { view } = pair();
  assert.equal(view.connected, false);
  await view.ready;
  assert.equal(view.connected, true);
});

test("a refused handshake rejects everything that waits, and initialized is never sent", async (t) => {
  const shown = quietly(t, "error");
  const { host, view } = pair();
  host.refuse("ui/initialize", -32602, "protocolVersion is missing", { path: "protocolVersion" });
  const refusal = { name: "HostError", message: "protocolVersion is missing", code: -32602, data: { path: "protocolVersion" } };
  await assert.rejects(view.ready, refusal);
  await assert.rejects(view.toolInput, refusal);
  await assert.rejects(view.toolResult, refusal);
  await assert.rejects(view.callTool("x"), refusal);
  assert.deepEqual(await collect(view.toolInputPartial), []);
  await settled();
  assert.deepEqual(host.received.map(({ method }) => method), ["ui/initialize"]);
  assert.equal(shown.callCount(), 1);
});

test("K64 a silent host ends the handshake with a TimeoutError that says so, and nothing is cancelled", async (t) => {
  quietly(t, "error");
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { host, view } = pair({ handshakeTimeout: 5000 });
  host.ignore("ui/initialize");
  await settled();
  t.mock.timers.tick(4999);
  assert.equal(view.connected, false);
  t.mock.timers.tick(1);
  await assert.rejects(view.ready, (error) => {
    assert.ok(error instanceof TimeoutError && error instanceof BridgeError && error instanceof Error);
    assert.equal(error.message, "no answer to ui/initialize in 5000 ms");
    assert.equal(error.timeout, 5000);
    return true;
  });
  await settled();
  assert.deepEqual(host.received.map(({ method }) => method), ["ui/initialize"]);
});

test("K62 a page that is its own parent asks nobody", async (t) => {
  quietly(t, "error");
  const posted = [];
  globalThis.postMessage = (message) => posted.push(message);
  globalThis.addEventListener = () => {};
  globalThis.removeEventListener = () => {};
  t.after(() => {
    delete globalThis.postMessage;
    delete globalThis.addEventListener;
    delete globalThis.removeEventListener;
  });
  const view = connect({ name: "a", version: "1", target: globalThis, source: globalThis });
  await assert.rejects(view.ready, { name: "BridgeError", message: "this page has no host" });
  assert.deepEqual(posted, []);
});

test("a second connect to the same host gives the same View and no second handshake", async () => {
  const { host, view } = pair();
  const again = connect({ name: "b", version: "2", target: host.target, source: host.source });
  assert.equal(again, view);
  await view.ready;
  assert.equal(host.all("ui/initialize").length, 1);
});

test("close ends the View: what waits and what comes later rejects, and connect starts anew", async () => {
  const { host, view } = pair({ host: { strict: false } });
  await view.ready;
  host.ignore("tools/call");
  const call = view.callTool("slow");
  await host.next("tools/call");
  view.close();
  const closed = { name: "BridgeError", message: "closed" };
  await assert.rejects(call, closed);
  await assert.rejects(view.toolResult, closed);
  await assert.rejects(view.openLink("https://a.example"), closed);
  assert.equal(view.connected, false);
  const next = connect({ name: "b", version: "2", target: host.target, source: host.source });
  await next.ready;
  assert.notEqual(next, view);
  assert.equal(host.all("ui/initialize").length, 2);
  assert.equal(host.all("ui/open-link").length, 0);
});

test("trap 9, E63 K71 identity is the sender, whatever the origin says", async () => {
  const { host, view } = pair();
  await view.ready;
  const forged = { jsonrpc: "2.0", method: "ui/notifications/tool-input", params: { arguments: { forged: true } } };
  for (const source of [null, undefined, {}, globalThis])
    host.source.dispatchEvent(Object.assign(new Event("message"), { data: forged, source, origin: "https://host.example" }));
  await host.sendToolInput({ forged: false });
  assert.deepEqual(await view.toolInput, { forged: false });
});

test("messages that are no JSON-RPC 2.0 are ignored", async () => {
  const { host, view } = pair();
  await view.ready;
  for (const data of [null, undefined, 0, "text", [], {}, { jsonrpc: "1.0", id: 5, method: "ping" }])
    host.source.dispatchEvent(Object.assign(new Event("message"), { data, source: host.target }));
  await host.ping();
  assert.deepEqual(host.violations, []);
});

test("E63 messages go to any origin, and nothing is stored or evaluated", async () => {
  const options = [];
  const host = createHost();
  const target = { postMessage: (message, option) => (options.push(option), host.target.postMessage(message)) };
  const view = connect({ name: "a", version: "1", target, source: { addEventListener() {}, removeEventListener() {} } });
  await settled();
  view.close();
  assert.deepEqual(options, [{ targetOrigin: "*" }]);
});

test("K60 a second load keeps the first global", async () => {
  const { readFile } = await import("node:fs/promises");
  const text = await readFile(new URL("../dist/bridge.global.js", import.meta.url), "utf8");
  const load = new Function("globalThis", text);
  const page = {};
  load(page);
  const first = page.mcpapps;
  load(page);
  assert.equal(page.mcpapps, first);
  assert.deepEqual(Object.keys(first).sort(), Object.keys(bridge).sort());
});

test("E62 K85 unknown requests are answered with -32601, ping with {}", async () => {
  const { host, view } = pair();
  await view.ready;
  const refused = (error) => error instanceof RpcError && error.code == -32601 && error.message == "Method not found: foo/bar";
  await assert.rejects(host.request("foo/bar", {}, 9), refused);
  await assert.rejects(host.request("foo/bar", {}, "nine"), refused);
  assert.deepEqual(await host.ping(), {});
  await assert.rejects(host.request("tools/list"), { code: -32601 });
});

test("trap 8 ids 0, 1 and \"1\" are three ids", async () => {
  const { host, view } = pair();
  await view.ready;
  assert.deepEqual(await Promise.all([host.request("ping", {}, 0), host.request("ping", {}, 1), host.request("ping", {}, "1")]), [{}, {}, {}]);
  const replies = host.received.filter(({ method }) => method === undefined).map(({ id }) => id);
  assert.deepEqual(replies, [0, 1, "1"]);
});

test("K83 an answer with an id of another type or never asked changes nothing", async () => {
  const { host, view } = pair();
  await view.ready;
  host.ignore("tools/call");
  const call = view.callTool("slow");
  const { id } = await host.next("tools/call");
  host.post({ id: String(id), result: { content: [{ type: "text", text: "wrong" }] } });
  host.post({ id: 999, result: {} });
  host.post({ id, result: { content: [{ type: "text", text: "right" }] } });
  assert.equal((await call).content[0].text, "right");
});

test("unknown notifications are dropped", async () => {
  const { host, view } = pair();
  await host.notify("ui/notifications/of-the-future", { x: 1 });
  await host.notify("constructor", {});
  assert.deepEqual(await host.ping(), {});
  assert.equal(view.connected, true);
});

test("HostError is what a denial is", () => {
  const error = new HostError("no", { code: -32000, data: 1 });
  assert.deepEqual([error.name, error.message, error.code, error.data], ["HostError", "no", -32000, 1]);
});
