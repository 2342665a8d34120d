import assert from "node:assert/strict";
import { test } from "node:test";
import { collect, pair, quietly, settled } from "./kit.mjs";

test("trap 1, E61 K84 abort, then finalizers last in first out and awaited, then the answer", async () => {
  const { host, view } = pair();
  const steps = [];
  const later = async (name) => {
    await settled();
    steps.push(name);
  };
  view.on("teardown", ({ reason }) => steps.push(`event ${reason}`));
  view.run(async ({ signal, defer }) => {
    signal.addEventListener("abort", () => steps.push("abort"));
    defer(() => later("first"));
    defer(() => later("second"));
  });
  await view.ready;
  await settled();
  assert.deepEqual(await host.request("ui/resource-teardown", { reason: "closed" }, 0), {});
  steps.push("answer");
  assert.deepEqual(steps, ["abort", "event closed", "second", "first", "answer"]);
  host.close();
});

test("E61 programs, nested ones too, have ended before finalizers run", async () => {
  const { host, view } = pair();
  const steps = [];
  const untilAborted = (signal, name) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))).finally(async () => {
      await settled();
      steps.push(name);
    });
  view.run(async ({ signal, defer }) => {
    defer(() => steps.push("finalizer"));
    view.run(({ signal: inner }) => untilAborted(inner, "inner"));
    await untilAborted(signal, "outer");
  });
  await view.ready;
  await settled();
  await host.teardown();
  assert.deepEqual([steps.slice(0, 2).sort(), steps[2]], [["inner", "outer"], "finalizer"]);
});

test("E61 streams end and requests in flight are given up, on the wire too", async () => {
  const { host, view } = pair();
  host.ignore("tools/call");
  const contexts = collect(view.hostContext);
  const partials = collect(view.toolInputPartial);
  const call = view.callTool("slow");
  const { id } = await host.next("tools/call");
  const ended = host.teardown();
  await assert.rejects(call, { name: "BridgeError", message: "the View is being removed" });
  assert.deepEqual((await host.next("notifications/cancelled")).params.requestId, id);
  await ended;
  assert.equal((await contexts).length, 1);
  assert.deepEqual(await partials, []);
});

test("E61 a finalizer may still talk to the host", async () => {
  const { host, view } = pair();
  view.run(({ defer }) => defer(() => view.callTool("save", { draft: "x" })));
  await view.ready;
  await settled();
  await host.teardown();
  assert.deepEqual(host.received.map(({ method }) => method), ["ui/initialize", "ui/notifications/initialized", "tools/call", undefined]);
});

test("a finalizer that throws is shown and stops neither the others nor the answer", async (t) => {
  const shown = quietly(t, "error");
  const { host, view } = pair();
  const steps = [];
  view.run(({ defer }) => {
    defer(() => steps.push("first"));
    defer(() => {
      throw new Error("of the page");
    });
  });
  await view.ready;
  await settled();
  assert.deepEqual(await host.teardown(), {});
  assert.deepEqual([steps, shown.callCount()], [["first"], 1]);
});

test("a program that ignores its signal delays the answer by a second, no more", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { host, view } = pair();
  let finalized = false;
  view.run(({ defer }) => {
    defer(() => (finalized = true));
    return new Promise(() => {});
  });
  await view.ready;
  await settled();
  const ended = host.teardown();
  await settled();
  t.mock.timers.tick(999);
  await settled();
  assert.equal(finalized, false);
  t.mock.timers.tick(1);
  await ended;
  assert.equal(finalized, true);
});

test("a program that teardown aborts rejects unread without a trace", async (t) => {
  const unhandled = t.mock.fn();
  process.on("unhandledRejection", unhandled);
  t.after(() => process.off("unhandledRejection", unhandled));
  const { host, view } = pair();
  view.run(({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))));
  await view.ready;
  await settled();
  await host.teardown();
  await settled();
  assert.equal(unhandled.mock.callCount(), 0);
});

test("run gives what the program gives, and its error", async () => {
  const { view } = pair();
  assert.equal(await view.run(() => 7), 7);
  await assert.rejects(view.run(async () => Promise.reject(new Error("of the page"))), { message: "of the page" });
});

test("two teardown requests are one teardown, and both answers wait for it", async () => {
  const { host, view } = pair();
  const steps = [];
  view.on("teardown", () => steps.push("event"));
  view.run(({ defer }) =>
    defer(async () => {
      await settled();
      steps.push("finalizer");
    }),
  );
  await view.ready;
  await settled();
  const answers = ["a", "b"].map(async (id) => {
    await host.request("ui/resource-teardown", {}, id);
    steps.push(id);
  });
  await Promise.all(answers);
  assert.deepEqual(steps, ["event", "finalizer", "a", "b"]);
});

test("a View without programs answers at once", async () => {
  const { host, view } = pair();
  await view.ready;
  assert.deepEqual(await host.request("ui/resource-teardown", {}, "bye"), {});
});
