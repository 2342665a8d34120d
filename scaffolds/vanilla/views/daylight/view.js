import { connect, ToolCancelled } from "mcpapps:bridge";

/**
 * @typedef {{place: string, places: string[], latitude: number, month: number, hours: number[]}} Daylight
 * @typedef {"idle" | "waiting" | "ready" | "cancelled" | "failed"} State
 */

const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2001, month, 21)).toLocaleString("en", { month: "long", timeZone: "UTC" }),
);

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const view = element("view");
const places = /** @type {HTMLSelectElement} */ (element("places"));

const bars = MONTHS.map((name, index) => {
  const bar = document.createElement("button");
  bar.type = "button";
  bar.disabled = true;
  bar.append(document.createElement("i"), name[0]);
  bar.addEventListener("click", () => ask(places.value, index + 1));
  return bar;
});
element("year").append(...bars);
places.addEventListener("change", () => ask(places.value, shown?.month));

/** @type {Daylight | undefined} */
let shown;
let calls = 0;

const app = connect({ name: "daylight", version: "0.1.0" });
app.applyHostStyles();

// Neither can be late: the bridge keeps what the host sent until it is read.
app.toolInput.then(({ place }) => {
  if (shown) return;
  element("place").textContent = typeof place === "string" ? place : "Daylight";
  show("waiting", "Working out the light …");
}, fail);
app.toolResult.then(draw, (reason) => {
  if (reason instanceof ToolCancelled) show("cancelled", "Cancelled before there was a result");
  else fail(reason);
});

/**
 * Call the tool again, as the model did, and draw the newest answer.
 * @param {string} place
 * @param {number | undefined} month
 */
async function ask(place, month) {
  const call = ++calls;
  show("waiting", "");
  try {
    const result = await app.callTool("show_daylight", { place, month });
    if (call === calls) draw(result);
  } catch (error) {
    if (call === calls) fail(error);
  }
}

/** @param {import("mcpapps:bridge").CallToolResult} result */
function draw(result) {
  const text = result.content?.find((block) => block.type === "text")?.text ?? "";
  if (result.isError) return fail(new Error(text || "The tool failed"));
  if (!result.structuredContent) {
    // A host may pass the text only.
    element("when").textContent = "";
    return show("ready", text);
  }
  shown = /** @type {Daylight} */ (result.structuredContent);

  const { place, latitude, month, hours } = shown;
  const today = hours[month - 1];
  element("place").textContent = place;
  element("when").textContent =
    `21 ${MONTHS[month - 1]} · ${Math.abs(latitude).toFixed(0)}° ${latitude < 0 ? "S" : "N"}`;
  element("hours").textContent = spoken(today);
  drawSky(today);
  bars.forEach((bar, index) => {
    bar.disabled = false;
    bar.style.setProperty("--part", String(hours[index] / 24));
    bar.setAttribute("aria-pressed", String(index === month - 1));
    bar.setAttribute("aria-label", `${MONTHS[index]}: ${spoken(hours[index])}`);
    bar.title = spoken(hours[index]);
  });
  places.replaceChildren(...shown.places.map((name) => new Option(name, name, false, name === place)));
  places.disabled = false;
  const [shortest, longest] = [Math.min(...hours), Math.max(...hours)];
  show("ready", `Shortest day ${spoken(shortest)}, longest ${spoken(longest)}`);
}

/**
 * Draw the sun's way through 24 hours, noon in the middle: a cosine that crosses the horizon at
 * sunrise and sunset.
 * @param {number} hours
 */
function drawSky(hours) {
  /** @param {number} time */
  const height = (time) => 12 * (Math.cos((Math.PI * time) / 12) - Math.cos((Math.PI * hours) / 24));
  const half = hours / 2;
  /** @param {number} from @param {number} to */
  const curve = (from, to) =>
    Array.from({ length: 49 }, (_, step) => {
      const time = from + ((to - from) * step) / 48;
      return `${time.toFixed(2)},${(-height(time)).toFixed(2)}`;
    });
  element("day").setAttribute("points", hours > 0 ? curve(-half, half).join(" ") : "");
  const night = [...curve(-12, -half), ...curve(half, 12)];
  element("night").setAttribute("points", hours < 24 ? ["-12,0", ...night, "12,0"].join(" ") : "");
  element("rise").textContent = hours > 0 && hours < 24 ? `↑ ${clock(12 - half)}` : "";
  element("set").textContent = hours > 0 && hours < 24 ? `↓ ${clock(12 + half)}` : "";
}

/** @param {number} hours */
function spoken(hours) {
  const minutes = Math.round(hours * 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/** @param {number} hours */
function clock(hours) {
  const minutes = Math.round(hours * 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** @param {unknown} error */
function fail(error) {
  if (!shown) element("when").textContent = "";
  show("failed", error instanceof Error ? error.message : String(error));
}

/** @param {State} state @param {string} note */
function show(state, note) {
  view.dataset.state = state;
  view.setAttribute("aria-busy", String(state === "waiting"));
  element("note").textContent = note;
}
