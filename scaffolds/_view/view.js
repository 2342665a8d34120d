import { connect, ToolCancelled } from "mcpapps:bridge";

/** @typedef {"idle" | "waiting" | "ready" | "cancelled" | "failed"} State */

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const app = connect({ name: "hello-view", version: "0.1.0" });
app.applyHostStyles();

let drawn = false;

// Neither can be late: the bridge keeps what the host sent until it is read.
app.toolInput.then(() => {
  if (!drawn) show("waiting", "Working …");
}, fail);
app.toolResult.then(draw, (reason) => {
  if (reason instanceof ToolCancelled) show("cancelled", "Cancelled before there was a result");
  else fail(reason);
});

/** @param {import("mcpapps:bridge").CallToolResult} result */
function draw(result) {
  drawn = true;
  const text = result.content?.find((block) => block.type === "text")?.text ?? "";
  if (result.isError) return fail(new Error(text || "The tool failed"));
  // A host may pass the text only.
  const data = Object.entries(result.structuredContent ?? {});
  element("data").replaceChildren(...data.flatMap(([name, value]) => [line("dt", name), line("dd", value)]));
  show("ready", data.length ? "" : text);
}

/**
 * @param {string} tag
 * @param {unknown} value
 */
function line(tag, value) {
  const made = document.createElement(tag);
  made.textContent = typeof value === "string" ? value : JSON.stringify(value);
  return made;
}

/** @param {unknown} error */
function fail(error) {
  show("failed", error instanceof Error ? error.message : String(error));
}

/**
 * @param {State} state
 * @param {string} text
 */
function show(state, text) {
  element("view").dataset.state = state;
  element("note").textContent = text;
}
