// @ts-check
/** The page's state: what the process told, what the user chose, and both as the page's address. */

/** @typedef {import("./protocol.js").Server} Server */
/** @typedef {import("./protocol.js").Tool} Tool */
/** @typedef {import("./protocol.js").Host} Host */
/** @typedef {import("./protocol.js").Setting} Setting */
/** @typedef {import("./protocol.js").Choice} Choice */
/** @typedef {import("./protocol.js").Theme} Theme */
/** @typedef {import("./protocol.js").Mode} Mode */
/** @typedef {import("./protocol.js").Json} Json */

/**
 * What the user chose of a View's surroundings; null is as the host, else the browser, has it.
 *
 * @typedef {object} Chosen
 * @property {string | null} locale
 * @property {string | null} timeZone
 * @property {string | null} platform
 * @property {boolean | null} touch
 * @property {boolean | null} hover
 * @property {number[] | null} insets top, right, bottom, left in CSS pixels
 * @property {number | null} height most a View may grow to, in CSS pixels
 * @property {Json | null} styles style variables
 */

/**
 * @typedef {object} State
 * @property {boolean} connected
 * @property {Server | null} server
 * @property {Tool[]} tools
 * @property {Host | null} host
 * @property {string[]} profiles
 * @property {Choice[]} quirks all there are
 * @property {Choice[]} faults all there are
 * @property {boolean} probe
 * @property {boolean} ui whether servers are told that this host shows Views
 * @property {string | null} picked name of the picked tool
 * @property {string | null} pickedServer its server
 * @property {Theme} theme
 * @property {Mode} mode
 * @property {string | null} width of the conversation in CSS pixels, or `fill`; null as the host has it
 * @property {Chosen} chosen
 */

const DEFAULT_WIDTH = "720";
const FLAGS = { 1: true, 0: false };

/** What the page's address asks for. @param {URLSearchParams} query */
export function wishes(query) {
  const theme = query.get("theme");
  const mode = query.get("mode");
  const origin = query.get("origin");
  return {
    tool: query.get("tool"),
    server: query.get("server"),
    args: parseObject(query.get("args")),
    profile: query.get("profile"),
    quirks: listOf(query, "quirk"),
    faults: listOf(query, "fault"),
    origin: origin === "own" || origin === "opaque" ? /** @type {Setting["origin"]} */ (origin) : null,
    theme: theme === "light" || theme === "dark" ? /** @type {Theme} */ (theme) : null,
    mode: mode === "fullscreen" || mode === "pip" ? /** @type {Mode} */ (mode) : null,
    width: query.get("width"),
    chosen: {
      locale: query.get("locale"),
      timeZone: query.get("tz"),
      platform: query.get("platform"),
      touch: flagOf(query.get("touch")),
      hover: flagOf(query.get("hover")),
      insets: readInsets(query.get("inset")),
      height: Number(query.get("height")) || null,
      styles: parseObject(query.get("styles")),
    },
  };
}

/** @param {URLSearchParams} query @param {string} name @returns {string[] | null} */
function listOf(query, name) {
  if (!query.has(name)) return null;
  return query.getAll(name).flatMap((value) => value.split(",")).filter(Boolean);
}

/** @param {string | null} text */
function flagOf(text) {
  return text === null ? null : FLAGS[/** @type {"1" | "0"} */ (/** @type {unknown} */ (text))] ?? null;
}

/** Reads `10`, or `10,0,10,0`. @param {string | null} text @returns {number[] | null} */
export function readInsets(text) {
  if (!text?.trim()) return null;
  const sides = text.split(/[ ,]+/).map(Number);
  if (sides.length === 1) sides.push(sides[0], sides[0], sides[0]);
  return sides.length === 4 && sides.every((side) => Number.isFinite(side) && side >= 0) ? sides : null;
}

/** @param {ReturnType<typeof wishes>} wish @returns {State} */
export function firstState(wish) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return {
    connected: false,
    server: null,
    tools: [],
    host: null,
    profiles: [],
    quirks: [],
    faults: [],
    probe: true,
    ui: true,
    picked: wish.tool,
    pickedServer: wish.server,
    theme: wish.theme ?? (dark ? "dark" : "light"),
    mode: wish.mode ?? "inline",
    width: wish.width,
    chosen: wish.chosen,
  };
}

/** The width a conversation has: as chosen, else as the host has it. @param {State} state */
export function widthOf(state) {
  const own = state.host?.context.containerDimensions;
  return state.width ?? String(own?.width ?? own?.maxWidth ?? DEFAULT_WIDTH);
}

/**
 * Puts the state into the address, without the token, so that it can be opened again.
 *
 * @param {State} state
 * @param {Json | undefined} args of the last call
 * @param {{ theme: boolean, setting: Setting | null }} explicit what was chosen, and is no default
 */
export function writeAddress(state, args, explicit) {
  const query = new URLSearchParams();
  const { chosen } = state;
  const { setting } = explicit;
  const flag = (/** @type {boolean | null} */ value) => (value === null ? null : value ? "1" : "0");
  /** @type {[string, string | null | undefined | false][]} */
  const entries = [
    ["server", state.pickedServer !== state.server?.name && state.pickedServer],
    ["tool", state.picked],
    ["args", args && JSON.stringify(args)],
    ["profile", setting?.profile],
    ["quirk", setting?.quirks.join()],
    ["fault", setting?.faults.join()],
    ["origin", setting && setting.origin !== "profile" && setting.origin],
    ["theme", explicit.theme && state.theme],
    ["mode", state.mode !== "inline" && state.mode],
    ["width", state.width],
    ["locale", chosen.locale],
    ["tz", chosen.timeZone],
    ["platform", chosen.platform],
    ["touch", flag(chosen.touch)],
    ["hover", flag(chosen.hover)],
    ["inset", chosen.insets?.join()],
    ["height", chosen.height === null ? null : String(chosen.height)],
    ["styles", chosen.styles && JSON.stringify(chosen.styles)],
  ];
  for (const [name, value] of entries) if (value) query.set(name, value);
  const text = query.toString();
  history.replaceState(null, "", text ? `/?${text}` : "/");
}

/** @param {string | null} text @returns {Json | null} */
export function parseObject(text) {
  if (!text) return null;
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
