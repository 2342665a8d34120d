/** @typedef {import("./report.js").Probe} Probe */

/**
 * Reports uncaught errors and rejections of the View's scripts.
 *
 * @param {Probe} probe
 */
export function watchErrors({ listen, report, place, show }) {
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
