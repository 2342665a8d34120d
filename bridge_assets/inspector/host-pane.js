// @ts-check
/** The emulated host in full: its quirks and faults, the View's surroundings, where values come from. */

import { Part, h, sheet } from "./dom.js";
import { parseObject, readInsets } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Chosen} Chosen */
/** @typedef {import("./protocol.js").Choice} Choice */

const ORIGINS = { profile: "as the host has it", opaque: "opaque", own: "its own" };
const FLAGS = { "": "as the host has it", 1: "yes", 0: "no" };

export class HostPane extends Part {
  static css = sheet(`
    :host { overflow: auto; flex: 1; min-height: 0; padding-bottom: 14px; }
    .fields { display: grid; gap: 8px; padding: 0 14px; }
    label { display: grid; gap: 3px; color: var(--soft); font-size: 12px; }
    label.check { display: flex; align-items: start; gap: 8px; color: var(--ink); font-size: 12.5px; }
    label.check input { margin-top: 2px; }
    label.check small { color: var(--soft); }
    .two { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
    p { margin: 0 14px; color: var(--soft); overflow-wrap: anywhere; }
    dl { margin: 0 14px; display: grid; gap: 6px; font-size: 12px; }
    dt { font: 12px/1.5 var(--mono); overflow-wrap: anywhere; }
    dd { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
  `);

  /** @param {State} state */
  render(state) {
    const { host } = state;
    if (!host) return;
    // What is being typed is not thrown away by a message that comes meanwhile.
    const active = this.root.activeElement;
    if (active instanceof HTMLTextAreaElement || (active instanceof HTMLInputElement && active.type !== "checkbox")) return;
    const top = this.scrollTop;
    this.draw(
      h("h2", null, host.title),
      h("p", null, "An emulation from the sources below, not the product."),
      h("h2", null, "Quirks"),
      this.checks("quirks", state.quirks, host.quirks),
      h("h2", null, "Faults"),
      this.checks("faults", state.faults, host.faults),
      h("h2", null, "Surroundings"),
      this.surroundings(state),
      h("h2", null, "Where its values come from"),
      this.sources(state));
    this.scrollTop = top;
  }

  /**
   * @param {"quirks" | "faults"} kind
   * @param {Choice[]} all
   * @param {string[]} active
   */
  checks(kind, all, active) {
    const on = new Set(active.map((name) => name.split("=")[0]));
    return h("div", { class: "fields", role: "group", "aria-label": kind }, ...all.map(({ name, title }) =>
      h("label", { class: "check" },
        h("input", {
          type: "checkbox",
          name,
          checked: on.has(name),
          onchange: (/** @type {Event} */ event) =>
            this.emit("set-switch", { kind, name, on: /** @type {HTMLInputElement} */ (event.target).checked }),
        }),
        h("span", null, name, " ", h("small", null, title)))));
  }

  /** @param {State} state */
  surroundings(state) {
    const { chosen, host } = state;
    /** @param {Partial<Chosen>} changes */
    const set = (changes) => this.emit("set-chosen", changes);
    /** @param {"locale" | "timeZone"} key @param {string} title @param {string} hint */
    const word = (key, title, hint) => h("label", null, title, h("input", {
      name: key,
      value: chosen[key] ?? "",
      placeholder: String(host?.context[key] ?? hint),
      autocomplete: "off",
      onchange: (/** @type {Event} */ event) => set({ [key]: textOf(event) || null }),
    }));
    /** @param {"touch" | "hover"} key @param {string} title */
    const flag = (key, title) => h("label", null, title, select(key, FLAGS, chosen[key] === null ? "" : String(Number(chosen[key])),
      (value) => set({ [key]: value === "" ? null : value === "1" })));
    return h("div", { class: "fields" },
      h("label", null, "Origin of Views", select("origin", ORIGINS, host?.origin ?? "profile", (value) => this.emit("set-origin", value))),
      h("div", { class: "two" },
        word("locale", "Locale", navigator.language),
        word("timeZone", "Time zone", Intl.DateTimeFormat().resolvedOptions().timeZone)),
      h("div", { class: "two" }, flag("touch", "Touch"), flag("hover", "Hover")),
      h("div", { class: "two" },
        h("label", null, "Platform", select("platform", { "": "as the host has it", web: "web", desktop: "desktop", mobile: "mobile" }, chosen.platform ?? "",
          (value) => set({ platform: value || null }))),
        h("label", null, "Largest height", h("input", {
          name: "height",
          inputmode: "numeric",
          placeholder: String(host?.context.containerDimensions?.maxHeight ?? 6000),
          value: chosen.height ?? "",
          onchange: (/** @type {Event} */ event) => set({ height: Number(textOf(event)) || null }),
        }))),
      h("label", null, "Safe area: top, right, bottom, left", h("input", {
        name: "insets",
        placeholder: "0,0,0,0",
        value: chosen.insets?.join() ?? "",
        autocomplete: "off",
        onchange: (/** @type {Event} */ event) => set({ insets: readInsets(textOf(event)) }),
      })),
      h("label", null, "Style variables", h("textarea", {
        name: "styles",
        rows: "3",
        spellcheck: "false",
        placeholder: JSON.stringify(host?.styles[state.theme] ?? {}).slice(0, 200),
        value: chosen.styles ? JSON.stringify(chosen.styles, null, 2) : "",
        onchange: (/** @type {Event} */ event) => set({ styles: parseObject(textOf(event)) }),
      })));
  }

  /** @param {State} state */
  sources({ host }) {
    return h("dl", null,
      ...(host?.sources ?? []).flatMap(({ name, text, date, kind }) => [
        h("dt", null, name || "all else"),
        h("dd", null, `${kind}${date && `, ${date}`}: ${text}`),
      ]),
      ...(host?.unknown ?? []).flatMap((name) => [h("dt", null, name), h("dd", null, "unknown: no source gives it")]));
  }
}

/**
 * @param {string} name
 * @param {{ [value: string]: string }} choices
 * @param {string} current
 * @param {(value: string) => void} onChange
 */
function select(name, choices, current, onChange) {
  return h("select", { name, onchange: (/** @type {Event} */ event) => onChange(textOf(event)) },
    ...Object.entries(choices).map(([value, title]) => h("option", { value, selected: value === current }, title)));
}

/** @param {Event} event */
function textOf(event) {
  return /** @type {HTMLInputElement} */ (event.target).value.trim();
}

customElements.define("host-pane", HostPane);
