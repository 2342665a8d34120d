/** @typedef {import("./report.js").Probe} Probe */

/**
 * Reports uncaught errors and rejections of the View's scripts.
 *
 * @param {Probe} probe
 */
export function watchErrors({ failures, listen, report, place, show }) {
  const STACK_MAX = 2000;

  /** @param {unknown} error */
  function stackOf(error) {
    return error instanceof Error || error instanceof DOMException ? error.stack?.slice(0, STACK_MAX) : undefined;
  }

  listen("error", (event) => {
    const stack = stackOf(event.error);
    report("error", {
      message: show(event.message),
      line: event.lineno || null,
      column: event.colno || null,
      // The browser names the probe when one of its watchers passed the error on.
      ...place(stack),
      stack,
      rejection: false,
    });
  });
  listen("unhandledrejection", (event) => {
    // The request is what is wrong, and is reported as such.
    if (failures.has(event.reason)) {
      report("console", { level: "error", text: `uncaught: ${show(event.reason)}`, ...place(event.reason.stack) });
      return;
    }
    const stack = stackOf(event.reason);
    report("error", {
      message: show(event.reason),
      line: null,
      column: null,
      ...place(stack),
      stack,
      rejection: true,
    });
  });
}
