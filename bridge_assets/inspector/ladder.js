// @ts-check
/** The rungs from "the server answers" to "something is visible". */

import { Part, h, sheet } from "./dom.js";
import { explain } from "./causes.js";
import { STEPS } from "./protocol.js";

/** @typedef {import("./protocol.js").Step} Step */

const MARKS = { ok: "✓", broken: "✕", unknown: "?", waiting: "·" };

export class StepLadder extends Part {
  static css = sheet(`
    :host { container-type: inline-size; }
    ol { display: flex; flex-wrap: wrap; list-style: none; margin: 0; padding: 0; background: var(--line); gap: 1px; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
    li { flex: 1 0 auto; padding: 6px 2px; text-align: center; font-size: 11px; letter-spacing: -.01em; color: var(--soft); background: var(--panel); white-space: nowrap; }
    .ok { color: var(--ok); }
    .broken { color: var(--bad); font-weight: 650; background: color-mix(in srgb, var(--bad) 12%, var(--panel)); }
    .unknown { color: var(--warn); }
    /* Two rows of six and five, or three of four: never one rung alone. */
    @container (max-width: 594px) { li { flex-basis: 16%; } }
    @container (max-width: 450px) { li { flex-basis: 24%; } }
  `);

  /** @param {Map<string, Step>} steps */
  render(steps) {
    this.draw(
      h("ol", { "aria-label": "Steps" }, ...STEPS.map((name) => {
        const step = steps.get(name);
        const state = step?.state ?? "waiting";
        const title = step && state !== "ok" && explain(step).what;
        return h("li", { class: state, "data-step": name, "data-state": state, title },
          h("span", { role: "img", "aria-label": state }, MARKS[state]), ` ${name}`);
      })));
  }
}

customElements.define("step-ladder", StepLadder);
