// @ts-check
/** The arguments of the picked tool, as a form or as JSON, and the button that calls it. */

import { Part, h, sheet } from "./dom.js";
import { fieldsOf, valueOf } from "./schema.js";

/** @typedef {import("./protocol.js").Tool} Tool */
/** @typedef {import("./protocol.js").Json} Json */
/** @typedef {import("./schema.js").Field} Field */

export class CallForm extends Part {
  static css = sheet(`
    form { padding: 0 14px 14px; display: grid; gap: 10px; }
    label { display: grid; gap: 4px; color: var(--soft); font-size: 12px; }
    label.check { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; color: var(--ink); font-size: 13px; }
    label.check small { flex-basis: 100%; }
    small { color: var(--soft); font-size: 11px; }
    .fault { color: var(--bad); font-size: 12px; }
    [aria-invalid="true"] { border-color: var(--bad); }
    p { margin: 0; color: var(--soft); }
  `);

  constructor() {
    super();
    /** @type {Tool | null} */
    this.tool = null;
    this.raw = false;
    /** What was last entered for each tool. @type {Map<string, Json>} */
    this.entered = new Map();
  }

  /**
   * Shows another tool, or another generation of the same one; what was entered stays.
   *
   * @param {Tool | null} tool
   * @param {Json} [given] arguments to start with
   */
  show(tool, given) {
    if (this.tool) this.keep();
    this.tool = tool;
    if (tool && given) this.entered.set(tool.name, given);
    this.redraw();
  }

  redraw() {
    const tool = this.tool;
    if (!tool) {
      this.draw();
      return;
    }
    this.fields = fieldsOf(tool.inputSchema);
    const entered = this.entered.get(tool.name);
    const body = this.raw ? [this.rawField(entered)] : this.fields.map((field) => this.field(field, entered));
    this.draw(
      h("h2", null, "Arguments"),
      h("form", {
        novalidate: true,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.call();
        },
      },
      ...body,
      body.length === 0 && h("p", null, "The tool takes none."),
      h("div", { class: "row" },
        h("button", { class: "main", part: "call" }, "Call"),
        h("button", {
          type: "button",
          "aria-pressed": String(this.raw),
          onclick: () => this.toggle(),
        }, this.raw ? "Form" : "JSON"))),
    );
  }

  /** @param {Json | undefined} entered */
  rawField(entered) {
    const start = entered ?? Object.fromEntries((this.fields ?? []).flatMap((field) =>
      field.initial === undefined ? [] : [[field.name, field.initial]]));
    return h("label", null, "JSON",
      h("textarea", { name: "raw", rows: "8", spellcheck: "false", value: JSON.stringify(start, null, 2) }));
  }

  /**
   * @param {Field} field
   * @param {Json | undefined} entered
   */
  field(field, entered) {
    const value = entered ? entered[field.name] : field.initial;
    const title = field.required ? `${field.name} *` : field.name;
    const hint = field.hint && h("small", null, field.hint);
    const shared = { name: field.name, "aria-required": field.required ? "true" : null };
    if (field.kind === "boolean") {
      return h("label", { class: "check" }, h("input", { ...shared, type: "checkbox", checked: value === true }), title, hint);
    }
    if (field.kind === "choice") {
      const at = field.choices.findIndex((choice) => choice === value);
      return h("label", null, title,
        h("select", shared,
          (!field.required || at < 0) && h("option", { value: "" }, ""),
          ...field.choices.map((choice, index) =>
            h("option", { value: index, selected: index === at }, typeof choice === "string" ? choice : JSON.stringify(choice)))),
        hint);
    }
    if (field.kind === "json") {
      const text = value === undefined ? "" : JSON.stringify(value);
      return h("label", null, title,
        h("textarea", { ...shared, rows: "2", spellcheck: "false", placeholder: "JSON", value: text }), hint);
    }
    return h("label", null, title,
      h("input", {
        ...shared,
        autocomplete: "off",
        inputmode: field.kind === "text" ? null : "decimal",
        value: value === undefined || value === null ? "" : String(value),
      }),
      hint);
  }

  toggle() {
    this.keep();
    this.raw = !this.raw;
    this.redraw();
    /** @type {HTMLElement | null} */ (this.root.querySelector("[aria-pressed]"))?.focus();
  }

  keep() {
    const args = this.read(false);
    if (this.tool && args) this.entered.set(this.tool.name, args);
  }

  call() {
    const args = this.read(true);
    if (!this.tool || !args) return;
    this.entered.set(this.tool.name, args);
    this.emit("call-tool", { tool: this.tool.name, args });
  }

  /**
   * Returns what was entered, or null when it is at fault.
   *
   * @param {boolean} showFaults
   * @returns {Json | null}
   */
  read(showFaults) {
    /** @type {Json} */
    const args = {};
    let sound = true;
    /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>} */
    const inputs = this.root.querySelectorAll("input, select, textarea");
    for (const input of inputs) {
      const field = this.fields?.find((one) => one.name === input.name);
      try {
        if (this.raw) {
          const typed = JSON.parse(input.value);
          if (typeof typed !== "object" || typed === null || Array.isArray(typed)) throw new Error("is not an object");
          Object.assign(args, typed);
        } else if (field) {
          const typed = input instanceof HTMLInputElement && input.type === "checkbox" ? input.checked : input.value;
          const value = valueOf(field, typed);
          if (value !== undefined) args[field.name] = value;
        }
        this.mark(input, null);
      } catch (error) {
        sound = false;
        if (showFaults) this.mark(input, error instanceof Error ? error.message : String(error));
      }
    }
    return sound ? args : null;
  }

  /**
   * @param {HTMLElement} input
   * @param {string | null} fault
   */
  mark(input, fault) {
    const label = input.closest("label");
    label?.querySelector(".fault")?.remove();
    if (fault === null) {
      input.removeAttribute("aria-invalid");
      return;
    }
    input.setAttribute("aria-invalid", "true");
    label?.append(h("span", { class: "fault", role: "alert" }, fault));
    input.focus();
  }
}

customElements.define("call-form", CallForm);
