import assert from "node:assert/strict";
import { test } from "node:test";
import { RpcError } from "../test-host/index.js";
import { bridge, pair, settled } from "./kit.mjs";

const { BridgeError, CapabilityError, HostError, TimeoutError, ToolError } = bridge;
const text = (words) => ({ content: [{ type: "text", text: words }] });

/** What each method puts on the wire. */
const REQUESTS = [
  ["E49 K72 callTool", (view) => view.callTool("clock", { zone: "UTC" }), "tools/call", { name: "clock", arguments: { zone: "UTC" }, _meta: { progressToken: 2 } }],
  ["K72 callTool without arguments", (view) => view.callTool("clock"), "tools/call", { name: "clock", arguments: {}, _meta: { progressToken: 2 } }],
  ["E51 K73 readResource", (view) => view.readResource("data://a"), "resources/read", { uri: "data://a" }],
  ["listTools", (view) => view.listTools(), "tools/list", {}],
  ["listTools of a page", (view) => view.listTools({ cursor: "c2" }), "tools/list", { cursor: "c2" }],
  ["listResources", (view) => view.listResources(), "resources/list", {}],
  ["E52 K76 openLink", (view) => view.openLink("https://a.example/"), "ui/open-link", { url: "https://a.example/" }],
  ["E53 K74 sendMessage of a text", (view) => view.sendMessage("hi"), "ui/message", { role: "user", content: [{ type: "text", text: "hi" }] }],
  ["E53 sendMessage of a block", (view) => view.sendMessage({ type: "text", text: "hi" }), "ui/message", { role: "user", content: [{ type: "text", text: "hi" }] }],
  ["E53 sendMessage of blocks", (view) => view.sendMessage([{ type: "text", text: "hi" }]), "ui/message", { role: "user", content: [{ type: "text", text: "hi" }] }],
  ["E54 K75 updateModelContext", (view) => view.updateModelContext({ content: "3 chosen", structuredContent: { chosen: 3 } }), "ui/update-model-context", { content: [{ type: "text", text: "3 chosen" }], structuredContent: { chosen: 3 } }],
  ["E54 updateModelContext without content", (view) => view.updateModelContext({ structuredContent: {} }), "ui/update-model-context", { structuredContent: {} }],
  ["E55 K78 requestDisplayMode", (view) => view.requestDisplayMode("fullscreen"), "ui/request-display-mode", { mode: "fullscreen" }],
  ["E58 K77 downloadFile", (view) => view.downloadFile({ type: "resource_link", uri: "https://a.example/x", name: "x" }), "ui/download-file", { contents: [{ type: "resource_link", uri: "https://a.example/x", name: "x" }] }],
  ["ping", (view) => view.ping(), "ping", {}],
];
for (const [name, run, method, params] of REQUESTS)
  test(`${name} sends ${method}`, async () => {
    const { host, view } = pair();
    await run(view);
    assert.deepEqual(host.all(method), [{ jsonrpc: "2.0", id: 2, method, params }]);
    host.close();
  });

const NOTIFICATIONS = [
  ["E56 K97 sendSizeChanged", (view) => view.sendSizeChanged({ width: 300, height: 200 }), "ui/notifications/size-changed", { width: 300, height: 200 }],
  ["E57 K80 log", (view) => view.log("info", { n: 1 }, "chart"), "notifications/message", { level: "info", data: { n: 1 }, logger: "chart" }],
  ["E57 log without a logger", (view) => view.log("error", "text"), "notifications/message", { level: "error", data: "text" }],
  ["E59 K79 requestTeardown", (view) => view.requestTeardown(), "ui/notifications/request-teardown", {}],
  ["K91 sendToolListChanged", (view) => view.sendToolListChanged(), "notifications/tools/list_changed", {}],
];
for (const [name, run, method, params] of NOTIFICATIONS)
  test(`${name} sends ${method}`, async () => {
    const { host, view } = pair({ tools: true });
    await run(view);
    assert.deepEqual(await host.next(method), { jsonrpc: "2.0", method, params });
    host.close();
  });

test("K82 what is asked before the handshake is sent after it, in order", async () => {
  const { host, view } = pair();
  view.log("info", "first");
  const second = view.openLink("https://a.example/");
  await second;
  assert.deepEqual(host.received.map(({ method }) => method), ["ui/initialize", "ui/notifications/initialized", "notifications/message", "ui/open-link"]);
  host.close();
});

const LACKING = [
  ["callTool", (view) => view.callTool("x"), "tools/call", "serverTools"],
  ["listTools", (view) => view.listTools(), "tools/list", "serverTools"],
  ["readResource", (view) => view.readResource("a://b"), "resources/read", "serverResources"],
  ["listResources", (view) => view.listResources(), "resources/list", "serverResources"],
  ["openLink", (view) => view.openLink("https://a.example"), "ui/open-link", "openLinks"],
  ["log", (view) => view.log("info", "x"), "notifications/message", "logging"],
  ["createMessage", (view) => view.createMessage({ messages: [], maxTokens: 1 }), "sampling/createMessage", "sampling"],
];
for (const [name, run, method, capability] of LACKING)
  test(`E60 ${name} fails at once without ${capability}, and nothing is sent`, async () => {
    const { host, view } = pair({ host: { hostCapabilities: {} } });
    await assert.rejects(run(view), (error) => {
      assert.ok(error instanceof CapabilityError && error instanceof BridgeError);
      assert.deepEqual([error.name, error.capability, error.message], ["CapabilityError", capability, `${method} needs host capability ${capability}`]);
      return true;
    });
    await settled();
    assert.deepEqual(host.received.map((message) => message.method), ["ui/initialize", "ui/notifications/initialized"]);
  });

test("E60 methods without a stable capability are sent to a host that declares nothing", async () => {
  const { host, view } = pair({ host: { hostCapabilities: {} } });
  await view.sendMessage("hi");
  await view.updateModelContext({ content: "x" });
  await view.requestDisplayMode("pip");
  await view.downloadFile([{ type: "resource", resource: { uri: "file:///a.txt", text: "a" } }]);
  await view.requestTeardown();
  await view.sendSizeChanged({ width: 1, height: 1 });
  await settled();
  assert.deepEqual(host.received.slice(2).map(({ method }) => method), ["ui/message", "ui/update-model-context", "ui/request-display-mode", "ui/download-file", "ui/notifications/request-teardown", "ui/notifications/size-changed"]);
  host.close();
});

test("createMessage with tools needs sampling.tools; both are the draft's MUST", async () => {
  const params = { messages: [{ role: "user", content: { type: "text", text: "hi" } }], maxTokens: 9 };
  const answer = { role: "assistant", content: { type: "text", text: "hello" }, model: "m" };
  const plain = pair({ host: { hostCapabilities: { sampling: {} }, answers: { "sampling/createMessage": answer } } });
  assert.deepEqual(await plain.view.createMessage(params), answer);
  await assert.rejects(plain.view.createMessage({ ...params, tools: [] }), { capability: "sampling.tools" });
  const full = pair({ host: { hostCapabilities: { sampling: { tools: {} } }, answers: { "sampling/createMessage": answer } } });
  assert.deepEqual(await full.view.createMessage({ ...params, tools: [] }), answer);
  plain.host.close();
});

test("an unread rejection of a notification never surfaces", async (t) => {
  const unhandled = t.mock.fn();
  process.on("unhandledRejection", unhandled);
  t.after(() => process.off("unhandledRejection", unhandled));
  const { view } = pair({ host: { hostCapabilities: {} } });
  view.log("info", "nobody hears");
  await view.ready;
  await settled();
  assert.equal(unhandled.mock.callCount(), 0);
});

test("E50 a failed tool is a ToolError that keeps the raw result", async () => {
  const result = { ...text("no such city"), isError: true, structuredContent: { code: 4 }, _meta: { x: 1 } };
  const { view } = pair({ host: { answers: { "tools/call": result } } });
  await assert.rejects(view.callTool("forecast"), (error) => {
    assert.ok(error instanceof ToolError);
    assert.equal(error.message, "no such city");
    assert.deepEqual(error.result, result);
    return true;
  });
});

test("E49 the result is as received", async () => {
  const result = { ...text("12"), structuredContent: { degrees: 12 }, _meta: { unit: "C" } };
  const { view } = pair({ host: { answers: { "tools/call": result } } });
  assert.deepEqual(await view.callTool("forecast"), result);
});

test("trap 7, K72 an error answer keeps code and data", async () => {
  const { host, view } = pair();
  host.refuse("tools/call", -32042, "sign in first", { url: "https://a.example/login" });
  await assert.rejects(view.callTool("x"), (error) => {
    assert.ok(error instanceof HostError);
    assert.deepEqual([error.name, error.message, error.code, error.data], ["HostError", "sign in first", -32042, { url: "https://a.example/login" }]);
    return true;
  });
});

test("both styles of denial are one error type", async () => {
  const { host, view } = pair();
  host.refuse("ui/open-link", -32000, "not allowed", { policy: 1 });
  host.answer("ui/message", { isError: true, content: [{ type: "text", text: "the user said no" }] });
  host.answer("ui/download-file", { isError: true });
  await assert.rejects(view.openLink("https://a.example"), { name: "HostError", message: "not allowed", code: -32000, data: { policy: 1 } });
  await assert.rejects(view.sendMessage("hi"), { name: "HostError", message: "the user said no", code: -32000, data: { isError: true, content: [{ type: "text", text: "the user said no" }] } });
  await assert.rejects(view.downloadFile([]), { name: "HostError", message: "ui/download-file failed", code: -32000, data: { isError: true } });
});

test("E55 requestDisplayMode gives the mode really set", async () => {
  const { host, view } = pair({ host: { hostContext: { displayMode: "inline" } } });
  host.answer("ui/request-display-mode", { mode: "inline" });
  assert.equal(await view.requestDisplayMode("fullscreen"), "inline");
});

test("V4 a mode that the host does not offer is not asked for", async () => {
  const { host, view } = pair({ host: { hostContext: { displayMode: "pip", availableDisplayModes: ["inline", "pip"] } } });
  assert.equal(await view.requestDisplayMode("fullscreen"), "pip");
  assert.equal(host.all("ui/request-display-mode").length, 0);
  assert.equal(await view.requestDisplayMode("inline"), "inline");
  assert.equal(host.all("ui/request-display-mode").length, 1);
});

test("V3 a mode that the View did not declare is not asked for", async () => {
  const { host, view } = pair({ displayModes: ["inline"] });
  assert.equal(await view.requestDisplayMode("fullscreen"), "inline");
  assert.equal(host.all("ui/request-display-mode").length, 0);
});

test("K81 an aborted call is cancelled on the wire and rejects with the signal's reason", async () => {
  const { host, view } = pair();
  const cancelled = new Promise((resolve) =>
    host.answer("tools/call", (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => resolve(signal.reason)))),
  );
  const controller = new AbortController();
  const call = view.callTool("slow", {}, { signal: controller.signal });
  const { id } = await host.next("tools/call");
  controller.abort(new Error("changed my mind"));
  await assert.rejects(call, { message: "changed my mind" });
  assert.deepEqual((await host.next("notifications/cancelled")).params, { requestId: id, reason: "Error: changed my mind" });
  assert.equal(await cancelled, "Error: changed my mind");
  host.post({ id, result: text("too late") });
  await settled();
  host.close();
});

test("K81 a call that is aborted already is never sent", async () => {
  const { host, view } = pair();
  await assert.rejects(view.callTool("x", {}, { signal: AbortSignal.abort(new Error("before")) }), { message: "before" });
  await settled();
  assert.deepEqual(host.received.map(({ method }) => method), ["ui/initialize", "ui/notifications/initialized"]);
});

test("an abort after the answer sends nothing", async () => {
  const { host, view } = pair();
  const controller = new AbortController();
  await view.callTool("x", {}, { signal: controller.signal });
  controller.abort();
  await settled();
  assert.equal(host.all("notifications/cancelled").length, 0);
});

test("a request that is not answered times out and is cancelled on the wire", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { host, view } = pair();
  host.ignore("resources/read");
  const reading = view.readResource("a://b", { timeout: 500 });
  await host.next("resources/read");
  t.mock.timers.tick(499);
  await settled();
  assert.equal(host.all("notifications/cancelled").length, 0);
  t.mock.timers.tick(1);
  await assert.rejects(reading, (error) => error instanceof TimeoutError && error.timeout == 500);
  await settled();
  assert.equal(host.all("notifications/cancelled").length, 1);
});

test("the time-out is 60 seconds unless said otherwise, and Infinity waits", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { host, view } = pair();
  host.ignore("ui/open-link");
  host.ignore("tools/call");
  const link = view.openLink("https://a.example");
  const call = view.callTool("x", {}, { timeout: Infinity });
  await host.next("tools/call");
  t.mock.timers.tick(60000);
  await assert.rejects(link, { timeout: 60000 });
  t.mock.timers.tick(2 ** 31);
  host.post({ id: host.all("tools/call")[0].id, result: text("at last") });
  assert.deepEqual(await call, text("at last"));
});

test("progress is handed on and starts the time-out anew", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { host, view } = pair();
  let step = () => {};
  let finish = () => {};
  host.answer("tools/call", (_, { progress }) => {
    step = progress;
    return new Promise((resolve) => (finish = resolve));
  });
  const updates = [];
  const call = view.callTool("slow", {}, { timeout: 1000, onProgress: ({ progress, total }) => updates.push([progress, total]) });
  await host.next("tools/call");
  for (const progress of [1, 2]) {
    t.mock.timers.tick(900);
    step({ progress, total: 2 });
    await settled();
  }
  t.mock.timers.tick(900);
  finish(text("done"));
  assert.deepEqual(await call, text("done"));
  assert.deepEqual(updates, [[1, 2], [2, 2]]);
});

test("progress of a tool call resets the time-out although nobody listens to it", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { host, view } = pair();
  let step = () => {};
  host.answer("tools/call", (_, { progress }) => new Promise(() => (step = progress)));
  const call = view.callTool("slow", {}, { timeout: 1000 });
  await host.next("tools/call");
  t.mock.timers.tick(900);
  step({ progress: 1 });
  await settled();
  t.mock.timers.tick(999);
  await settled();
  assert.equal(host.all("notifications/cancelled").length, 0);
  t.mock.timers.tick(1);
  await assert.rejects(call, TimeoutError);
});

test("values that cannot be cloned are sent as the JSON they stand for", async () => {
  const { host, view } = pair();
  const reactive = new Proxy({ list: [1, 2] }, {});
  await view.callTool("x", { reactive, at: new Date(0), gone: undefined, run: () => {} });
  assert.deepEqual(host.all("tools/call")[0].params.arguments, { reactive: { list: [1, 2] }, at: "1970-01-01T00:00:00.000Z" });
});

test("what has no JSON rejects, and nothing is sent", async () => {
  const { host, view } = pair();
  await assert.rejects(view.callTool("x", { big: 1n }), TypeError);
  assert.equal(host.all("tools/call").length, 0);
});

test("K96 trace context goes with requests and notifications; the caller's own values win", async () => {
  const { host, view } = pair();
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  view.setTraceContextProvider(() => ({ traceparent, tracestate: "a=1" }));
  await view.openLink("https://a.example");
  await view.log("info", "x");
  await view.createMessage({ messages: [], maxTokens: 1, _meta: { traceparent: "mine" } }).catch(() => {});
  await view.callTool("x");
  await settled();
  assert.deepEqual(host.all("ui/initialize")[0].params._meta, { traceparent, tracestate: "a=1" });
  assert.deepEqual(host.all("ui/notifications/initialized")[0].params, { _meta: { traceparent, tracestate: "a=1" } });
  assert.deepEqual(host.all("ui/open-link")[0].params._meta, { traceparent, tracestate: "a=1" });
  assert.deepEqual(host.all("notifications/message")[0].params._meta, { traceparent, tracestate: "a=1" });
  assert.deepEqual(host.all("tools/call")[0].params._meta, { traceparent, tracestate: "a=1", progressToken: 3 });
  view.setTraceContextProvider(null);
  await view.ping();
  assert.deepEqual(host.all("ping")[0].params, {});
});

test("K96 the caller's own trace context wins", async () => {
  const { host, view } = pair({ host: { hostCapabilities: { sampling: {} }, answers: { "sampling/createMessage": { role: "assistant", content: {}, model: "m" } } } });
  view.setTraceContextProvider(() => ({ traceparent: "theirs", tracestate: "a=1" }));
  await view.createMessage({ messages: [], maxTokens: 1, _meta: { traceparent: "mine" } });
  assert.deepEqual(host.all("sampling/createMessage")[0].params._meta, { traceparent: "mine", tracestate: "a=1" });
});

test("K96 a provider that throws or has nothing blocks no message and changes none", async (t) => {
  const shown = t.mock.method(console, "error", () => {});
  const { host, view } = pair();
  view.setTraceContextProvider(() => {
    throw new Error("no tracer");
  });
  await view.ping();
  for (const nothing of [null, undefined, {}, { tracestate: "a=1" }]) {
    view.setTraceContextProvider(() => nothing);
    await view.ping();
  }
  assert.deepEqual(host.all("ping").map(({ params }) => params), [{}, {}, {}, {}, {}]);
  assert.equal(shown.mock.callCount(), 3);
});

test("RpcError of the test host is no error of the bridge", () => assert.ok(!(new RpcError("x") instanceof BridgeError)));
