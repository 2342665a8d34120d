// @ts-check
/** What the page tells a View of its surroundings: what the user chose, else what the host says. */

/** @typedef {import("./protocol.js").Json} Json */
/** @typedef {import("./state.js").State} State */

const MAX_HEIGHT = 6000;

/**
 * Returns the host context of a call. A key that the emulated host gives itself is left out, unless
 * the user chose another value.
 *
 * @param {State} state
 * @param {number} width of a View's frame
 * @returns {Json}
 */
export function pageContext(state, width) {
  const { theme, mode, chosen, host } = state;
  const own = host?.context ?? {};
  /** @type {Json} */
  const browser = {
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: "web",
    deviceCapabilities: {
      touch: matchMedia("(pointer: coarse)").matches,
      hover: matchMedia("(hover: hover)").matches,
    },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
  };
  /** @type {Json} */
  const context = { theme, containerDimensions: dimensions(state, width) };
  for (const [key, value] of Object.entries(browser)) if (!(key in own)) context[key] = value;
  return { ...context, ...chosenContext(chosen, { ...browser, ...own }), ...(mode === "inline" ? {} : { displayMode: mode }) };
}

/**
 * @param {import("./state.js").Chosen} chosen
 * @param {Json} otherwise what holds for what was not chosen
 * @returns {Json}
 */
function chosenContext(chosen, otherwise) {
  /** @type {Json} */
  const context = {};
  for (const key of /** @type {const} */ (["locale", "timeZone", "platform"])) if (chosen[key]) context[key] = chosen[key];
  if (chosen.touch !== null || chosen.hover !== null) {
    context.deviceCapabilities = {
      touch: chosen.touch ?? otherwise.deviceCapabilities?.touch ?? false,
      hover: chosen.hover ?? otherwise.deviceCapabilities?.hover ?? true,
    };
  }
  if (chosen.insets) {
    const [top, right, bottom, left] = chosen.insets;
    context.safeAreaInsets = { top, right, bottom, left };
  }
  if (chosen.styles) context.styles = { variables: chosen.styles };
  return context;
}

/** The page is as wide as it is; a View may grow in height. @param {State} state @param {number} width */
export function dimensions(state, width) {
  const own = state.host?.context.containerDimensions ?? { maxHeight: MAX_HEIGHT };
  const vertical = state.chosen.height ? { maxHeight: state.chosen.height } : without(own, ["width", "maxWidth"]);
  return "maxWidth" in own && !("width" in own)
    ? { maxWidth: Math.min(width, own.maxWidth), ...vertical }
    : { width, ...vertical };
}

/** @param {Json} object @param {string[]} keys */
function without(object, keys) {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
