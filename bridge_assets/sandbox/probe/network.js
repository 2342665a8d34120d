import { observe } from "./observe.js";

/** @typedef {import("./report.js").Probe} Probe */

/**
 * Reports requests that fail although the policy allows them, and whether CORS is why.
 *
 * `fetch` itself stays as it is: a wrapper would be the place that the browser names when the
 * policy blocks a request.
 *
 * @param {Probe} probe
 */
export function watchNetwork({ listen, later, report }) {
  const EXAMINED_MAX = 20;
  const fetched = window.fetch;
  /** @type {Set<string>} */
  const blocked = new Set();
  /** @type {Set<string>} */
  const examined = new Set();

  listen("securitypolicyviolation", (event) => blocked.add(event.blockedURI));

  /**
   * Asks once more without reading the answer: when that works, an answer came, but it did not
   * allow an opaque origin to read it.
   *
   * @param {string} url
   */
  function examine(url) {
    if (blocked.has(url) || blocked.has(new URL(url).origin)) return;
    fetched(url, { mode: "no-cors", credentials: "omit", cache: "no-store" }).then(
      () => report("network", { url, cors: true }),
      () => report("network", { url, cors: false }),
    );
  }

  observe("resource", (/** @type {PerformanceResourceTiming} */ entry) => {
    if (entry.responseStatus !== 0 || !/^(fetch|xmlhttprequest)$/.test(entry.initiatorType)) return;
    const url = entry.name;
    if (examined.has(url) || examined.size >= EXAMINED_MAX) return;
    examined.add(url);
    // A violation of the policy is told in a task of its own, which may come later.
    later(() => examine(url), 100);
  });
}
