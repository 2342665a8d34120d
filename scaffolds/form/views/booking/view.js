import { CapabilityError, connect, ToolCancelled } from "mcpapps:bridge";

/**
 * @typedef {{title: string, room: string, start: number, minutes: number}} Slot
 * @typedef {{day: string, draft: Slot, taken: Slot[], seats: Record<string, number>,
 *   opens: number, closes: number, step: number}} Plan
 * @typedef {"idle" | "waiting" | "ready" | "clash" | "asking" | "booked" | "cancelled" | "failed"} State
 */

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
const button = (id) => /** @type {HTMLButtonElement} */ (element(id));
/** @param {string} id */
const choice = (id) => /** @type {HTMLSelectElement} */ (element(id));
const view = element("view");
const title = /** @type {HTMLInputElement} */ (element("title"));
const fields = /** @type {HTMLFieldSetElement} */ (element("fields"));

/** @type {Plan | undefined} */
let plan;
let calls = 0;

const app = connect({ name: "booking", version: "0.1.0" });
app.applyHostStyles();

// Neither can be late: the bridge keeps what the host sent until it is read.
app.toolInput.then((input) => {
  if (plan) return;
  if (typeof input.title === "string") title.value = input.title;
  show("waiting", "Looking at the calendar …");
}, fail);
app.toolResult.then(receive, (reason) => {
  if (reason instanceof ToolCancelled) show("cancelled", "Cancelled before there was a proposal");
  else fail(reason);
});

title.addEventListener("input", () => change({ title: title.value }));
choice("room").addEventListener("change", () => change({ room: choice("room").value }));
choice("from").addEventListener("change", () => change({ start: Number(choice("from").value) }));
choice("minutes").addEventListener("change", () => change({ minutes: Number(choice("minutes").value) }));
element("earlier").addEventListener("click", () => move(-1));
element("later").addEventListener("click", () => move(1));
element("back").addEventListener("click", () => change({}));
element("book").addEventListener("click", () => {
  if (view.dataset.state === "ready") ask();
  else if (view.dataset.state === "asking") book();
});

/** @param {Partial<Slot>} part */
function change(part) {
  if (!plan || view.dataset.state === "booked") return;
  const draft = { ...plan.draft, ...part };
  draft.start = Math.min(draft.start, plan.closes - draft.minutes);
  plan = { ...plan, draft };
  draw();
}

/**
 * Ask the server for another day, the wishes unchanged.
 * @param {number} days
 */
async function move(days) {
  if (!plan) return;
  const { room, start, minutes } = plan.draft;
  const day = new Date(`${plan.day}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  await call("plan_booking", {
    title: title.value,
    day: day.toISOString().slice(0, 10),
    start: clock(start).padStart(5, "0"),
    room,
    minutes,
  });
}

/** The step before the write: say what will happen, and let the person say yes. */
function ask() {
  if (!plan) return;
  show("asking", `${name()}: ${plan.draft.room}, ${when()}. Book it?`);
  button("book").textContent = "Yes, book";
  button("back").hidden = false;
  button("book").focus();
}

async function book() {
  if (!plan) return;
  const { room, start, minutes } = plan.draft;
  button("back").hidden = true;
  if (!(await call("book_room", { title: name(), room, day: plan.day, start, minutes }))) return;
  show("booked", `Booked: ${room}, ${when()}`);
  // The model did not make this call, so it has to be told.
  await app
    .updateModelContext({ content: `The user booked ${room} for "${name()}", ${when()}.` })
    .catch((error) => {
      if (!(error instanceof CapabilityError)) throw error;
    });
}

/**
 * Call a tool that answers with a plan; the newest answer counts.
 * @param {string} tool
 * @param {Record<string, unknown>} args
 * @returns {Promise<boolean>} whether it did what was asked
 */
async function call(tool, args) {
  const turn = ++calls;
  show("waiting", "");
  try {
    const result = await app.callTool(tool, args);
    if (turn === calls) receive(result);
    return turn === calls;
  } catch (error) {
    if (turn === calls) fail(error);
    return false;
  }
}

/** @param {import("mcpapps:bridge").CallToolResult} result */
function receive(result) {
  const text = result.content?.find((block) => block.type === "text")?.text ?? "";
  if (result.isError) return fail(new Error(text || "The tool failed"));
  // A host may pass the text only.
  if (!result.structuredContent) return show("ready", text);
  plan = /** @type {Plan} */ (result.structuredContent);
  if (document.activeElement !== title) title.value = plan.draft.title;
  fill(choice("room"), Object.entries(plan.seats).map(([room, seats]) => [room, `${room} · ${seats} seats`]));
  const { opens, closes, step } = plan;
  fill(choice("minutes"), [1, 2, 3, 4, 6, 8].map((n) => [n * step, spoken(n * step)]));
  fill(choice("from"), range(opens, closes, step).map((time) => [time, clock(time)]));
  draw();
}

function draw() {
  if (!plan) return;
  const { draft, taken } = plan;
  element("day").textContent = date();
  choice("room").value = draft.room;
  choice("from").value = String(draft.start);
  choice("minutes").value = String(draft.minutes);
  if (!choice("minutes").value) choice("minutes").append(new Option(spoken(draft.minutes), String(draft.minutes), true, true));
  drawRooms();
  button("back").hidden = true;
  button("book").textContent = `Book ${draft.room}`;
  const clash = taken.find(
    (slot) =>
      slot.room === draft.room &&
      slot.start < draft.start + draft.minutes &&
      draft.start < slot.start + slot.minutes,
  );
  if (clash) show("clash", `${draft.room} is taken by "${clash.title}" until ${clock(clash.start + clash.minutes)}`);
  else show("ready", `${draft.room} is free, ${when()}`);
}

function drawRooms() {
  if (!plan) return;
  const { seats, opens, closes, draft, taken } = plan;
  const rows = Object.keys(seats).flatMap((room) => {
    const name = document.createElement("div");
    name.className = "name";
    const count = document.createElement("span");
    count.textContent = `${seats[room]} seats`;
    name.append(room, count);
    const track = document.createElement("div");
    track.className = "track";
    track.style.setProperty("--hours", String((closes - opens) / 60));
    track.append(...taken.filter((slot) => slot.room === room).map((slot) => block(slot, slot.title)));
    if (draft.room === room && view.dataset.state !== "booked") track.append(block(draft, name_(draft), "draft"));
    track.addEventListener("click", (event) => pick(room, event.offsetX / track.clientWidth));
    return [name, track];
  });
  const hours = document.createElement("div");
  hours.className = "hours";
  hours.append(
    ...range(opens, closes + 60, 120).map((time) => {
      const label = document.createElement("span");
      label.textContent = clock(time);
      return label;
    }),
  );
  element("rooms").replaceChildren(...rows, document.createElement("div"), hours);
}

/** @param {Slot} slot @param {string} text @param {string} [kind] */
function block(slot, text, kind = "") {
  const { opens, closes } = /** @type {Plan} */ (plan);
  const part = document.createElement("i");
  part.className = kind;
  part.textContent = text;
  part.style.setProperty("--from", String((slot.start - opens) / (closes - opens)));
  part.style.setProperty("--part", String(slot.minutes / (closes - opens)));
  return part;
}

/** @param {string} room @param {number} share of the day */
function pick(room, share) {
  const { opens, closes, step } = /** @type {Plan} */ (plan);
  change({ room, start: opens + Math.floor(((closes - opens) * share) / step) * step });
}

/** @param {HTMLSelectElement} select @param {[string | number, string][]} options */
function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, String(value))));
}

/** @param {number} from @param {number} to @param {number} step */
function range(from, to, step) {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);
}

function name() {
  return title.value.trim() || "Meeting";
}

/** @param {Slot} slot */
function name_(slot) {
  return slot.title.trim() || "Meeting";
}

function date() {
  const day = new Date(`${plan?.day}T00:00:00Z`);
  return day.toLocaleDateString("en", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
}

function when() {
  const { start, minutes } = /** @type {Plan} */ (plan).draft;
  return `${date()}, ${clock(start)}–${clock(start + minutes)}`;
}

/** @param {number} minutes */
function clock(minutes) {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** @param {number} minutes */
function spoken(minutes) {
  return minutes < 60 ? `${minutes} min` : `${minutes / 60} h`;
}

/** @param {unknown} error */
function fail(error) {
  show("failed", error instanceof Error ? error.message : String(error));
  if (plan) {
    button("book").textContent = `Book ${plan.draft.room}`;
    button("back").hidden = true;
  }
}

/** @param {State} state @param {string} note */
function show(state, note) {
  view.dataset.state = state;
  view.setAttribute("aria-busy", String(state === "waiting"));
  element("note").textContent = note;
  const open = plan !== undefined && state !== "booked" && state !== "waiting";
  fields.disabled = !open || state === "asking";
  button("book").disabled = state !== "ready" && state !== "asking";
  button("earlier").disabled = button("later").disabled = !open || state === "asking";
}
