/** The bridge against a host that is nothing but JSON: what goes over the wire, byte for byte as JSON. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryLink } from "../test-host/index.js";
import { bridge, quietly, settled } from "./kit.mjs";

const { connect, HostError, ToolCancelled, ToolError } = bridge;

/** A host that says only what the test tells it to, as JSON text. */
const wire = (options = {}) => {
  const { target, source, send, listen } = memoryLink();
  const heard = [];
  listen((message) => heard.push(message));
  const view = connect({ name: "board", version: "1.0.0", target, source, ...options });
  const say = async (...texts) => {
    for (const text of texts) send(JSON.parse(text));
    await settled();
  };
  /** What the View has said since the last look. */
  const take = async () => {
    await settled();
    return heard.splice(0);
  };
  return { view, say, take, target, source };
};

const ANSWER = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2026-01-26","hostInfo":{"name":"old-host","version":"1.7.5"},
  "hostCapabilities":{"openLinks":{},"serverTools":{},"serverResources":{},"logging":{}},"hostContext":{"theme":"dark","locale":"en-GB"}}}`;
const opened = async (options) => {
  const raw = wire(options);
  await raw.take();
  await raw.say(ANSWER);
  await raw.take();
  return raw;
};

test("wire: the View speaks first, with ui/initialize, never with initialize, and waits", async () => {
  const { view, take } = wire();
  assert.deepEqual(await take(), [
    {
      jsonrpc: "2.0",
      id: 1,
      method: "ui/initialize",
      params: { appInfo: { name: "board", version: "1.0.0" }, appCapabilities: {}, protocolVersion: "2026-01-26" },
    },
  ]);
  assert.deepEqual(await take(), []);
  view.close();
});

test("wire: the answer is followed by initialized and nothing else", async () => {
  const { view, say, take } = wire();
  await take();
  await say(ANSWER);
  assert.deepEqual(await take(), [{ jsonrpc: "2.0", method: "ui/notifications/initialized", params: {} }]);
  assert.deepEqual(view.hostInfo, { name: "old-host", version: "1.7.5" });
  assert.deepEqual({ ...view.hostContext }, { theme: "dark", locale: "en-GB" });
});

test("wire: an answer of another protocol version, with unknown fields, is taken", async () => {
  const { view, say, take } = wire();
  await take();
  await say(ANSWER.replace("2026-01-26", "2025-11-21").replace('"result":{', '"result":{"extra":{"a":1},'));
  assert.equal((await take())[0].method, "ui/notifications/initialized");
  assert.equal(view.connected, true);
});

test("wire: an answer without hostContext and hostCapabilities is one with empty ones", async () => {
  const { view, say, take } = wire();
  await take();
  await say('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2026-01-26","hostInfo":{"name":"bare","version":"0"}}}');
  assert.equal((await take())[0].method, "ui/notifications/initialized");
  assert.deepEqual([{ ...view.hostContext }, view.hostCapabilities], [{}, {}]);
});

test("wire: input, partial input and result have their values in params", async () => {
  const { view, say } = await opened();
  const partials = [];
  view.on("toolinputpartial", (args) => partials.push(args));
  await say(
    '{"jsonrpc":"2.0","method":"ui/notifications/tool-input-partial","params":{"arguments":{"to":"e"}}}',
    '{"jsonrpc":"2.0","method":"ui/notifications/tool-input","params":{"arguments":{"to":"e4"}}}',
    '{"jsonrpc":"2.0","method":"ui/notifications/tool-result","params":{"content":[{"type":"text","text":"moved"}],"structuredContent":{"check":false},"isError":false,"_meta":{"k":"v"}}}',
  );
  assert.deepEqual(partials, [{ to: "e" }]);
  assert.deepEqual(await view.toolInput, { to: "e4" });
  assert.deepEqual(await view.toolResult, {
    content: [{ type: "text", text: "moved" }],
    structuredContent: { check: false },
    isError: false,
    _meta: { k: "v" },
  });
});

test("wire: a cancellation may lack its reason, and its params", async () => {
  for (const params of [',"params":{}', ""]) {
    const { view, say } = await opened();
    await say(`{"jsonrpc":"2.0","method":"ui/notifications/tool-cancelled"${params}}`);
    await assert.rejects(view.toolResult, (error) => error instanceof ToolCancelled && error.reason === undefined);
  }
});

test("wire: a context change holds what changed, and changes add up", async () => {
  const { view, say } = await opened();
  await say(
    '{"jsonrpc":"2.0","method":"ui/notifications/host-context-changed","params":{"theme":"light"}}',
    '{"jsonrpc":"2.0","method":"ui/notifications/host-context-changed","params":{"displayMode":"fullscreen","x-own":[1]}}',
  );
  assert.deepEqual({ ...view.hostContext }, { theme: "light", locale: "en-GB", displayMode: "fullscreen", "x-own": [1] });
});

test("wire: a tool call asks for progress under its own id, and its result is as received", async () => {
  const { view, say, take } = await opened();
  const updates = [];
  const call = view.callTool("move", { to: "e4" }, { onProgress: (update) => updates.push(update) });
  assert.deepEqual(await take(), [
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "move", arguments: { to: "e4" }, _meta: { progressToken: 2 } } },
  ]);
  await say(
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1,"total":4,"message":"thinking"}}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"2","progress":9}}',
    '{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"n":0},"resultType":"complete"}}',
  );
  assert.deepEqual(await call, { content: [], structuredContent: { n: 0 }, resultType: "complete" });
  assert.deepEqual(updates, [{ progressToken: 2, progress: 1, total: 4, message: "thinking" }]);
});

test("wire: an isError result comes through whole", async () => {
  const { view, say, take } = await opened();
  const call = view.callTool("move").catch((error) => error);
  await take();
  await say('{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"no such square"}],"isError":true,"_meta":{"k":1}}}');
  const error = await call;
  assert.ok(error instanceof ToolError);
  assert.deepEqual(error.result, { content: [{ type: "text", text: "no such square" }], isError: true, _meta: { k: 1 } });
});

for (const [code, data] of [
  [-32002, { uri: "data://none" }],
  [-32602, undefined],
  [-32601, null],
  [-32603, "text"],
  [-32042, { elicitations: [] }],
])
  test(`wire: error ${code} comes through with its data`, async () => {
    const { view, say, take } = await opened();
    const reading = view.readResource("data://none").catch((error) => error);
    assert.deepEqual((await take())[0].params, { uri: "data://none" });
    await say(JSON.stringify({ jsonrpc: "2.0", id: 2, error: { code, message: "Resource not found", data } }));
    const error = await reading;
    assert.ok(error instanceof HostError);
    assert.deepEqual([error.code, error.message, error.data], [code, "Resource not found", data]);
  });

test("wire: ids of the two sides are apart, and id 0 is an id", async () => {
  const { view, say, take } = await opened();
  const call = view.callTool("move");
  await take();
  await say('{"jsonrpc":"2.0","id":0,"method":"ping"}', '{"jsonrpc":"2.0","id":2,"method":"ping"}');
  assert.deepEqual(await take(), [
    { jsonrpc: "2.0", id: 0, result: {} },
    { jsonrpc: "2.0", id: 2, result: {} },
  ]);
  await say('{"jsonrpc":"2.0","id":2,"result":{"content":[]}}');
  assert.deepEqual(await call, { content: [] });
});

test("wire: tools/list without params and tools/call are answered by a View with tools", async () => {
  const { view, say, take } = wire();
  view.registerTool("undo", { description: "Take back", inputSchema: { type: "object" } }, ({ n }) => ({
    content: [{ type: "text", text: `undone ${n}` }],
  }));
  assert.deepEqual((await take())[0].params.appCapabilities, { tools: { listChanged: true } });
  await say(ANSWER);
  await take();
  await say('{"jsonrpc":"2.0","id":0,"method":"tools/list"}', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"undo","arguments":{"n":2}}}');
  assert.deepEqual(await take(), [
    { jsonrpc: "2.0", id: 0, result: { tools: [{ description: "Take back", name: "undo", inputSchema: { type: "object" } }] } },
    { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "undone 2" }] } },
  ]);
  view.registerTool("redo", {}, () => ({}));
  assert.deepEqual(await take(), [{ jsonrpc: "2.0", method: "notifications/tools/list_changed", params: {} }]);
});

test("wire: a View without tools answers tools/list and unknown requests -32601", async () => {
  const { say, take } = await opened();
  await say('{"jsonrpc":"2.0","id":"a","method":"tools/list"}', '{"jsonrpc":"2.0","id":"b","method":"ui/of-the-future","params":{}}');
  assert.deepEqual((await take()).map(({ id, error }) => [id, error.code]), [["a", -32601], ["b", -32601]]);
});

test("wire: list_changed of the server comes through", async () => {
  const { view, say } = await opened();
  let changes = 0;
  view.on("notifications/resources/list_changed", () => changes++);
  await say('{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}');
  assert.equal(changes, 1);
});

test("wire: an abort is notifications/cancelled with the request's id; a late answer is dropped", async () => {
  const { view, say, take } = await opened();
  const controller = new AbortController();
  const call = view.callTool("slow", {}, { signal: controller.signal });
  await take();
  controller.abort("enough");
  await assert.rejects(call, (reason) => reason === "enough");
  assert.deepEqual(await take(), [{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2, reason: "enough" } }]);
  await say('{"jsonrpc":"2.0","id":2,"result":{"content":[]}}');
  assert.deepEqual(await take(), []);
});

test("wire: teardown is answered with an empty result, and with the id as it came", async () => {
  for (const id of [0, 5, "5", ""]) {
    const { say, take } = await opened();
    await say(JSON.stringify({ jsonrpc: "2.0", id, method: "ui/resource-teardown", params: { reason: "closed" } }));
    assert.deepEqual(await take(), [{ jsonrpc: "2.0", id, result: {} }]);
  }
});

test("wire: a refused handshake says nothing more", async (t) => {
  quietly(t, "error");
  const { view, say, take } = wire();
  await take();
  await say('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"not now"}}');
  await assert.rejects(view.ready, { code: -32603 });
  assert.deepEqual(await take(), []);
});

const AMBIENT = [null, "webpackHotUpdate", 7, [], {}, { type: "resize" }, { jsonrpc: "2.0" }, { jsonrpc: "2.0", id: 1 }, { jsonrpc: "2.0", result: {} }, { jsonrpc: 2, id: 1, method: "ping" }];
test("wire: what is no JSON-RPC message, and what another window says, is passed over", async () => {
  const { say, take, source, target } = await opened();
  for (const data of AMBIENT) source.dispatchEvent(Object.assign(new Event("message"), { data, source: target }));
  for (const other of [null, {}, globalThis])
    source.dispatchEvent(Object.assign(new Event("message"), { data: { jsonrpc: "2.0", id: 9, method: "ping" }, source: other }));
  assert.deepEqual(await take(), []);
  await say('{"jsonrpc":"2.0","id":9,"method":"ping"}');
  assert.deepEqual(await take(), [{ jsonrpc: "2.0", id: 9, result: {} }]);
});

test("wire: after close nothing is heard", async () => {
  const { view, say, take } = await opened();
  view.close();
  await say('{"jsonrpc":"2.0","id":9,"method":"ping"}');
  assert.deepEqual(await take(), []);
});
