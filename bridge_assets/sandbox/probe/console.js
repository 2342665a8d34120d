/** @typedef {import("./report.js").Probe} Probe */

/**
 * Reports what the View writes to its console, and elements that could not load.
 *
 * @param {Probe} probe
 */
export function watchConsole({ listen, report, place, show }) {
  const LINES_MAX = 200;
  const TEXT_MAX = 2000;
  const LEVELS = { debug: "info", log: "info", info: "info", warn: "warning", error: "error" };
  let lines = 0;

  /**
   * @param {string} level
   * @param {string} text
   * @param {object} where
   */
  function write(level, text, where) {
    lines += 1;
    if (lines <= LINES_MAX) {
      report("console", { level, text: text.slice(0, TEXT_MAX), ...where });
    } else if (lines === LINES_MAX + 1) {
      report("console", { level: "warning", text: `more than ${LINES_MAX} lines: the rest is left out` });
    }
  }

  for (const method of /** @type {(keyof typeof LEVELS)[]} */ (Object.keys(LEVELS))) {
    const original = console[method];
    /** @param {unknown[]} args */
    console[method] = function reported(...args) {
      write(LEVELS[method], args.map(show).join(" "), place(new Error().stack));
      original.apply(console, args);
    };
  }

  listen(
    "error",
    (event) => {
      const element = event.target;
      if (!(element instanceof Element)) return;
      const url = element.getAttribute("src") ?? element.getAttribute("href") ?? "";
      write("error", `<${element.localName}> could not load ${url}`, {});
    },
    true,
  );
}
