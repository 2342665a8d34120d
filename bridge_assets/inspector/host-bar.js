// @ts-check
/** The bar on top: which server, which host is emulated, in which state. */

import { Part, h, sheet } from "./dom.js";
import { widthOf } from "./state.js";

/** @typedef {import("./state.js").State} State */

const WIDTHS = ["360", "480", "720", "960", "fill"];

export class HostBar extends Part {
  static css = sheet(`
    :host { display: flex; align-items: center; gap: 6px 14px; flex-wrap: wrap; min-height: 44px; padding: 6px 14px; border-bottom: 1px solid var(--line); background: var(--panel); }
    .name { margin: 0; font-size: 13px; font-weight: 650; letter-spacing: -.01em; display: flex; align-items: center; gap: 6px; }
    .dot { width: 8px; height: 8px; border-radius: 50%; background: var(--bad); }
    .dot.on { background: var(--ok); }
    .name { overflow-wrap: anywhere; }
    .chip { overflow: hidden; text-overflow: ellipsis; max-width: 34ch; }
    .controls { display: flex; align-items: center; gap: 6px 14px; flex-wrap: wrap; margin-left: auto; }
    label { display: flex; align-items: center; gap: 6px; color: var(--soft); }
    .quirks { padding: 3px 9px; font-weight: 400; max-width: 24ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    select { padding: 3px 6px; background: var(--panel); }
    fieldset { display: inline-flex; border: 1px solid var(--line); border-radius: 7px; overflow: hidden; margin: 0; padding: 0; }
    fieldset button { border: 0; border-radius: 0; padding: 3px 9px; color: var(--soft); }
    fieldset button[aria-pressed="true"] { background: var(--sel); color: var(--accent); font-weight: 600; }
    fieldset button:focus-visible { outline-offset: -2px; }
  `);

  /** @param {State} state */
  render(state) {
    const { server, host } = state;
    const modes = host?.modes ?? [];
    const wrong = [...(host?.quirks ?? []), ...(host?.faults ?? [])];
    const width = widthOf(state);
    const widths = WIDTHS.includes(width) ? WIDTHS : [width, ...WIDTHS];
    this.draw(
      h("h1", { class: "name" },
        h("span", {
          class: state.connected ? "dot on" : "dot",
          role: "img",
          "aria-label": state.connected ? "connected" : "disconnected",
        }),
        server?.name ?? "mcpapps"),
      server && h("span", { class: "chip", title: server.label }, `${server.label} · ${server.protocolVersion}`),
      h("div", { class: "controls" },
        h("label", { title: "Emulated host; not the product itself" }, "Host",
          h("select", {
            onchange: (/** @type {Event} */ event) => this.emit("set-profile", valueOf(event)),
          }, ...state.profiles.map((name) =>
            h("option", { value: name, selected: name === host?.profile }, name === "spec" ? "spec (strict)" : name)))),
        h("button", {
          type: "button",
          class: "quirks",
          title: wrong.join(", ") || "What the host does wrong, and what else can be set",
          onclick: () => this.emit("show-host"),
        }, `Quirks: ${wrong.length === 0 ? "none" : wrong.length === 1 ? wrong[0] : wrong.length}`),
        this.segments("Theme", ["light", "dark"], state.theme, "set-theme", () => null),
        this.segments("Display mode", ["inline", "fullscreen", "pip"], state.mode, "set-mode", (mode) =>
          modes.includes(/** @type {any} */ (mode)) ? null : `${host?.profile ?? "this host"} does not offer ${mode}`),
        h("label", null, "Width",
          h("select", {
            onchange: (/** @type {Event} */ event) => this.emit("set-width", valueOf(event)),
          }, ...widths.map((one) => h("option", { value: one, selected: one === width }, one))))),
    );
  }

  /**
   * @param {string} name
   * @param {string[]} values
   * @param {string} current
   * @param {string} event
   * @param {(value: string) => string | null} refusal why a value cannot be chosen
   */
  segments(name, values, current, event, refusal) {
    return h("fieldset", { "aria-label": name }, ...values.map((value) =>
      h("button", {
        type: "button",
        "aria-pressed": String(value === current),
        disabled: refusal(value) !== null,
        title: refusal(value),
        onclick: () => this.emit(event, value),
      }, value)));
  }
}

/** @param {Event} event */
function valueOf(event) {
  return /** @type {HTMLSelectElement} */ (event.target).value;
}

customElements.define("host-bar", HostBar);
