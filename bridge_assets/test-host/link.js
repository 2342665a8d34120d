/** Ways between a test host and the page under test. */

/**
 * @typedef {object} Link
 * @property {(message: object) => void} send To the View.
 * @property {(listener: (message: any) => void) => () => void} listen From the View; returns the end of it.
 */

// A posted message is a task of its own, never a microtask.
const task = /** @type {any} */ (globalThis).setImmediate ?? ((/** @type {() => void} */ run) => void setTimeout(run));

/**
 * Both ends in one realm. Give `target` and `source` to the View in place of `parent` and `window`.
 * @returns {Link & { target: { postMessage(message: unknown, options?: unknown): void }, source: EventTarget }}
 */
export const memoryLink = () => {
  /** @type {Set<(message: any) => void>} */
  const listeners = new Set();
  const source = new EventTarget();
  const target = {
    postMessage(/** @type {unknown} */ message) {
      const copy = structuredClone(message);
      task(() => listeners.forEach((listener) => listener(copy)));
    },
  };
  return {
    target,
    source,
    send(message) {
      const data = structuredClone(message);
      task(() => source.dispatchEvent(Object.assign(new Event("message"), { data, source: target, origin: "null" })));
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

/**
 * From the page that holds the frame to the View in it. Make the link before the frame gets its
 * document: a View speaks as soon as it is parsed.
 * @param {HTMLIFrameElement} frame
 * @returns {Link}
 */
export const frameLink = (frame) => ({
  // The View's origin may be opaque, so it cannot be named.
  send: (message) => frame.contentWindow?.postMessage(message, "*"),
  listen(listener) {
    const receive = (/** @type {MessageEvent} */ { source, data }) => {
      if (source === frame.contentWindow) listener(data);
    };
    addEventListener("message", receive);
    return () => removeEventListener("message", receive);
  },
});
