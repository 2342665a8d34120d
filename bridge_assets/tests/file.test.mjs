import assert from "node:assert/strict";
import { test } from "node:test";

const { accepts } = await import("../bridge/file.js");

const png = { name: "Photo.PNG", type: "image/png" };
for (const [rules, file, taken] of [
  [[], png, true],
  [["image/png"], png, true],
  [["IMAGE/PNG"], png, true],
  [["image/jpeg"], png, false],
  [["image/*"], png, true],
  [["image/*"], { name: "x", type: "imagery/png" }, false],
  [["audio/*", ".png"], png, true],
  [[".Png"], png, true],
  [[".ng"], png, false],
  [[".csv"], png, false],
  [["text/csv"], { name: "a.csv", type: "" }, false],
])
  test(`K95 ${JSON.stringify(rules)} ${taken ? "takes" : "refuses"} ${file.name} of type "${file.type}"`, () => assert.equal(accepts(file, rules), taken));
