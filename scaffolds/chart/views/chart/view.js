import { connect, ToolCancelled } from "mcpapps:bridge";

/**
 * @typedef {{label: string, values: number[]}} Row
 * @typedef {{title: string, unit: string, series: string[], rows: Row[], totals?: number[]}} Chart
 * @typedef {"idle" | "writing" | "ready" | "cancelled" | "failed"} State
 */

const LEFT = 46;
const BOTTOM = 22;
const TOP = 8;
const NUMBERS = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const view = element("view");
const plot = element("plot");
const body = element("body");

/** @type {Chart} */
let chart = { title: "", unit: "", series: [], rows: [] };
/** @type {"bars" | "lines"} */
let kind = "bars";
/** The column that sorts the table, -1 the labels; undefined keeps the order of the data. */
/** @type {{column: number, down: boolean} | undefined} */
let order;
/** @type {number | undefined} */
let pointed;

const app = connect({ name: "chart", version: "0.1.0" });
app.applyHostStyles();

follow();
app.toolInput.then((input) => {
  if (view.dataset.state === "idle" || view.dataset.state === "writing") receive(input, "writing");
}, fail);
app.toolResult.then(
  (result) => {
    const text = result.content?.find((block) => block.type === "text")?.text ?? "";
    if (result.isError) return fail(new Error(text || "The tool failed"));
    // A host may pass the text only; the arguments hold the same figures.
    receive(result.structuredContent ?? chart, "ready");
  },
  (reason) => {
    if (reason instanceof ToolCancelled) show("cancelled", "Cancelled; these are the figures so far");
    else fail(reason);
  },
);

for (const each of /** @type {const} */ (["bars", "lines"])) {
  element(each).addEventListener("click", () => {
    kind = each;
    element("bars").setAttribute("aria-pressed", String(kind === "bars"));
    element("lines").setAttribute("aria-pressed", String(kind === "lines"));
    drawPlot();
  });
}
plot.addEventListener("pointermove", (event) => {
  const { left, width } = plot.getBoundingClientRect();
  const share = (event.clientX - left - LEFT) / (width - LEFT);
  point(share < 0 ? undefined : Math.min(Math.floor(share * chart.rows.length), chart.rows.length - 1));
});
plot.addEventListener("pointerleave", () => point(undefined));
new ResizeObserver(() => drawPlot()).observe(plot);

/** Draw what the model has written so far; hosts that stream nothing skip this. */
async function follow() {
  for await (const input of app.toolInputPartial) receive(input, "writing");
}

/**
 * Take figures that may be unfinished: anything can be missing, the last row cut short.
 * @param {any} data
 * @param {State} state
 */
function receive(data, state) {
  const series = list(data?.series).filter((name) => typeof name === "string");
  const rows = list(data?.rows).filter(
    (row) =>
      typeof row?.label === "string" &&
      list(row.values).length === series.length &&
      row.values.every(Number.isFinite),
  );
  chart = { title: text(data?.title), unit: text(data?.unit), series, rows, totals: data?.totals };
  element("title").textContent = chart.title || "Chart";
  drawPlot();
  drawLegend();
  drawTable();
  point(pointed);
  show(state, state === "writing" && rows.length ? `Reading row ${rows.length + 1} …` : "");
}

function drawPlot() {
  const { clientWidth: width, clientHeight: height } = plot;
  const { series, rows } = chart;
  if (!width || !rows.length) return plot.replaceChildren();
  const values = rows.flatMap((row) => row.values);
  const steps = ticks(Math.min(0, ...values), Math.max(0, ...values));
  const [low, high] = [steps[0], steps[steps.length - 1]];
  const y = (/** @type {number} */ value) => TOP + ((high - value) / (high - low)) * (height - TOP - BOTTOM);
  const slot = (width - LEFT) / rows.length;
  const x = (/** @type {number} */ index) => LEFT + slot * index;

  const parts = [];
  if (pointed !== undefined)
    parts.push(draw("rect", { class: "hover", x: x(pointed), y: TOP, width: slot, height: height - TOP - BOTTOM }));
  for (const step of steps) {
    const line = { class: step === 0 ? "grid axis" : "grid", x1: LEFT, x2: width, y1: y(step), y2: y(step) };
    parts.push(draw("line", line));
    parts.push(draw("text", { x: LEFT - 8, y: y(step) + 4, "text-anchor": "end" }, SHORT.format(step)));
  }
  const every = Math.ceil(rows.length / Math.max(1, Math.floor((width - LEFT) / 56)));
  rows.forEach(({ label }, index) => {
    if (index % every) return;
    const place = { x: x(index) + slot / 2, y: height - 5, "text-anchor": "middle" };
    const letters = Math.max(3, Math.floor((slot * every) / 7));
    parts.push(draw("text", place, label.length > letters ? `${label.slice(0, letters - 1)}…` : label));
  });
  series.forEach((_, column) => {
    parts.push(...(kind === "bars" ? bars(column, x, y, slot) : line(column, x, y, slot)));
  });
  plot.replaceChildren(...parts);
}

/**
 * @param {number} column
 * @param {(index: number) => number} x
 * @param {(value: number) => number} y
 * @param {number} slot
 */
function bars(column, x, y, slot) {
  const gap = Math.min(slot * 0.2, 12);
  const width = (slot - gap) / chart.series.length;
  return chart.rows.map(({ values }, index) =>
    draw("rect", {
      class: `value s${column}`,
      x: x(index) + gap / 2 + width * column,
      y: Math.min(y(values[column]), y(0)),
      width: Math.max(width - 1, 1),
      height: Math.max(Math.abs(y(values[column]) - y(0)), 1),
    }),
  );
}

/**
 * @param {number} column
 * @param {(index: number) => number} x
 * @param {(value: number) => number} y
 * @param {number} slot
 */
function line(column, x, y, slot) {
  const points = chart.rows.map(({ values }, index) => [x(index) + slot / 2, y(values[column])]);
  const path = draw("path", { class: `s${column}`, d: `M${points.map((pair) => pair.join(",")).join("L")}` });
  const dots = slot > 12 ? points : points.filter((_, index) => index === pointed);
  return [path, ...dots.map(([cx, cy]) => draw("circle", { class: `s${column}`, cx, cy, r: 3.5 }))];
}

function drawLegend() {
  element("legend").replaceChildren(
    ...chart.series.map((name, column) => {
      const item = document.createElement("li");
      item.className = `s${column}`;
      const label = document.createElement("span");
      label.textContent = name;
      item.append(label);
      return item;
    }),
  );
}

function drawTable() {
  const { series, rows, totals } = chart;
  element("heads").replaceChildren(
    ...["", ...series].map((name, index) => {
      const head = document.createElement("th");
      head.scope = "col";
      if (order?.column === index - 1) head.ariaSort = order.down ? "descending" : "ascending";
      const sort = document.createElement("button");
      sort.type = "button";
      sort.textContent = name || "Row";
      sort.addEventListener("click", () => sortBy(index - 1));
      head.append(sort);
      return head;
    }),
  );
  const sorted = rows.map((row, index) => ({ row, index }));
  if (order) {
    const { column, down } = order;
    sorted.sort((a, b) => {
      const by =
        column < 0 ? a.row.label.localeCompare(b.row.label) : a.row.values[column] - b.row.values[column];
      return down ? -by : by;
    });
  }
  body.replaceChildren(
    ...sorted.map(({ row, index }) => {
      const line = cells([row.label, ...row.values.map((value) => NUMBERS.format(value))]);
      line.dataset.row = String(index);
      line.addEventListener("pointerenter", () => point(index));
      line.addEventListener("pointerleave", () => point(undefined));
      return line;
    }),
  );
  element("sums").replaceChildren(
    ...(totals ? cells(["Total", ...totals.map((value) => measured(value))]).children : []),
  );
}

/** @param {string[]} texts */
function cells(texts) {
  const row = document.createElement("tr");
  row.append(
    ...texts.map((each) => {
      const cell = document.createElement("td");
      cell.textContent = each;
      return cell;
    }),
  );
  return row;
}

/** @param {number} column */
function sortBy(column) {
  const again = order?.column === column;
  // Labels start at A, figures at the largest; a third click gives the order of the data back.
  const first = column >= 0;
  if (!again) order = { column, down: first };
  else if (order?.down === first) order = { column, down: !first };
  else order = undefined;
  drawTable();
  element("heads").querySelectorAll("button")[column + 1]?.focus();
}

/** @param {number | undefined} index */
function point(index) {
  const row = index === undefined ? undefined : chart.rows[index];
  const changed = pointed !== (row && index);
  pointed = row && index;
  for (const line of body.children)
    line.toggleAttribute("data-on", /** @type {HTMLElement} */ (line).dataset.row === String(pointed));
  const { series, rows } = chart;
  element("reading").textContent = row
    ? `${row.label}: ${row.values.map((value, column) => `${series[column]} ${measured(value)}`).join(" · ")}`
    : `${rows.length} ${rows.length === 1 ? "row" : "rows"}${chart.unit ? ` · ${chart.unit}` : ""}`;
  if (changed) drawPlot();
}

/**
 * Return round numbers from at or below `low` to at or above `high`, about five of them.
 * @param {number} low
 * @param {number} high
 */
function ticks(low, high) {
  const span = high - low || 1;
  const rough = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 5, 10].map((times) => times * rough).find((each) => span / each <= 5) ?? rough * 10;
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** @param {string} name @param {Record<string, string | number>} attributes @param {string} [content] */
function draw(name, attributes, content) {
  const part = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, String(value));
  if (content !== undefined) part.textContent = content;
  return part;
}

/** @param {unknown} value @returns {any[]} */
function list(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {unknown} value */
function text(value) {
  return typeof value === "string" ? value : "";
}

/** @param {number} value */
function measured(value) {
  return `${NUMBERS.format(value)} ${chart.unit}`.trim();
}

/** @param {unknown} error */
function fail(error) {
  show("failed", error instanceof Error ? error.message : String(error));
}

/** @param {State} state @param {string} note */
function show(state, note) {
  view.dataset.state = state;
  view.setAttribute("aria-busy", String(state === "writing"));
  element("note").textContent = note;
}
