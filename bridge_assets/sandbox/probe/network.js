/** @typedef {import("./report.js").Probe} Probe */

/**
 * Reports requests that fail although the policy allows them, and whether CORS is why; and, for
 * `fetch`, where in the View's code a request was made that the policy blocks: the browser itself
 * would name this file.
 *
 * @param {Probe} probe
 * @param {string[]} declared origins the View may connect to; only there a request is repeated
 */
export function watchNetwork({ failures, listen, later, place, report }, declared) {
  const EXAMINED_MAX = 20;
  const PLACES_MAX = 200;
  const fetched = window.fetch;
  /** Blocked addresses. @type {Set<string>} */
  const blocked = new Set();
  /** @type {Set<string>} */
  const examined = new Set();
  /** Where `fetch` was last called, by address. @type {Map<string, { line?: number, column?: number }>} */
  const places = new Map();

  listen("securitypolicyviolation", (event) => {
    blocked.add(event.blockedURI);
    const where = places.get(event.blockedURI);
    if (event.effectiveDirective === "connect-src" && where) {
      report("network", { url: event.blockedURI, blocked: true, ...where });
    }
  });

  /** @param {string} origin */
  function isDeclared(origin) {
    return declared.some((source) => {
      const [start, end] = source.split("*.");
      return end === undefined ? source === origin : origin.startsWith(start) && origin.endsWith(`.${end}`);
    });
  }

  /**
   * Asks once more without reading the answer: when that works, an answer came, but it did not
   * allow this origin to read it.
   *
   * @param {string} method
   * @param {string} url
   */
  function examine(method, url) {
    const { origin } = new URL(url);
    if (blocked.has(url) || blocked.has(origin)) return;
    if (examined.has(url) || examined.size >= EXAMINED_MAX) return;
    examined.add(url);
    if (method !== "GET" || !isDeclared(origin)) {
      report("network", { url, method });
      return;
    }
    fetched(url, { mode: "no-cors", credentials: "omit", cache: "no-store" }).then(
      () => report("network", { url, method, cors: true }),
      () => report("network", { url, method, cors: false }),
    );
  }

  /** A violation of the policy is told in a task of its own, which may come later. @param {string} method @param {string} url */
  function failed(method, url) {
    if (/^https?:/.test(url)) later(() => examine(method.toUpperCase(), url), 100);
  }

  /** @param {RequestInfo | URL} input @param {RequestInit | undefined} init @returns {[string, string]} */
  function described(input, init) {
    const request = input instanceof Request ? input : null;
    const url = new URL(request ? request.url : String(input), document.baseURI);
    url.hash = "";
    return [init?.method ?? request?.method ?? "GET", url.href];
  }

  /** @param {Parameters<typeof fetch>} args */
  window.fetch = function reported(...args) {
    let about = ["GET", ""];
    try {
      about = described(...args);
      places.set(about[1], place(new Error().stack));
      if (places.size > PLACES_MAX) places.delete(places.keys().next().value ?? "");
    } catch {
      // The browser says itself what is wrong with the arguments.
    }
    return fetched.apply(this ?? window, args).catch((error) => {
      if (error instanceof TypeError) {
        failures.add(error);
        failed(about[0], about[1]);
      }
      throw error;
    });
  };

  const open = XMLHttpRequest.prototype.open;
  /** @param {any[]} args */
  XMLHttpRequest.prototype.open = function reported(...args) {
    this.addEventListener("error", () => {
      try {
        failed(String(args[0]), new URL(String(args[1]), document.baseURI).href);
      } catch {
        // As above.
      }
    }, { once: true });
    return open.apply(this, /** @type {any} */ (args));
  };
}
