// @ts-check
/** Controls for the fields of a form: made from a schema, read as values. */

import { h } from "./dom.js";
import { isObject, valueOf } from "./schema.js";

/** @typedef {import("./schema.js").Field} Field */
/** @typedef {import("./protocol.js").Json} Json */

/**
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {(showFaults: boolean) => unknown} read the value, undefined to leave it out; throws
 *   when what was entered is no value
 */

export const FIELDS_CSS = `
  label { display: grid; gap: 4px; overflow-wrap: anywhere; color: var(--soft); font-size: 12px; }
  label.check { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; color: var(--ink); font-size: 13px; }
  label.check small { flex-basis: 100%; }
  small { color: var(--soft); font-size: 11px; }
  .fault { color: var(--bad); font-size: 12px; }
  [aria-invalid="true"] { border-color: var(--bad); }
  fieldset { display: grid; gap: 8px; min-width: 0; margin: 0; padding: 6px 10px 10px; border: 1px solid var(--line); border-radius: 8px; }
  legend { padding: 0 4px; overflow-wrap: anywhere; color: var(--soft); font-size: 12px; }
  .item { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 6px; align-items: end; }
  .item > button, fieldset > button { padding: 3px 9px; justify-self: start; }
`;

/**
 * The controls of several fields, read as one object.
 *
 * @param {Field[]} fields
 * @param {Json | undefined} values
 * @returns {{ elements: HTMLElement[], read: (showFaults: boolean) => Json }}
 */
export function controlsOf(fields, values) {
  const made = fields.map((field) => ({ field, control: controlOf(field, values ? values[field.name] : field.initial) }));
  return {
    elements: made.map(({ control }) => control.element),
    read(showFaults) {
      /** @type {Json} */
      const found = {};
      let fault;
      for (const { field, control } of made) {
        try {
          const value = control.read(showFaults);
          if (value !== undefined) found[field.name] = value;
        } catch (error) {
          fault ??= error;
        }
      }
      if (fault) throw fault;
      return found;
    },
  };
}

/** @param {Field} field @param {unknown} value @returns {Control} */
function controlOf(field, value) {
  if (field.kind === "object") return objectControl(field, value);
  if (field.kind === "array" && field.item) return arrayControl(field, field.item, value);
  if (field.kind === "boolean") return checkControl(field, value);
  return textControl(field, value);
}

/** @param {Field} field */
function titleOf(field) {
  return field.required && field.name ? `${field.name} *` : field.name;
}

/** @param {Field} field @param {unknown} value @returns {Control} */
function objectControl(field, value) {
  const inner = controlsOf(field.fields, isObject(value) ? value : undefined);
  const element = h("fieldset", null, h("legend", null, titleOf(field)), field.hint && h("small", { dir: "auto" }, field.hint), ...inner.elements);
  return {
    element,
    read(showFaults) {
      const found = inner.read(showFaults);
      return field.required || Object.keys(found).length > 0 ? found : undefined;
    },
  };
}

/** @param {Field} field @param {Field} item @param {unknown} value @returns {Control} */
function arrayControl(field, item, value) {
  /** @type {{ row: HTMLElement, control: Control }[]} */
  let rows = [];
  const add = h("button", { type: "button", onclick: () => focusIn(append(item.initial)) }, `Add to ${field.name || "list"}`);
  const element = h("fieldset", null, h("legend", null, titleOf(field)), field.hint && h("small", { dir: "auto" }, field.hint), add);

  /** @param {unknown} entry */
  function append(entry) {
    const name = `${field.name} ${rows.length + 1}`;
    const control = controlOf({ ...item, name }, entry);
    const row = h("div", { class: "item" }, control.element,
      h("button", {
        type: "button",
        "aria-label": `Remove ${name}`,
        onclick: () => {
          rows = rows.filter((one) => one.row !== row);
          row.remove();
          add.focus();
        },
      }, "−"));
    rows.push({ row, control });
    add.before(row);
    return row;
  }

  for (const entry of Array.isArray(value) ? value : []) append(entry);
  return {
    element,
    read(showFaults) {
      const found = rows.map(({ control }) => control.read(showFaults));
      return field.required || found.length > 0 ? found : undefined;
    },
  };
}

/** @param {HTMLElement} row */
function focusIn(row) {
  /** @type {HTMLElement | null} */ (row.querySelector("input, select, textarea"))?.focus();
}

/** @param {Field} field @param {unknown} value @returns {Control} */
function checkControl(field, value) {
  const input = h("input", { name: field.name, type: "checkbox", checked: value === true });
  const always = field.required || field.initial !== undefined;
  return {
    element: h("label", { class: "check" }, input, titleOf(field), field.hint && h("small", { dir: "auto" }, field.hint)),
    read: () => (input.checked || always ? input.checked : undefined),
  };
}

/** @param {Field} field @param {unknown} value @returns {Control} */
function textControl(field, value) {
  const input = inputOf(field, value);
  const element = h("label", null, titleOf(field), input, field.hint && h("small", { dir: "auto" }, field.hint));
  return {
    element,
    read(showFaults) {
      try {
        const read = valueOf(field, input.value);
        mark(element, input, null);
        return read;
      } catch (error) {
        if (showFaults) mark(element, input, error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
  };
}

/** @param {Field} field @param {unknown} value */
function inputOf(field, value) {
  const shared = { name: field.name, "aria-required": field.required ? "true" : null };
  if (field.kind === "choice") {
    const at = field.choices.findIndex((choice) => choice === value);
    return h("select", shared,
      (!field.required || at < 0) && h("option", { value: "" }, ""),
      ...field.choices.map((choice, index) =>
        h("option", { value: index, selected: index === at }, typeof choice === "string" ? choice : JSON.stringify(choice))));
  }
  if (field.kind === "json" || field.kind === "array" || field.kind === "object") {
    const text = value === undefined ? "" : JSON.stringify(value);
    return h("textarea", { ...shared, dir: "auto", rows: "2", spellcheck: "false", placeholder: "JSON", value: text });
  }
  return h("input", {
    ...shared,
    dir: "auto",
    autocomplete: "off",
    inputmode: field.kind === "text" ? null : "decimal",
    value: value === undefined || value === null ? "" : String(value),
  });
}

/**
 * Shows what is wrong with an input, or that nothing is.
 *
 * @param {HTMLElement} label
 * @param {HTMLElement} input
 * @param {string | null} fault
 */
export function mark(label, input, fault) {
  label.querySelector(".fault")?.remove();
  if (fault === null) {
    input.removeAttribute("aria-invalid");
    return;
  }
  input.setAttribute("aria-invalid", "true");
  label.append(h("span", { class: "fault", role: "alert" }, fault));
  input.focus();
}
