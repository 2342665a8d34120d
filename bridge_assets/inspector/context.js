// @ts-check
/** What the page can tell of itself as a host; the profile decides the rest. */

/** @typedef {import("./protocol.js").Json} Json */
/** @typedef {import("./state.js").State} State */

const MAX_HEIGHT = 6000;

/**
 * Returns the host context of a call.
 *
 * @param {State} state
 * @param {number} width of a View's frame
 * @returns {Json}
 */
export function pageContext({ theme, mode }, width) {
  return {
    theme,
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: "web",
    containerDimensions: dimensions(width),
    deviceCapabilities: {
      touch: matchMedia("(pointer: coarse)").matches,
      hover: matchMedia("(hover: hover)").matches,
    },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
    ...(mode === "inline" ? {} : { displayMode: mode }),
  };
}

/** The page is as wide as it is; a View may grow in height. @param {number} width */
export function dimensions(width) {
  return { width, maxHeight: MAX_HEIGHT };
}
