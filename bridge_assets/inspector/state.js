// @ts-check
/** The page's state: what the process told, what the user chose, and both as the page's address. */

/** @typedef {import("./protocol.js").Server} Server */
/** @typedef {import("./protocol.js").Tool} Tool */
/** @typedef {import("./protocol.js").Profile} Profile */
/** @typedef {import("./protocol.js").Theme} Theme */
/** @typedef {import("./protocol.js").Mode} Mode */
/** @typedef {import("./protocol.js").Json} Json */

/**
 * @typedef {object} State
 * @property {boolean} connected
 * @property {Server | null} server
 * @property {Tool[]} tools
 * @property {Profile | null} profile
 * @property {string[]} profiles
 * @property {boolean} probe
 * @property {string | null} picked name of the picked tool
 * @property {Theme} theme
 * @property {Mode} mode
 * @property {string} width of the conversation in CSS pixels, or `fill`
 */

const DEFAULT_WIDTH = "720";

/** What the page's address asks for. @param {URLSearchParams} query */
export function wishes(query) {
  const theme = query.get("theme");
  const mode = query.get("mode");
  return {
    tool: query.get("tool"),
    args: parseObject(query.get("args")),
    profile: query.get("profile"),
    theme: theme === "light" || theme === "dark" ? /** @type {Theme} */ (theme) : null,
    mode: mode === "fullscreen" || mode === "pip" ? /** @type {Mode} */ (mode) : null,
    width: query.get("width"),
  };
}

/** @param {ReturnType<typeof wishes>} wish @returns {State} */
export function firstState(wish) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return {
    connected: false,
    server: null,
    tools: [],
    profile: null,
    profiles: [],
    probe: true,
    picked: wish.tool,
    theme: wish.theme ?? (dark ? "dark" : "light"),
    mode: wish.mode ?? "inline",
    width: wish.width ?? DEFAULT_WIDTH,
  };
}

/**
 * Puts the state into the address, without the token, so that it can be opened again.
 *
 * @param {State} state
 * @param {Json | undefined} args of the last call
 * @param {boolean} themeChosen
 */
export function writeAddress(state, args, themeChosen) {
  const query = new URLSearchParams();
  if (state.picked) query.set("tool", state.picked);
  if (args) query.set("args", JSON.stringify(args));
  if (state.profile && state.profile.name !== "spec") query.set("profile", state.profile.name);
  if (themeChosen) query.set("theme", state.theme);
  if (state.mode !== "inline") query.set("mode", state.mode);
  if (state.width !== DEFAULT_WIDTH) query.set("width", state.width);
  const text = query.toString();
  history.replaceState(null, "", text ? `/?${text}` : "/");
}

/** @param {string | null} text @returns {Json | null} */
function parseObject(text) {
  if (!text) return null;
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
