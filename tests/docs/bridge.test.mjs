// Each example of docs/bridge.md is run; where the text names a message, the host must have got it,
// and where it names a capability, a host without it must get nothing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { connect } from "../../bridge_assets/dist/bridge.mjs";
import { createHost } from "../../bridge_assets/test-host/index.js";

const page = readFileSync(new URL("../../docs/bridge.md", import.meta.url), "utf8");
const Run = Object.getPrototypeOf(async () => {}).constructor;
const ALL = { openLinks: {}, serverTools: {}, serverResources: {}, logging: {}, sampling: { tools: {} } };
const answers = { "sampling/createMessage": { role: "assistant", content: {}, model: "m" } };

const open = (hostCapabilities) => {
  const host = createHost({ strict: true, hostCapabilities, answers });
  const view = connect({ name: "docs", version: "1", tools: true, target: host.target, source: host.source });
  return { host, view, run: (code) => new Run("view", code)(view) };
};

const sections = page.split(/^#{2,3} /m).slice(1).map((text) => ({
  title: text.split("\n", 1)[0],
  message: text.match(/^Message `([^`]+)`/m)?.[1],
  capability: text.match(/^Message .*?, capability `([^`]+)`/m)?.[1],
  examples: [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code),
}));

for (const { title, message, capability, examples } of sections)
  for (const code of examples) {
    test(`${title} is what the page says`, async () => {
      const { host, run } = open(ALL);
      await run(code);
      if (message) await host.next(message);
      if (title != "close") await host.teardown();
      host.close();
    });
    if (capability)
      test(`${title} needs ${capability}`, async () => {
        const { host, run } = open({});
        await assert.rejects(run(code), { name: "CapabilityError", capability });
        assert.deepEqual(host.all(message), []);
      });
  }

test("the first example waits for what the host sends", async () => {
  const { host, view } = open(ALL);
  const [, code] = page.match(/```js\nimport .*?\n\n(.*?)```/s);
  const running = new Run("connect", code.replace("view.applyHostStyles();", ""))(() => view);
  await host.sendToolInput({ city: "Oslo" });
  await host.sendToolResult({ content: [] });
  await running;
});

test("every member of a View is on the page", () => {
  const types = readFileSync(new URL("../../bridge_assets/bridge/view.d.ts", import.meta.url), "utf8");
  const members = types.split("export interface Session").pop().matchAll(/^  (?:readonly )?(\w+)[<(:]/gm);
  for (const [, member] of members)
    if (member != "connected") assert.match(page, new RegExp(`view\\.${member}\\b|^### ${member}$`, "m"), `${member} is not documented`);
});
