// @ts-check
/** The tabs on the right. */

import { Part, h, sheet } from "./dom.js";
import { MessageLog } from "./message-log.js";
import { HostPane } from "./host-pane.js";
import { ConsolePane, CspPane, ModelPane } from "./panes.js";

export class SidePanel extends Part {
  static css = sheet(`
    :host { display: flex; flex-direction: column; flex: 1; min-height: 0; }
    [role="tablist"] { display: flex; flex-wrap: wrap; gap: 2px; padding: 8px 10px 0; border-bottom: 1px solid var(--line); }
    [role="tab"] { border: 0; border-bottom: 2px solid transparent; border-radius: 0; padding: 6px 5px; font-size: 12.5px; color: var(--soft); white-space: nowrap; }
    [role="tab"][aria-selected="true"] { color: var(--ink); border-bottom-color: var(--accent); font-weight: 600; }
    [role="tab"]:focus-visible { outline-offset: -2px; }
    [role="tabpanel"] { display: flex; flex-direction: column; flex: 1; min-height: 0; }
    [role="tabpanel"][hidden] { display: none; }
    .chip { margin-left: 4px; padding: 0 6px; }
  `);

  constructor() {
    super();
    this.log = new MessageLog();
    this.csp = new CspPane();
    this.model = new ModelPane();
    this.console = new ConsolePane();
    this.host = new HostPane();
    const parts = [
      { id: "messages", title: "Messages", pane: this.log },
      { id: "csp", title: "CSP", pane: this.csp },
      { id: "model", title: "Model sees", pane: this.model },
      { id: "console", title: "Console", pane: this.console },
      { id: "host", title: "Host", pane: this.host },
    ];
    this.tabs = parts.map(({ id, title, pane }) => ({
      id,
      count: h("span", { class: "chip" }),
      panel: h("div", { role: "tabpanel", id: `${id}-panel`, "aria-labelledby": `${id}-tab` }, pane),
      title,
      /** @type {HTMLButtonElement | null} */
      button: null,
    }));
    for (const tab of this.tabs) {
      tab.button = h("button", {
        type: "button",
        role: "tab",
        id: `${tab.id}-tab`,
        "aria-controls": `${tab.id}-panel`,
        onclick: () => this.pick(tab.id),
      }, tab.title, tab.count);
    }
    const list = h("div", {
      role: "tablist",
      "aria-label": "Diagnostics",
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.move(event),
    }, ...this.tabs.map((tab) => tab.button));
    this.root.append(list, ...this.tabs.map((tab) => tab.panel));
    this.picked = "messages";
    this.pick(this.picked);
  }

  /** @param {string} id */
  pick(id) {
    this.picked = id;
    for (const tab of this.tabs) {
      const on = tab.id === id;
      tab.panel.hidden = !on;
      tab.button?.setAttribute("aria-selected", String(on));
      tab.button?.setAttribute("tabindex", on ? "0" : "-1");
    }
  }

  /** @param {KeyboardEvent} event */
  move(event) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const at = this.tabs.findIndex((tab) => tab.id === this.picked);
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    this.pick(next.id);
    next.button?.focus();
  }

  /** Shows how much there is to see in the tabs that are not open. */
  counts() {
    for (const tab of this.tabs) {
      const count = tab.id === "csp" ? this.csp.count : tab.id === "console" ? this.console.count : 0;
      const text = count > 0 ? String(count) : "";
      // The same text again would be laid out again.
      if (tab.count.textContent !== text) tab.count.textContent = text;
    }
  }
}

customElements.define("side-panel", SidePanel);
