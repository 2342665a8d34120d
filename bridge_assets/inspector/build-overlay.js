// @ts-check
/** A build error over the Views; the last good View stays underneath. */

import { Part, h, sheet } from "./dom.js";

/** @typedef {import("./protocol.js").BuildError} BuildError */

export class BuildOverlay extends Part {
  static css = sheet(`
    :host { position: absolute; inset: 0; z-index: 5; display: grid; place-items: start center; padding: 32px 24px; background: color-mix(in srgb, var(--bg) 70%, transparent); overflow: auto; }
    .card { width: min(680px, 100%); background: var(--panel); border: 1px solid var(--bad); border-radius: 12px; padding: 16px 18px; box-shadow: 0 12px 40px rgb(0 0 0 / .2); }
    h2 { margin: 0 0 8px; font-size: 14px; color: var(--bad); text-transform: none; letter-spacing: 0; }
    .place { color: var(--soft); font: 12px/1.5 var(--mono); }
    pre { margin: 8px 0; background: var(--bg); border: 1px solid var(--line); border-radius: 8px; padding: 8px 10px; overflow: auto; }
    p { margin: 6px 0; overflow-wrap: anywhere; }
    .foot { display: flex; align-items: center; justify-content: space-between; color: var(--soft); margin-top: 10px; }
  `);

  /** @param {BuildError | null} error */
  show(error) {
    this.hidden = error === null;
    if (!error) return;
    const at = error.position;
    this.draw(
      h("div", { class: "card", role: "alert", part: "card" },
        h("h2", null, "This does not run"),
        h("p", null, error.message),
        at && h("div", { class: "place" }, `${at.path}:${at.line}:${at.column}`),
        at && h("pre", { tabindex: "0" }, frameText(at)),
        !!error.details?.length && h("details", { open: !at },
          h("summary", null, "What it wrote"),
          h("pre", { tabindex: "0" }, error.details.join("\n"))),
        error.help && h("p", null, `help: ${error.help}`),
        h("div", { class: "foot" },
          "What worked last, if anything did, is underneath. Esc hides this.",
          h("button", { type: "button", onclick: () => this.show(null) }, "Hide"))));
  }
}

/** @param {NonNullable<BuildError["position"]>} at */
function frameText(at) {
  const number = String(at.line);
  const gutter = " ".repeat(number.length);
  const indent = at.source.slice(0, at.column - 1).replace(/[^\t]/g, " ");
  return `${number} | ${at.source}\n${gutter} | ${indent}${"^".repeat(Math.max(1, at.length))}`;
}

customElements.define("build-overlay", BuildOverlay);
