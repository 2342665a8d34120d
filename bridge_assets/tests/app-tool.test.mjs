import assert from "node:assert/strict";
import { test } from "node:test";
import { pair, settled } from "./kit.mjs";

const schema = (validate, rest = {}) => ({ "~standard": { version: 1, vendor: "test", validate, ...rest } });
const names = async (host) => (await host.request("tools/list")).tools.map(({ name }) => name);

test("K86 K87 tools registered right after connect are declared, listed and called", async () => {
  const { host, view } = pair();
  view.registerTool(
    "move",
    { title: "Move", description: "Move a piece", inputSchema: { type: "object", properties: { to: { type: "string" } } }, annotations: { readOnlyHint: false } },
    ({ to }) => ({ content: [{ type: "text", text: `moved to ${to}` }], structuredContent: { to } }),
  );
  assert.deepEqual((await host.initialized).appCapabilities, { tools: { listChanged: true } });
  assert.deepEqual(await host.request("tools/list", {}, "list"), {
    tools: [{ name: "move", title: "Move", description: "Move a piece", inputSchema: { type: "object", properties: { to: { type: "string" } } }, annotations: { readOnlyHint: false } }],
  });
  assert.deepEqual(await host.request("tools/call", { name: "move", arguments: { to: "e4" } }, "call"), {
    content: [{ type: "text", text: "moved to e4" }],
    structuredContent: { to: "e4" },
  });
  assert.equal(host.all("notifications/tools/list_changed").length, 0);
  host.close();
});

test("K88 each change is told: register, update, disable, enable, remove", async () => {
  const { host, view } = pair({ tools: true });
  await view.ready;
  const changes = () => host.all("notifications/tools/list_changed").length;
  const tool = view.registerTool("a", { description: "old" }, () => ({ content: [] }));
  await settled();
  assert.deepEqual([await names(host), changes()], [["a"], 1]);
  tool.update({ description: "new" });
  await settled();
  assert.equal((await host.request("tools/list")).tools[0].description, "new");
  assert.equal(changes(), 2);
  tool.disable();
  await settled();
  assert.deepEqual([await names(host), changes()], [[], 3]);
  await assert.rejects(host.request("tools/call", { name: "a" }), { code: -32602, message: "Unknown tool: a" });
  tool.enable();
  await settled();
  assert.deepEqual([await names(host), changes()], [["a"], 4]);
  tool.remove();
  await settled();
  assert.deepEqual([await names(host), changes()], [[], 5]);
  await assert.rejects(host.request("tools/call", { name: "a" }), { code: -32602 });
  host.close();
});

test("K88 update replaces the handler too", async () => {
  const { host, view } = pair({ tools: true });
  const tool = view.registerTool("a", {}, () => ({ structuredContent: { n: 1 } }));
  tool.update({ handler: () => ({ structuredContent: { n: 2 } }) });
  assert.deepEqual(await host.request("tools/call", { name: "a" }), { content: [], structuredContent: { n: 2 } });
});

test("trap 13 a tool that the handshake did not announce is refused and not registered", async () => {
  const { host, view } = pair();
  await view.ready;
  assert.throws(() => view.registerTool("a", {}, () => ({})), { name: "BridgeError", message: "connect({ tools: true }) first" });
  await assert.rejects(host.request("tools/list"), { code: -32601 });
});

test("K89 validation is awaited and its parsed value is what the handler gets", async () => {
  const { host, view } = pair();
  const seen = [];
  const inputSchema = schema(async ({ n }) => ({ value: { n: Number(n) } }));
  view.registerTool("add", { inputSchema }, (args) => {
    seen.push(args);
    return { content: [] };
  });
  await host.request("tools/call", { name: "add", arguments: { n: "41" } });
  assert.deepEqual(seen, [{ n: 41 }]);
});

test("K89 arguments that do not fit are an isError result with every path", async () => {
  const { host, view } = pair();
  const issues = [{ path: ["from", { key: 0 }], message: "too short" }, { message: "one of them" }];
  view.registerTool("add", { inputSchema: schema(async () => ({ issues })) }, () => assert.fail("called"));
  assert.deepEqual(await host.request("tools/call", { name: "add", arguments: {} }), {
    content: [{ type: "text", text: "Validation failed: from: 0: too short; one of them" }],
    isError: true,
  });
});

test("K90 tools/list has JSON Schema, also for a Standard Schema", async () => {
  const { host, view } = pair();
  const json = { input: ({ target }) => ({ type: "object", title: `in ${target}` }), output: () => ({ type: "object", title: "out" }) };
  view.registerTool("typed", { inputSchema: schema(() => ({}), { jsonSchema: json }), outputSchema: schema(() => ({}), { jsonSchema: json }) }, () => ({}));
  view.registerTool("opaque", { inputSchema: schema(() => ({})) }, () => ({}));
  view.registerTool("bare", {}, () => ({}));
  assert.deepEqual((await host.request("tools/list")).tools, [
    { name: "typed", inputSchema: { type: "object", title: "in draft-2020-12" }, outputSchema: { type: "object", title: "out" } },
    { name: "opaque", inputSchema: { type: "object" } },
    { name: "bare", inputSchema: { type: "object" } },
  ]);
});

test("a handler that throws is an isError result", async () => {
  const { host, view } = pair();
  view.registerTool("a", {}, async () => Promise.reject(new Error("no board")));
  view.registerTool("b", {}, () => {
    throw "a text";
  });
  assert.deepEqual(await host.request("tools/call", { name: "a" }), { content: [{ type: "text", text: "no board" }], isError: true });
  assert.deepEqual(await host.request("tools/call", { name: "b" }), { content: [{ type: "text", text: "a text" }], isError: true });
});

test("the handler gets the call's id and a signal that the host's cancellation aborts, and no answer goes out", async () => {
  const { host, view } = pair();
  let aborted = () => {};
  const abort = new Promise((resolve) => (aborted = resolve));
  view.registerTool("slow", {}, (_, { id, signal }) => new Promise((resolve) => signal.addEventListener("abort", () => (aborted(id), resolve({})))));
  host.request("tools/call", { name: "slow" }, "c1");
  await host.initialized;
  await settled();
  await host.notify("notifications/cancelled", { requestId: "c1" });
  assert.equal(await abort, "c1");
  await settled();
  assert.deepEqual(host.received.filter(({ method }) => !method), []);
});

test("teardown aborts the calls of the View's tools and still answers them", async () => {
  const { host, view } = pair();
  view.registerTool("slow", {}, (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))));
  const call = host.request("tools/call", { name: "slow" });
  await host.initialized;
  await settled();
  await host.teardown();
  assert.deepEqual(await call, { content: [{ type: "text", text: "the View is being removed" }], isError: true });
});

test("what fails inside the bridge's own answer is -32603 with the reason", async () => {
  const { host, view } = pair();
  const json = {
    input() {
      throw new Error("this type has no JSON Schema");
    },
  };
  view.registerTool("odd", { inputSchema: schema(() => ({}), { jsonSchema: json }) }, () => ({}));
  await assert.rejects(host.request("tools/list"), { code: -32603, message: "this type has no JSON Schema" });
});
