/** Build `dist/` from `bridge/`: `node build.mjs [FOLDER]`. The same sources give the same bytes. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { minify } from "terser";
import ts from "typescript";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "dist"));

/**
 * esbuild bundles and shortens what is ours alone (`_name`); terser reuses the same few local names
 * everywhere, which is worth 100 bytes after compression.
 * @param {string} entry
 * @param {"esm" | "iife"} format
 */
const bundle = async (entry, format) => {
  const { outputFiles } = await build({
    absWorkingDir: here,
    entryPoints: [`bridge/${entry}.js`],
    bundle: true,
    mangleProps: /^_/,
    reserveProps: /^_meta$/,
    charset: "ascii",
    target: "es2022",
    format,
    write: false,
    logLevel: "warning",
  });
  const { code = "" } = await minify(outputFiles[0].text, {
    module: format == "esm",
    ecma: 2020,
    compress: { passes: 3, inline: 1 },
    format: { ascii_only: true },
  });
  return code;
};

/** The declarations of a module without its imports; every module ends up in one file. */
const flat = (/** @type {string} */ text) =>
  text
    .replace(/^import [^;]*;\n/gms, "")
    .replace(/^export \{[^}]*\} from [^;]*;\n/gm, "")
    .replace(/^export \{\};\n/gm, "")
    .replace(/import\("\.\/[\w-]+\.js"\)\./g, "");

/** One declaration file for what `index.js` exports. */
const declarations = () => {
  /** @type {Record<string, string>} */
  const emitted = {};
  const program = ts.createProgram([join(here, "bridge/index.js")], {
    allowJs: true,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    lib: ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    types: [],
    newLine: ts.NewLineKind.LineFeed,
  });
  program.emit(undefined, (name, text) => (emitted[name.split("/").pop() ?? ""] = text));
  const read = (/** @type {string} */ name) => emitted[name] ?? readFileSync(join(here, "bridge", name), "utf8");
  return ["protocol.d.ts", "view.d.ts", "errors.d.ts", "connect.d.ts", "file.d.ts"].map((name) => flat(read(name))).join("\n");
};

/** The same for editors: the module name that `bundle` knows, and the global. */
const environment = (/** @type {string} */ types) => `/** Types of the bridge for editors and tsc; written by \`mcpapps\`. */

declare module "mcpapps:bridge" {
${types.replace(/^export declare /gm, "export ").replace(/^(?=.)/gm, "  ").trimEnd()}
}

/** The bridge of \`<script src="mcpapps:bridge">\`. */
declare const mcpapps: typeof import("mcpapps:bridge");
`;

const types = declarations();
mkdirSync(out, { recursive: true });
for (const [name, text] of Object.entries({
  "bridge.mjs": (await bundle("index", "esm")),
  "bridge.global.js": (await bundle("global", "iife")),
  "bridge.d.ts": types,
  "mcpapps-env.d.ts": environment(types),
}))
  writeFileSync(join(out, name), text);
