/** Tools that the View itself offers to the host (draft), and the schemas that check their values. */

/** @import { AppTool, AppToolHandler, AppToolHandle } from "./view.js" */

import { BridgeError, HostError } from "./errors.js";

/**
 * The value as the schema parsed it; unchanged when the schema is not a Standard Schema.
 * @param {any} schema
 * @param {unknown} value
 */
const parse = async (schema, value) => {
  const result = await schema?.["~standard"]?.validate(value);
  if (!result) return value;
  if (!result.issues) return result.value;
  const issues = result.issues.map((/** @type {any} */ { path = [], message }) =>
    [...path.map((/** @type {any} */ step) => step.key ?? step), message].join(": "),
  );
  throw new BridgeError("Validation failed: " + issues.join("; "));
};

/** The JSON Schema of a schema; a Standard Schema that cannot give one stands for any object. */
const jsonSchema = (/** @type {any} */ schema, /** @type {"input" | "output"} */ side) =>
  schema?.["~standard"] ? schema["~standard"].jsonSchema?.[side]({ target: "draft-2020-12" }) : schema;

/** @param {() => void} changed Called when what `tools/list` answers has changed. */
export const createTools = (changed) => {
  /** @typedef {AppTool & { handler: AppToolHandler<any>, enabled: boolean }} Entry */
  /** @type {Map<string, Entry>} */
  const tools = new Map();
  return {
    /** @type {import("./view.js").View["registerTool"]} */
    _register(name, tool, handler) {
      const entry = { ...tool, handler, enabled: true };
      const update = (/** @type {Partial<Entry>} */ patch) => {
        Object.assign(entry, patch);
        changed();
      };
      // First, because it may refuse.
      changed();
      tools.set(name, entry);
      return {
        update,
        enable: () => update({ enabled: true }),
        disable: () => update({ enabled: false }),
        remove() {
          tools.delete(name);
          changed();
        },
      };
    },

    _list() {
      const list = [];
      for (const [name, { handler, enabled, inputSchema, outputSchema, ...tool }] of tools)
        if (enabled)
          list.push({
            ...tool,
            name,
            inputSchema: jsonSchema(inputSchema, "input") ?? { type: "object" },
            outputSchema: jsonSchema(outputSchema, "output"),
          });
      return { tools: list };
    },

    /** @param {{ name: string, arguments?: object }} params @param {{ signal: AbortSignal, id: string | number }} call */
    async _call({ name, arguments: args = {} }, call) {
      const { handler, enabled, inputSchema } = /** @type {Entry} */ (tools.get(name) ?? {});
      if (!enabled) throw new HostError("Unknown tool: " + name, { code: -32602 });
      try {
        return { content: [], ...(await handler(await parse(inputSchema, args), call)) };
      } catch (/** @type {any} */ error) {
        // The model can correct itself after a result; a protocol error would stop it.
        return { content: [{ type: "text", text: "" + (error?.message ?? error) }], isError: true };
      }
    },
  };
};
