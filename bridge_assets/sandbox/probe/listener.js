/** @typedef {import("./report.js").Probe} Probe */

/**
 * Reports whether the View listens for messages when its input and its result are delivered.
 *
 * @param {Probe} probe
 */
export function watchListeners({ parent, listen, report }) {
  const DELIVERIES = ["ui/notifications/tool-input", "ui/notifications/tool-result"];
  /** Listeners of the View; the value tells whether the next message ends it. @type {Map<unknown, boolean>} */
  const listeners = new Map();
  const { addEventListener, removeEventListener } = EventTarget.prototype;

  // Registered before any listener of the View, so it sees each message first.
  listen("message", (event) => {
    if (event.source !== parent) return;
    const method = event.data?.method;
    if (DELIVERIES.includes(method)) {
      report("listener", { method, present: listeners.size > 0 || typeof window.onmessage === "function" });
    }
    for (const [listener, once] of listeners) if (once) listeners.delete(listener);
  });

  /** @param {unknown} target @param {unknown} type */
  function isForMessages(target, type) {
    return (target === window || target === undefined || target === null) && type === "message";
  }

  /** @param {Parameters<EventTarget["addEventListener"]>} args */
  EventTarget.prototype.addEventListener = function reported(...args) {
    const [type, listener, options] = args;
    if (isForMessages(this, type) && listener) {
      const given = typeof options === "object" && options !== null ? options : {};
      if (listeners.size === 0) report("listener", {});
      listeners.set(listener, given.once === true);
      given.signal?.addEventListener("abort", () => listeners.delete(listener));
    }
    return addEventListener.apply(this ?? window, args);
  };

  /** @param {Parameters<EventTarget["removeEventListener"]>} args */
  EventTarget.prototype.removeEventListener = function reported(...args) {
    if (isForMessages(this, args[0])) listeners.delete(args[1]);
    return removeEventListener.apply(this ?? window, args);
  };
}
