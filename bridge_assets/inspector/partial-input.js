// @ts-check
/** Writes the arguments of a call bit by bit, as a model does, for the View to show meanwhile. */

import { Part, h, isolated, nodes, sheet } from "./dom.js";
import { heal } from "./heal.js";

/** @typedef {import("./protocol.js").Json} Json */

export class PartialInput extends Part {
  static css = sheet(`
    :host { margin-top: auto; border-top: 1px solid var(--line); padding: 10px 14px; }
    .top { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 8px; color: var(--soft); font-size: 12px; }
    input { width: 100%; padding: 0; margin: 6px 0; accent-color: var(--accent); }
    code { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; direction: ltr; }
    button { margin-top: 6px; padding: 3px 9px; }
  `);

  constructor() {
    super();
    this.text = "{}";
    /** @type {Json} */
    this.args = {};
    this.count = h("output");
    this.shown = h("code");
    this.slider = h("input", {
      type: "range",
      min: "0",
      max: "2",
      value: "2",
      "aria-label": "Partial input",
      oninput: () => this.write(),
    });
    this.finish = h("button", {
      type: "button",
      hidden: true,
      onclick: () => {
        this.emit("write-input", { args: this.args, complete: true });
        this.rest();
      },
    }, "Finish the input");
    this.root.append(h("div", { class: "top" }, h("span", null, "Partial input"), this.count), this.slider, this.shown, this.finish);
    this.hidden = true;
  }

  /** Takes the arguments as they are in the form; null when they are at fault. @param {Json | null} args */
  take(args) {
    const text = JSON.stringify(args ?? {});
    this.hidden = args === null || text === "{}";
    if (text === this.text) return;
    this.args = args ?? {};
    this.text = text;
    this.rest();
  }

  /** Goes back to the whole input. */
  rest() {
    this.slider.max = String(this.text.length);
    this.slider.value = this.slider.max;
    this.finish.hidden = true;
    this.show();
  }

  write() {
    this.show();
    this.finish.hidden = false;
    const healed = heal(this.text.slice(0, Number(this.slider.value)));
    if (healed) this.emit("write-input", { args: healed, complete: false });
  }

  show() {
    const at = Number(this.slider.value);
    this.count.textContent = `${at} of ${this.text.length} characters`;
    this.slider.setAttribute("aria-valuetext", this.text.slice(0, at));
    this.shown.replaceChildren(...nodes(isolated(this.text.slice(Math.max(0, at - 28), at))));
  }
}

customElements.define("partial-input", PartialInput);
