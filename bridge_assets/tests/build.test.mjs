import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const assets = fileURLToPath(new URL("..", import.meta.url));
const read = (...parts) => readFileSync(join(assets, ...parts));
const node = (...args) => execFileSync(process.execPath, args, { cwd: assets, encoding: "utf8", stdio: "pipe" });
const tsc = (...args) => node(join("node_modules", "typescript", "bin", "tsc"), ...args);

for (const name of ["bridge.mjs", "bridge.global.js"])
  test(`${name} is at most 12288 bytes, 4608 compressed`, (t) => {
    const text = read("dist", name);
    const compressed = gzipSync(text, { level: 9 });
    t.diagnostic(`${name}: ${text.length} bytes, ${compressed.length} compressed`);
    assert.ok(text.length <= 12288);
    assert.ok(compressed.length <= 4608);
  });

test("the build of these sources is the one in dist, byte for byte", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bridge-"));
  t.after(() => rmSync(folder, { recursive: true }));
  node("build.mjs", folder);
  const built = readdirSync(folder).sort();
  assert.deepEqual(built, ["bridge.d.ts", "bridge.global.js", "bridge.mjs", "mcpapps-env.d.ts"]);
  for (const name of built) assert.ok(readFileSync(join(folder, name)).equals(read("dist", name)), `${name} is stale: run node build.mjs`);
});

test("the build evaluates no text, stores nothing and compares no origin", () => {
  const text = read("dist", "bridge.mjs").toString();
  assert.doesNotMatch(text, /\beval\b|new Function|localStorage|sessionStorage|indexedDB|document\.cookie|\.origin\b|<\/script|<!--/i);
  assert.match(text, /targetOrigin:"\*"/);
});

test("the sources are type-checked strictly", () => assert.equal(tsc("-p", "tsconfig.json"), ""));

test("no source file has 200 lines or more, types apart", () => {
  for (const folder of ["bridge", "test-host"])
    for (const name of readdirSync(join(assets, folder)).filter((file) => file.endsWith(".js"))) {
      const lines = read(folder, name).toString().split("\n").length - 1;
      assert.ok(lines < 200, `${folder}/${name} has ${lines} lines`);
    }
});

test("K53 an example that uses every method compiles against the types, and its mistakes do not", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bridge-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "mcpapps-env.d.ts"), read("dist", "mcpapps-env.d.ts"));
  writeFileSync(join(folder, "example.ts"), read("tests", "example.ts"));
  writeFileSync(join(folder, "bridge.d.mts"), read("dist", "bridge.d.ts"));
  writeFileSync(join(folder, "file.ts"), 'import { connect, type View } from "./bridge.mjs";\nexport const view: View = connect({ name: "a", version: "1" });\n');
  const compilerOptions = { strict: true, noEmit: true, target: "es2022", module: "nodenext", lib: ["es2024", "dom"], types: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  assert.equal(tsc("-p", folder), "");
  const example = read("tests", "example.ts").toString();
  const methods = read("bridge", "view.d.ts").toString().split("export interface Session").pop().matchAll(/^  (?:readonly )?(\w+)[<(:]/gm);
  for (const [, method] of methods) assert.match(example, new RegExp(`view\\.${method}\\b`), `the example does not use ${method}`);
});

test("no lock file names a registry", () => {
  assert.doesNotMatch(read("package-lock.json").toString(), /resolved|https?:\/\/(?!opencollective|github|feross|www\.patreon)/);
});
