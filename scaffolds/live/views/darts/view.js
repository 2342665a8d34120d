import { connect, ToolCancelled } from "mcpapps:bridge";

/**
 * @typedef {{total: number, throws: number, inside: number, history: [number, number][],
 *   sample: [number, number][]}} Progress
 * @typedef {"idle" | "running" | "done" | "cancelled" | "failed"} State
 */

const PAUSE = 250;
const NUMBERS = new Intl.NumberFormat("en");

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const view = element("view");
const bar = /** @type {HTMLProgressElement} */ (element("progress"));

const app = connect({ name: "darts", version: "0.1.0" });
app.applyHostStyles();

// Aborted as soon as there is nothing more to watch.
const watching = new AbortController();

watch().catch(fail);
app.toolResult.then(finish, (reason) => {
  watching.abort();
  if (reason instanceof ToolCancelled) show("cancelled", "Cancelled; this is how far it came");
  else fail(reason);
});
app.on("teardown", () => watching.abort());

/** Ask how far the call is that this View shows, by its id, until it has its answer. */
async function watch() {
  await app.toolInput;
  if (watching.signal.aborted) return;
  show("running", "");
  const call = app.toolInfo?.id;
  if (call === undefined) return show("running", "This host does not tell which call is shown");
  while (!watching.signal.aborted) {
    try {
      const result = await app.callTool("watch_run", { call }, { signal: watching.signal });
      if (result.structuredContent && !watching.signal.aborted) draw(result.structuredContent);
    } catch (error) {
      if (watching.signal.aborted) return;
      // The result comes all the same.
      return show("running", error instanceof Error ? error.message : String(error));
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** @param {import("mcpapps:bridge").CallToolResult} result */
function finish(result) {
  watching.abort();
  const text = result.content?.find((block) => block.type === "text")?.text ?? "";
  if (result.isError) return fail(new Error(text || "The tool failed"));
  // A host may pass the text only.
  if (result.structuredContent) draw(result.structuredContent);
  else bar.value = 1;
  show("done", text);
}

/** @param {Progress} progress */
function draw({ total, throws, inside, history, sample }) {
  element("count").textContent = `${NUMBERS.format(throws)} of ${NUMBERS.format(total)} darts`;
  bar.value = throws / total;
  if (throws) element("estimate").textContent = ((4 * inside) / throws).toFixed(5);
  drawDarts(sample);
  drawLine(history, total);
}

/** @param {[number, number][]} sample */
function drawDarts(sample) {
  const darts = element("darts");
  // Those that are drawn stay: the list only grows.
  for (const [x, y] of sample.slice(darts.childElementCount)) {
    const dart = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    const place = { cx: x * 100, cy: 100 - y * 100, r: 1.1, class: x * x + y * y <= 1 ? "hit" : "" };
    for (const [key, value] of Object.entries(place)) dart.setAttribute(key, String(value));
    darts.append(dart);
  }
}

/** @param {[number, number][]} history @param {number} total */
function drawLine(history, total) {
  // The first guesses are wild; the largest miss of the rest sets the scale.
  const misses = history.slice(Math.min(3, history.length - 1)).map(([, guess]) => Math.abs(guess - Math.PI));
  const scale = Math.max(...misses, 1e-4) * 1.2;
  const points = history.map(([throws, guess]) => {
    const y = Math.min(Math.max(50 - ((guess - Math.PI) / scale) * 48, 1), 99);
    return `${((200 * throws) / total).toFixed(1)},${y.toFixed(1)}`;
  });
  element("line").setAttribute("points", points.join(" "));
}

/** @param {unknown} error */
function fail(error) {
  show("failed", error instanceof Error ? error.message : String(error));
}

/** @param {State} state @param {string} note */
function show(state, note) {
  view.dataset.state = state;
  view.setAttribute("aria-busy", String(state === "running"));
  element("note").textContent = note;
}
