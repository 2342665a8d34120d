// @ts-check
/** The bar at the bottom, and the list of keys. */

import { Part, h, sheet } from "./dom.js";

/** @typedef {import("./state.js").State} State */

const KEYS = [
  ["r", "reload the View"],
  ["c", "call the tool"],
  ["t", "light or dark"],
  ["/", "filter messages"],
  ["Esc", "hide the error, leave fullscreen and pip"],
  ["?", "these keys"],
];

const SHORT = [["r", "reload"], ["c", "call"], ["/", "filter"], ["?", "keys"]];
const CSS = `
  kbd { font: 11px var(--mono); border: 1px solid var(--line); border-radius: 4px; padding: 0 4px; background: var(--bg); }
`;

export class StatusBar extends Part {
  static css = sheet(`
    ${CSS}
    :host { display: flex; gap: 4px 18px; flex-wrap: wrap; align-items: center; min-height: 30px; padding: 0 14px; border-top: 1px solid var(--line); background: var(--panel); color: var(--soft); font-size: 12px; }
    .dot { width: 8px; height: 8px; border-radius: 50%; background: var(--bad); display: inline-block; margin-right: 6px; }
    .dot.on { background: var(--ok); }
    .off { color: var(--bad); }
  `);

  /** @param {State} state */
  render(state) {
    const { connected, server } = state;
    this.draw(
      h("span", { role: "status", class: connected ? null : "off" },
        h("span", { class: connected ? "dot on" : "dot", "aria-hidden": "true" }),
        connected ? `connected · generation ${server?.generation ?? 1}` : "disconnected, trying again"),
      !state.ui && h("span", { class: "off" }, "--no-ui: the server is told that this host shows no Views"),
      h("span", null, state.probe ? "diagnostics probe on" : "no probe: the document as it is"),
      h("span", { class: "grow" }),
      h("span", null, ...SHORT.flatMap(([key, word]) => [h("kbd", null, key), ` ${word} `])));
  }
}

export class KeysHelp extends Part {
  static css = sheet(`
    ${CSS}
    dialog { border: 1px solid var(--line); border-radius: 12px; background: var(--panel); color: var(--ink); padding: 16px 20px; }
    dialog::backdrop { background: rgb(0 0 0 / .3); }
    dl { display: grid; grid-template-columns: auto 1fr; gap: 6px 14px; margin: 0 0 14px; }
    dd { margin: 0; }
  `);

  constructor() {
    super();
    this.dialog = h("dialog", { "aria-label": "Keys" },
      h("dl", null, ...KEYS.flatMap(([key, meaning]) => [h("dt", null, h("kbd", null, key)), h("dd", null, meaning)])),
      h("form", { method: "dialog" }, h("button", null, "Close")));
    this.root.append(this.dialog);
  }

  open() {
    this.dialog.showModal();
  }

  get isOpen() {
    return this.dialog.open;
  }
}

customElements.define("status-bar", StatusBar);
customElements.define("keys-help", KeysHelp);
