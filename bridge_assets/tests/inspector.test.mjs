import assert from "node:assert/strict";
import { test } from "node:test";

import { explain } from "../inspector/causes.js";
import { excerpt } from "../inspector/format.js";
import { heal } from "../inspector/heal.js";

/** Whether a healed value is the beginning of the whole one. */
const begins = (part, whole) => {
  if (typeof part === "string") return typeof whole === "string" && whole.startsWith(part);
  if (typeof part === "number") return typeof whole === "number" && String(whole).startsWith(String(part));
  if (part === null || typeof part !== "object") return part === whole;
  const keys = Object.keys(part);
  return keys.length <= Object.keys(whole).length && keys.every((key) => key in whole && begins(part[key], whole[key]));
};

test("H30: a text cut at any character is healed to the beginning of what it will be", () => {
  const whole = {
    city: "S\u00e3o \"Paulo\" \\ {[\n\u{1f327}",
    days: 12.5,
    hourly: true,
    none: null,
    tags: ["a", ["b", {}], { c: -3 }],
    place: { lat: -23.5, "a \"key\"": { deep: [1, 2, 3] } },
    "": "",
  };
  for (const text of [JSON.stringify(whole), JSON.stringify(whole, null, 2)]) {
    assert.equal(heal(""), null);
    for (let end = 1; end <= text.length; end += 1) {
      const healed = heal(text.slice(0, end));
      assert.ok(healed && begins(healed, whole), `${text.slice(0, end)} became ${JSON.stringify(healed)}`);
    }
    assert.deepEqual(heal(text), whole);
  }
});

test("H30: what is not finished is left out, and what is open is closed", () => {
  for (const [text, healed] of [
    ['{"a', {}],
    ['{"a":', {}],
    ['{"a":"x', { a: "x" }],
    ['{"a":"x\\', { a: "x" }],
    ['{"a":"\\u00', { a: "" }],
    ['{"a":tru', {}],
    ['{"a":[1,', { a: [1] }],
    ['{"a":[{"b":1},{"c', { a: [{ b: 1 }, {}] }],
    ['{"a":1.', { a: 1 }],
  ]) assert.deepEqual(heal(text), healed, text);
});

test("the line of a fault is cut to what can be read, and marked", () => {
  assert.equal(excerpt("one\n  two();\nthree", 2, 3), "two();\n^");
  assert.equal(excerpt("one\n  two(x);\nthree", 2, 7), "two(x);\n    ^");
  assert.equal(excerpt("one", 7, 1), null);
  const [line, mark] = excerpt(`${"a".repeat(5000)}HERE${"b".repeat(5000)}`, 1, 5001).split("\n");
  assert.equal(line.length, 100);
  assert.equal(line.slice(mark.length - 1, mark.length + 3), "HERE");
});

test("a cause that nobody foresaw is told with what was seen", () => {
  const { what, help } = explain({ step: "painted", state: "broken", cause: "solar-flare", rule: null, detail: { at: 3 } });
  assert.equal(what, 'solar-flare: {"at":3}.');
  assert.match(help, /Messages/);
});
