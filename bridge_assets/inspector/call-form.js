// @ts-check
/** The arguments of the picked tool, as a form or as JSON; saved inputs; the button that calls. */

import { Part, h, sheet } from "./dom.js";
import { FIELDS_CSS, controlsOf, mark } from "./fields.js";
import { forgetInput, saveInput, savedInputs } from "./saved.js";
import { fieldsOf, isObject } from "./schema.js";

/** @typedef {import("./protocol.js").Tool} Tool */
/** @typedef {import("./protocol.js").Json} Json */

export class CallForm extends Part {
  static css = sheet(`
    form { padding: 0 14px 14px; display: grid; gap: 10px; }
    p { margin: 0; color: var(--soft); }
    .about { margin: 0 14px 8px; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; overflow-wrap: anywhere; }
    ul { list-style: none; margin: 0; padding: 0 0 8px; }
    li { display: flex; align-items: center; padding-right: 8px; }
    li button { border: 0; border-radius: 0; padding: 4px 14px; text-align: left; font: 12.5px var(--mono); overflow: hidden; text-overflow: ellipsis; }
    li button:first-child { flex: 1; }
    li button:focus-visible { outline-offset: -2px; }
    .name { display: flex; gap: 8px; }
    .name input { flex: 1; }
    ${FIELDS_CSS}
  `);

  constructor() {
    super();
    /** @type {Tool | null} */
    this.tool = null;
    this.raw = false;
    this.naming = false;
    /** What was last entered for each tool. @type {Map<string, Json>} */
    this.entered = new Map();
    /** @type {(showFaults: boolean) => Json} */
    this.readAll = () => ({});
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
    if (tool && given) this.entered.set(keyOf(tool), given);
    this.redraw();
  }

  redraw() {
    const tool = this.tool;
    if (!tool) {
      this.draw();
      return;
    }
    const entered = this.entered.get(keyOf(tool));
    const body = this.raw ? this.rawField(tool, entered) : this.formFields(tool, entered);
    this.draw(
      h("h2", null, "Arguments"),
      tool.description && h("p", { class: "about", dir: "auto", title: tool.description }, tool.description),
      h("form", {
        novalidate: true,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.call();
        },
        oninput: () => this.emit("edit-input"),
      },
      ...body,
      body.length === 0 && h("p", null, "The tool takes none."),
      h("div", { class: "row" },
        h("button", { class: "main", part: "call" }, "Call"),
        h("button", {
          type: "button",
          "aria-pressed": String(this.raw),
          onclick: () => this.toggle(),
        }, this.raw ? "Form" : "JSON"),
        h("button", { type: "button", "aria-expanded": String(this.naming), onclick: () => this.askName() }, "Save")),
      this.naming && this.nameField(tool)),
      ...this.savedList(tool));
    this.emit("edit-input");
  }

  /** @param {Tool} tool @param {Json | undefined} entered */
  formFields(tool, entered) {
    const { elements, read } = controlsOf(fieldsOf(tool.inputSchema), entered);
    this.readAll = read;
    return elements;
  }

  /** @param {Tool} tool @param {Json | undefined} entered */
  rawField(tool, entered) {
    const start = entered ?? Object.fromEntries(fieldsOf(tool.inputSchema).flatMap((field) =>
      field.initial === undefined ? [] : [[field.name, field.initial]]));
    const input = h("textarea", { name: "raw", rows: "8", spellcheck: "false", value: JSON.stringify(start, null, 2) });
    const label = h("label", null, "JSON", input);
    this.readAll = (showFaults) => {
      try {
        const typed = JSON.parse(input.value);
        if (!isObject(typed)) throw new Error("is not an object");
        mark(label, input, null);
        return typed;
      } catch (error) {
        if (showFaults) mark(label, input, error instanceof Error ? error.message : String(error));
        throw error;
      }
    };
    return [label];
  }

  /** @param {Tool} tool */
  nameField(tool) {
    const name = h("input", { name: "save-as", "aria-label": "Name of the saved input", placeholder: "name", autocomplete: "off" });
    const save = () => {
      const args = this.read(true);
      if (!args || !name.value.trim()) return;
      saveInput(tool.server, tool.name, { name: name.value.trim(), args });
      this.entered.set(keyOf(tool), args);
      this.naming = false;
      this.redraw();
    };
    name.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      save();
    });
    return h("div", { class: "name" }, name, h("button", { type: "button", onclick: save }, "Keep"));
  }

  /** @param {Tool} tool */
  savedList(tool) {
    const saved = savedInputs(tool.server, tool.name);
    if (saved.length === 0) return [];
    return [
      h("h2", { id: "saved" }, "Saved"),
      h("ul", { "aria-labelledby": "saved" }, ...saved.map(({ name, args }) =>
        h("li", null,
          h("button", { type: "button", onclick: () => this.load(args) }, name),
          h("button", {
            type: "button",
            "aria-label": `Forget ${name}`,
            onclick: () => {
              this.keep();
              forgetInput(tool.server, tool.name, name);
              this.redraw();
            },
          }, "×")))),
    ];
  }

  askName() {
    this.keep();
    this.naming = !this.naming;
    this.redraw();
    /** @type {HTMLElement | null} */ (this.root.querySelector(".name input"))?.focus();
  }

  /** @param {Json} args */
  load(args) {
    if (!this.tool) return;
    this.entered.set(keyOf(this.tool), args);
    this.redraw();
  }

  toggle() {
    this.keep();
    this.raw = !this.raw;
    this.redraw();
    /** @type {HTMLElement | null} */ (this.root.querySelector("[aria-pressed]"))?.focus();
  }

  keep() {
    const args = this.read(false);
    if (this.tool && args) this.entered.set(keyOf(this.tool), args);
  }

  call() {
    const args = this.read(true);
    if (!this.tool || !args) return;
    this.entered.set(keyOf(this.tool), args);
    this.emit("call-tool", { tool: this.tool.name, server: this.tool.server, args });
  }

  /**
   * Returns what was entered, or null when it is at fault.
   *
   * @param {boolean} showFaults
   * @returns {Json | null}
   */
  read(showFaults) {
    try {
      return this.readAll(showFaults);
    } catch {
      return null;
    }
  }
}

/** @param {Tool} tool */
function keyOf(tool) {
  return `${tool.server}/${tool.name}`;
}

customElements.define("call-form", CallForm);
