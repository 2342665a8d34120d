import assert from "node:assert/strict";
import { test } from "node:test";
import { bridge, collect, pair, quietly, settled } from "./kit.mjs";

const { ToolCancelled } = bridge;
const text = (words) => ({ content: [{ type: "text", text: words }] });

test("trap 3, E42 K67 input and result that came long ago are there for a late reader", async () => {
  const { host, view } = pair();
  await host.sendToolInput({ city: "Oslo" });
  await host.sendToolResult(text("12 degrees"));
  await settled();
  assert.deepEqual(await view.toolInput, { city: "Oslo" });
  assert.deepEqual(await view.toolResult, text("12 degrees"));
  const late = [];
  view.on("toolinput", (args) => late.push(args));
  view.on("toolresult", (result) => late.push(result));
  await settled();
  assert.deepEqual(late, [{ city: "Oslo" }, text("12 degrees")]);
});

test("E43 the input is the same at every reading, and a second input changes nothing", async () => {
  const { host, view } = pair();
  const events = [];
  view.on("toolinput", (args) => events.push(args));
  await host.sendToolInput({ n: 1 });
  await host.sendToolInput({ n: 2 });
  await settled();
  assert.deepEqual(await view.toolInput, { n: 1 });
  assert.equal(view.toolInput, view.toolInput);
  assert.deepEqual(events, [{ n: 1 }]);
});

test("an input without arguments is an empty object", async () => {
  const { host, view } = pair();
  await host.notify("ui/notifications/tool-input");
  assert.deepEqual(await view.toolInput, {});
});

test("E44 partial inputs end when the complete one arrives, for late readers too", async () => {
  const { host, view } = pair();
  const early = collect(view.toolInputPartial);
  for (const city of ["O", "Os", "Osl"]) await host.sendToolInputPartial({ city });
  await host.sendToolInput({ city: "Oslo" });
  // More of them than are kept for a late reader.
  for (let n = 0; n < 120; n++) await host.sendToolInputPartial({ city: "too late" });
  await host.ping();
  const three = [{ city: "O" }, { city: "Os" }, { city: "Osl" }];
  assert.deepEqual(await early, three);
  assert.deepEqual(await collect(view.toolInputPartial), three);
});

test("of many partial inputs a late reader gets the last hundred, a slow one all", async () => {
  const { host, view } = pair();
  const slow = view.toolInputPartial[Symbol.asyncIterator]();
  const first = slow.next();
  for (let n = 0; n < 150; n++) await host.sendToolInputPartial({ n });
  await settled();
  await host.sendToolInput({});
  const all = await collect({ [Symbol.asyncIterator]: () => slow });
  assert.deepEqual([(await first).value, all.length, all[0]], [{ n: 0 }, 149, { n: 1 }]);
  const late = await collect(view.toolInputPartial);
  assert.deepEqual([late.length, late[0]], [100, { n: 50 }]);
});

test("E45 K69 a cancelled call rejects the result with the reason, and later results change nothing", async () => {
  const { host, view } = pair();
  const cancelled = [];
  view.on("toolcancelled", (detail) => cancelled.push(detail));
  await host.sendToolCancelled("the user stopped it");
  await host.sendToolResult(text("late"));
  await assert.rejects(view.toolResult, (error) => {
    assert.ok(error instanceof ToolCancelled);
    assert.deepEqual([error.name, error.reason, error.message], ["ToolCancelled", "the user stopped it", "the user stopped it"]);
    return true;
  });
  await settled();
  assert.deepEqual(cancelled, [{ reason: "the user stopped it" }]);
});

test("a cancellation without a reason says that it is one", async () => {
  const { host, view } = pair();
  await host.notify("ui/notifications/tool-cancelled");
  await assert.rejects(view.toolResult, ({ message, reason }) => message == "cancelled" && reason === undefined);
});

test("an unread rejection of the result never surfaces", async (t) => {
  const unhandled = t.mock.fn();
  process.on("unhandledRejection", unhandled);
  t.after(() => process.off("unhandledRejection", unhandled));
  const { host } = pair();
  await host.sendToolCancelled("stop");
  await settled();
  assert.equal(unhandled.mock.callCount(), 0);
});

test("trap 3 a second result never replaces the first, nor does a cancellation", async () => {
  const { host, view } = pair();
  const results = [];
  view.on("toolresult", (result) => results.push(result));
  await host.sendToolResult(text("first"));
  await host.sendToolResult(text("second"));
  await host.sendToolCancelled("third");
  await settled();
  assert.deepEqual(await view.toolResult, text("first"));
  assert.deepEqual(results, [text("first")]);
});

test("a failed result is a result, and one without content gets an empty list", async () => {
  const { host, view } = pair();
  await host.sendToolResult({ isError: true, structuredContent: { why: "rain" } });
  assert.deepEqual(await view.toolResult, { content: [], isError: true, structuredContent: { why: "rain" } });
});

test("trap 2, E46 K70 context updates are merged, nested objects kept whole", async () => {
  const hostContext = { theme: "light", styles: { variables: { "--font-sans": "serif", "--font-mono": "mono" } }, locale: "nb-NO" };
  const { host, view } = pair({ host: { hostContext } });
  await view.ready;
  assert.deepEqual({ ...view.hostContext }, hostContext);
  await host.sendContext({ theme: "dark" });
  await host.sendContext({ styles: { variables: { "--font-sans": "Inter" } } });
  await settled();
  assert.deepEqual({ ...view.hostContext }, { theme: "dark", styles: { variables: { "--font-sans": "Inter" } }, locale: "nb-NO" });
});

test("E46 the context is iterable: the current one, then every later one", async () => {
  const { host, view } = pair({ host: { hostContext: { theme: "light" } } });
  const themes = [];
  const reading = (async () => {
    for await (const { theme, locale } of view.hostContext) themes.push([theme, locale]);
  })();
  await view.ready;
  await host.sendContext({ theme: "dark" });
  await host.sendContext({ locale: "de" });
  await settled();
  assert.deepEqual(themes, [["light", undefined], ["dark", undefined], ["dark", "de"]]);
  const late = view.hostContext[Symbol.asyncIterator]();
  assert.deepEqual({ ...(await late.next()).value }, { theme: "dark", locale: "de" });
  await host.teardown();
  await reading;
});

test("a copy of the context is plain data", async () => {
  const { view } = pair({ host: { hostContext: { theme: "dark" } } });
  await view.ready;
  assert.deepEqual(structuredClone(view.hostContext), { theme: "dark" });
  assert.equal(JSON.stringify(view.hostContext), '{"theme":"dark"}');
});

test("trap 8 toolInfo keeps the request id as received, string or number", async () => {
  const tool = { name: "forecast", inputSchema: { type: "object" } };
  for (const id of [7, "7", 0, ""]) {
    const { view } = pair({ host: { hostContext: { toolInfo: { id, tool } } } });
    assert.equal(view.toolInfo, undefined);
    await view.ready;
    assert.deepEqual(view.toolInfo, { id, tool });
  }
});

test("trap 12 two Views of one realm share nothing", async () => {
  const one = pair();
  const two = pair();
  await one.host.sendToolInput({ n: 1 });
  await two.host.sendToolInput({ n: 2 });
  await one.host.sendContext({ theme: "dark" });
  await settled();
  assert.deepEqual([await one.view.toolInput, await two.view.toolInput], [{ n: 1 }, { n: 2 }]);
  assert.deepEqual([one.view.hostContext.theme, two.view.hostContext.theme], ["dark", undefined]);
});

test("K67 on gives the function that ends it, once ends itself, and a throwing listener stops nobody", async (t) => {
  const shown = quietly(t, "error");
  const { host, view } = pair();
  await view.ready;
  const seen = { all: 0, ended: 0, once: 0 };
  view.on("hostcontextchanged", () => {
    throw new Error("of the page");
  });
  view.on("hostcontextchanged", () => seen.all++);
  const off = view.on("hostcontextchanged", () => seen.ended++);
  view.on("hostcontextchanged", () => seen.once++, { once: true });
  await settled();
  off();
  await host.sendContext({ theme: "dark" });
  await settled();
  assert.deepEqual(seen, { all: 2, ended: 1, once: 1 });
  assert.equal(shown.callCount(), 2);
});

test("K97 list_changed of the server reaches those who listen", async () => {
  const { host, view } = pair();
  let heard = 0;
  view.on("notifications/tools/list_changed", () => heard++);
  await host.notify("notifications/tools/list_changed");
  await host.notify("notifications/resources/list_changed");
  await settled();
  assert.equal(heard, 1);
});
