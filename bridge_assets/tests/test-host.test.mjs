import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { createHost, RpcError } from "../test-host/index.js";
import { settled } from "./kit.mjs";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "ui/initialize",
  params: { appInfo: { name: "raw", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" },
};
const INITIALIZED = { jsonrpc: "2.0", method: "ui/notifications/initialized" };

/** A page that is nothing but what it posts and hears. */
const raw = (options) => {
  const host = createHost(options);
  const heard = [];
  host.source.addEventListener("message", ({ data, source }) => {
    assert.equal(source, host.target);
    heard.push(data);
  });
  return { host, heard, post: (message) => host.target.postMessage(message) };
};
const opened = async (options) => {
  const page = raw(options);
  page.post(INITIALIZE);
  await settled();
  page.post(INITIALIZED);
  await settled();
  return page;
};

test("trap 10, K140 the test host imports nothing of the bridge", async () => {
  const folder = new URL("../test-host/", import.meta.url);
  for (const name of await readdir(folder))
    for (const [, from] of (await readFile(new URL(name, folder), "utf8")).matchAll(/(?:from|import)\s*\(?\s*["'`]([^"'`]+)/g))
      assert.match(from, /^\.\/[\w-]+\.js$/, `${name} imports ${from}`);
});

test("E70 id 0 is answered with all four fields, and nothing else is said before initialized", async () => {
  const { host, heard, post } = raw({ hostContext: { theme: "dark" } });
  host.sendToolInput({ n: 1 });
  host.sendToolResult({ content: [] });
  await settled();
  assert.deepEqual(heard, []);
  post(INITIALIZE);
  await settled();
  assert.deepEqual(heard, [
    {
      jsonrpc: "2.0",
      id: 0,
      result: {
        protocolVersion: "2026-01-26",
        hostInfo: { name: "test-host", version: "1.0.0" },
        hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {}, logging: {} },
        hostContext: { theme: "dark" },
      },
    },
  ]);
  post(INITIALIZED);
  await settled();
  assert.deepEqual(heard.slice(1), [
    { jsonrpc: "2.0", method: "ui/notifications/tool-input", params: { arguments: { n: 1 } } },
    { jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { content: [] } },
  ]);
});

test("E70 it records, answers, refuses and reports what the View cancels", async () => {
  const { host, heard, post } = await opened({ answers: { "tools/call": ({ name }) => ({ content: [{ type: "text", text: name }] }) } });
  post({ jsonrpc: "2.0", id: "a", method: "tools/call", params: { name: "one" } });
  host.refuse("ui/open-link", -32000, "denied", { why: 1 });
  post({ jsonrpc: "2.0", id: "b", method: "ui/open-link", params: { url: "https://a.example" } });
  await settled();
  assert.deepEqual(heard.slice(1), [
    { jsonrpc: "2.0", id: "a", result: { content: [{ type: "text", text: "one" }] } },
    { jsonrpc: "2.0", id: "b", error: { code: -32000, message: "denied", data: { why: 1 } } },
  ]);
  assert.equal(host.all("tools/call")[0].params.name, "one");
  assert.equal((await host.next("tools/call")).id, "a");
});

test("E70 its requests give the result, or an RpcError with code and data", async () => {
  const { host, post } = await opened();
  const answer = host.request("tools/list", {}, "q");
  await settled();
  post({ jsonrpc: "2.0", id: "q", result: { tools: [] } });
  assert.deepEqual(await answer, { tools: [] });
  const refused = host.ping();
  await settled();
  post({ jsonrpc: "2.0", id: 0, error: { code: -32601, message: "no", data: [1] } });
  await assert.rejects(refused, (error) => error instanceof RpcError && error.code == -32601 && error.data[0] == 1);
});

test("a refused handshake is never opened", async () => {
  const { host, heard, post } = raw();
  host.refuse("ui/initialize", -32602, "no");
  host.sendToolInput({});
  post(INITIALIZE);
  await settled();
  post(INITIALIZED);
  await settled();
  assert.deepEqual(heard.map(({ error }) => error?.code), [-32602]);
  assert.deepEqual(host.violations, ['"ui/notifications/initialized" without a successful answer to "ui/initialize"']);
});

const request = (method, params = {}, id = 5) => ({ jsonrpc: "2.0", id, method, params });
const notification = (method, params = {}) => ({ jsonrpc: "2.0", method, params });
/** Messages after the handshake: what is wrong with each. */
const BROKEN = [
  ["text", /not a JSON-RPC 2\.0 message/],
  [{ id: 1, method: "ping" }, /not a JSON-RPC 2\.0 message/],
  [request("ping", {}, null), /an id must be a string or an integer/],
  [request("ping", {}, 0), /id 0 was used before/],
  [request("ping", []), /params must be an object/],
  [{ jsonrpc: "2.0", id: 77, result: {} }, /which the host never asked/],
  [request("ui/log", {}), /"ui\/log" is no message of a View/],
  [notification("ui/notifications/sandbox-proxy-ready"), /is no message of a View/],
  [request("toString"), /is no message of a View/],
  [notification("ui/open-link", { url: "https://a.example" }), /must be a request/],
  [request("ui/notifications/size-changed", { height: 1 }), /must be a notification/],
  [request("ui/open-link"), /params\.url is absent/],
  [request("ui/message", { role: "assistant", content: [] }), /params\.role is "assistant"/],
  [request("ui/message", { role: "user", content: "hi" }), /params\.content is "hi"/],
  [request("ui/update-model-context", { structuredContent: [] }), /params\.structuredContent/],
  [request("ui/request-display-mode", { mode: "wide" }), /params\.mode is "wide"/],
  [request("tools/call", { name: "x", arguments: [] }), /params\.arguments/],
  [notification("ui/notifications/size-changed", { height: "9" }), /params\.height is "9"/],
  [notification("notifications/message", { level: "loud", data: 1 }), /params\.level is "loud"/],
  [notification("notifications/message", { level: "info" }), /params\.data is absent/],
  [notification("notifications/tools/list_changed"), /without app capability tools\.listChanged/],
  [request("sampling/createMessage", { messages: [], maxTokens: 1 }), /without host capability sampling/],
];
for (const [message, expected] of BROKEN)
  test(`strict: ${JSON.stringify(message)} fails the test`, async () => {
    const { host, post } = await opened({ strict: true });
    post(message);
    await settled();
    assert.match(host.violations.join(), expected);
    await assert.rejects(host.ping(), /the View broke a rule/);
    assert.throws(() => host.close(), expected);
  });

test("strict: what a View may do breaks no rule", async () => {
  const { host, post } = await opened({ strict: true });
  post(request("ui/message", { role: "user", content: { type: "text", text: "hi" } }, "m"));
  post(notification("ui/notifications/size-changed", { width: 1.5 }));
  post(request("resources/templates/list", {}, 6));
  await settled();
  assert.deepEqual(host.violations, []);
  host.close();
});

for (const [missing, expected] of [["appInfo", /params\.appInfo is absent/], ["appCapabilities", /params\.appCapabilities is absent/], ["protocolVersion", /params\.protocolVersion is absent/]])
  test(`strict: ui/initialize without ${missing} is refused`, async () => {
    const { host, heard, post } = raw({ strict: true });
    const { [missing]: _, ...params } = INITIALIZE.params;
    post({ ...INITIALIZE, params });
    await settled();
    assert.equal(heard[0].error.code, -32600);
    assert.throws(() => host.close(), expected);
  });

test("strict: a call before initialized fails the test", async () => {
  const { host, post } = raw({ strict: true });
  post(INITIALIZE);
  await settled();
  post(request("tools/call", { name: "x" }));
  await settled();
  assert.throws(() => host.close(), /"tools\/call" before "ui\/notifications\/initialized"/);
});

test("strict: a display mode needs both declarations", async () => {
  const { host, post } = raw({ strict: true, hostContext: { availableDisplayModes: ["inline", "pip"] } });
  post({ ...INITIALIZE, params: { ...INITIALIZE.params, appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] } } });
  await settled();
  post(INITIALIZED);
  await settled();
  post(request("ui/request-display-mode", { mode: "inline" }, 1));
  post(request("ui/request-display-mode", { mode: "pip" }, 2));
  post(request("ui/request-display-mode", { mode: "fullscreen" }, 3));
  await settled();
  assert.deepEqual(host.violations, [
    'display mode "pip" was not declared in "ui/initialize"',
    'display mode "fullscreen" is not among the host\'s availableDisplayModes',
  ]);
});

test("strict: a View that declares tools must answer for them, and every View answers ping", async () => {
  const { host, post } = raw({ strict: true });
  post({ ...INITIALIZE, params: { ...INITIALIZE.params, appCapabilities: { tools: {} } } });
  await settled();
  post(INITIALIZED);
  await settled();
  host.request("tools/list", {}, "t").catch(() => {});
  host.request("ping", {}, "p").catch(() => {});
  await settled();
  for (const id of ["t", "p"]) post({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } });
  await settled();
  assert.deepEqual(host.violations, ['"tools/list" must be answered', '"ping" must be answered']);
});

test("without strict the faults are recorded and the page goes on", async () => {
  const { host, heard, post } = await opened();
  post(request("ui/open-link", {}));
  await settled();
  assert.equal(host.violations.length, 1);
  assert.deepEqual(heard.at(-1).result, {});
  host.close();
});
