// @ts-check
/** The panes beside the message log: what the policy blocked, the console, what the model sees. */

import { Part, h, sheet } from "./dom.js";
import { isHarmless, remedy } from "./notice.js";
import { parseObject } from "./state.js";

/** @typedef {import("./protocol.js").Violation} Violation */
/** @typedef {import("./protocol.js").Json} Json */

const ROWS_MAX = 500;
const CSS = `
  :host { overflow: auto; flex: 1; min-height: 0; }
  ul { margin: 0; padding: 0; list-style: none; }
  li { padding: 8px 14px; border-bottom: 1px solid color-mix(in srgb, var(--line) 55%, transparent); overflow-wrap: anywhere; }
  .soft, .empty { color: var(--soft); }
  .empty { padding: 14px; margin: 0; }
  .bad { color: var(--bad); }
  .warning { color: var(--warn); }
  pre { margin: 4px 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
  .top { display: flex; gap: 8px; justify-content: space-between; }
  .top > .soft { flex: none; }
`;

/** What the policies of the open Views blocked, and what would allow it. */
export class CspPane extends Part {
  static css = sheet(CSS);

  constructor() {
    super();
    /** @type {Map<string, { violation: Violation, count: number }>} */
    this.rows = new Map();
    /** @type {Map<string, { uri: string, declared: Json | null, policy: string }>} */
    this.policies = new Map();
    this.redraw();
  }

  get count() {
    return [...this.rows.values()].filter(({ violation }) => !isHarmless(violation)).length;
  }

  /** @param {Violation} violation */
  add(violation) {
    const key = `${violation.view} ${violation.directive} ${violation.blocked} ${violation.line}`;
    const count = (this.rows.get(key)?.count ?? 0) + 1;
    if (count > 1 || this.rows.size < ROWS_MAX) this.rows.set(key, { violation, count });
    this.redraw();
  }

  /** @param {string} view @param {string} uri @param {Json | null} declared @param {string} policy */
  setPolicy(view, uri, declared, policy) {
    this.policies.set(view, { uri, declared, policy });
    for (const [key, { violation }] of this.rows) if (violation.view === view) this.rows.delete(key);
    this.redraw();
  }

  /** @param {string} view */
  forget(view) {
    this.policies.delete(view);
    for (const [key, { violation }] of this.rows) if (violation.view === view) this.rows.delete(key);
    this.redraw();
  }

  redraw() {
    const rows = [...this.rows.values()];
    this.draw(
      rows.length === 0 && h("p", { class: "empty" }, this.policies.size > 0
        ? "The policy has blocked nothing."
        : "No View is open. Its policy, and what the policy blocks, comes here."),
      h("ul", { "aria-label": "Blocked by the policy" }, ...rows.map(({ violation, count }) => {
        const { directive, blocked, line, key, origin } = violation;
        return h("li", null,
          h("div", { class: "top" },
            h("code", { class: isHarmless(violation) ? "soft" : "bad" }, directive),
            h("span", { class: "soft" }, `${line ? `line ${line}` : ""}${count > 1 ? ` · ${count} times` : ""}`)),
          h("div", null, h("code", null, blocked)),
          isHarmless(violation) && h("div", { class: "soft" }, "Code that only probes it carries on."),
          key && origin && h("div", { class: "soft" }, remedy(this.policies.get(violation.view)?.declared ?? null, key, origin)));
      })),
      ...[...this.policies.values()].map(({ uri, declared, policy }) => h("div", null,
        h("h2", null, "Declared"),
        h("ul", { "aria-label": `Declared by ${uri}` },
          h("li", null, h("span", { class: "soft" }, uri), h("pre", null, declaredText(declared)))),
        h("h2", null, "Effective"),
        h("ul", { "aria-label": `Policy of ${uri}` },
          h("li", null, h("pre", null, policy.split("; ").join("\n")))))));
  }
}

/** @param {Json | null} declared */
function declaredText(declared) {
  if (!declared) return "no csp: the restrictive default";
  return Object.entries(declared).map(([key, origins]) => `${key}: ${origins.length > 0 ? origins.join(" ") : "none"}`).join("\n");
}

/** Console lines and script errors of the Views, and notes of the host. */
export class ConsolePane extends Part {
  static css = sheet(CSS);

  constructor() {
    super();
    this.count = 0;
    this.list = h("ul", { "aria-label": "Console" });
    this.empty = h("p", { class: "empty" }, "Nothing was written. Lines that Views log, their script errors and notes of the host come here.");
    this.root.append(this.empty, this.list);
  }

  /**
   * @param {string} level
   * @param {string} text
   * @param {string} where
   */
  add(level, text, where) {
    this.count += 1;
    this.empty.hidden = true;
    const kind = level === "error" ? "bad" : level === "warning" ? "warning" : "";
    this.list.append(h("li", null,
      h("div", { class: "top" }, h("code", { class: kind }, text), h("span", { class: "soft" }, where))));
    while (this.list.childElementCount > ROWS_MAX) this.list.firstElementChild?.remove();
  }
}

/** What reaches the model: the text of results, the context a View sets, what a View says, its tools. */
export class ModelPane extends Part {
  static css = sheet(`${CSS} textarea { width: 100%; margin: 6px 0; }`);

  constructor() {
    super();
    this.list = h("ul", { "aria-label": "What the model sees" });
    this.tools = h("ul", { "aria-label": "Tools of the Views" });
    this.empty = h("p", { class: "empty" }, "The model has seen nothing yet. The text of results comes here, and what Views tell the model.");
    this.calls = 0;
    this.root.append(this.empty, this.list, this.tools);
  }

  /**
   * @param {string} title
   * @param {string} text
   * @param {string} [instead] what it takes the place of: a View has one context at a time
   */
  add(title, text, instead) {
    this.empty.hidden = true;
    if (instead) for (const row of [...this.list.children]) if (row.getAttribute("data-instead") === instead) row.remove();
    this.list.append(h("li", { "data-instead": instead }, h("span", { class: "soft" }, title), h("pre", { dir: "auto" }, text)));
    while (this.list.childElementCount > ROWS_MAX) this.list.firstElementChild?.remove();
  }

  /**
   * Shows the tools that a View provides now.
   *
   * @param {string} view
   * @param {Json[]} tools
   * @param {(call: number, name: string, args: Json) => void} call
   */
  offer(view, tools, call) {
    for (const row of [...this.tools.children]) if (row.getAttribute("data-view") === view) row.remove();
    this.tools.append(...tools.map((tool) => {
      const name = String(tool?.name);
      const input = h("textarea", { rows: "2", spellcheck: "false", "aria-label": `Arguments of ${name}`, value: "{}" });
      const fault = h("div", { class: "bad", role: "alert" });
      return h("li", { "data-view": view },
        h("span", { class: "soft" }, `tool of the View · ${view}`),
        h("div", null, h("code", null, name), ` ${tool?.description ?? ""}`),
        input,
        fault,
        h("button", {
          type: "button",
          onclick: () => {
            const args = parseObject(input.value);
            input.setAttribute("aria-invalid", String(args === null));
            fault.textContent = args === null ? "This is no JSON object." : "";
            if (args) call(this.calls += 1, name, args);
          },
        }, `Call ${name}`));
    }));
  }
}

/**
 * The content blocks of a result or message as a model would read them.
 *
 * @param {unknown} content
 */
export function contentText(content) {
  const blocks = Array.isArray(content) ? content : content ? [content] : [];
  if (blocks.length === 0) return "(nothing: the content is empty)";
  return blocks.map((block) => {
    if (block?.type === "text") return String(block.text);
    const what = block?.mimeType ?? block?.resource?.uri ?? block?.uri ?? "";
    return `[${[block?.type, what].filter(Boolean).join(" ")}]`;
  }).join("\n");
}

customElements.define("csp-pane", CspPane);
customElements.define("console-pane", ConsolePane);
customElements.define("model-pane", ModelPane);
