/**
 * The diagnostics probe: runs before any script of the View, in its document, and tells the
 * sandbox proxy what a developer cannot see from outside. It answers nothing and changes no
 * message.
 *
 * The modules of this folder become one line of script. So every statement ends with a semicolon,
 * comments stand on lines of their own, and top-level names are unique.
 *
 * @typedef {object} Probe
 * @property {Window} parent who a View listens to
 * @property {typeof window.addEventListener} listen
 * @property {(callback: () => void, delay: number) => void} later
 * @property {(kind: string, detail: object) => void} report
 * @property {(stack: string | undefined) => { line?: number, column?: number }} place
 * @property {(value: unknown) => string} show
 * @property {WeakSet<object>} failures what failed requests were rejected with
 */

/**
 * Keeps what the probe needs as the browser gave it; the View may replace it later.
 *
 * @param {string} channel the secret under which the proxy accepts the reports
 * @returns {Probe}
 */
export function openProbe(channel) {
  const TEXT_MAX = 2000;
  const parent = window.parent;
  const post = parent.postMessage.bind(parent);
  const started = performance.now();
  // Tells this document from the one that a View makes by reloading or leaving itself.
  const name = Math.random().toString(36).slice(2);

  return {
    failures: new WeakSet(),
    parent,
    listen: window.addEventListener.bind(window),
    later: window.setTimeout.bind(window),
    report(kind, detail) {
      const at = Math.round(performance.now() - started);
      post({ channel, kind, detail: { at, document: name, ...detail } }, "*");
    },
    // The first place in the View's own code that a stack names: all functions of the probe that
    // stand between the View and the browser are called `reported`.
    place(stack) {
      for (const line of (stack ?? "").split("\n")) {
        const found = /about:srcdoc:(\d+):(\d+)/.exec(line);
        if (found && !/\breported\b/.test(line)) return { line: Number(found[1]), column: Number(found[2]) };
      }
      return {};
    },
    show(value) {
      let text;
      try {
        if (value instanceof Error || value instanceof DOMException) text = `${value.name}: ${value.message}`;
        else if (typeof value === "object" && value !== null) text = JSON.stringify(value);
        else text = String(value);
      } catch {
        text = Object.prototype.toString.call(value);
      }
      return String(text).slice(0, TEXT_MAX);
    },
  };
}
