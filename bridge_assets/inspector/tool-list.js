// @ts-check
/** The server's tools, each marked: has a View, only for Views, only for the model. */

import { Part, h, sheet } from "./dom.js";

/** @typedef {import("./protocol.js").Tool} Tool */

const FILTER_FROM = 12;

export class ToolList extends Part {
  static css = sheet(`
    ul { list-style: none; margin: 0; padding: 0; }
    button { width: 100%; display: flex; align-items: center; gap: 8px; padding: 6px 14px 6px 11px; border: 0; border-left: 3px solid transparent; border-radius: 0; text-align: left; }
    button[aria-current="true"] { background: var(--sel); border-left-color: var(--accent); }
    button:focus-visible { outline-offset: -2px; }
    /* Long names differ at their end. */
    code { font-size: 12.5px; overflow-wrap: anywhere; }
    p { margin: 0 14px; color: var(--soft); }
    .top { position: sticky; top: 0; z-index: 1; padding: 10px 14px 2px; background: var(--panel); }
    .top[hidden] { display: none; }
    .top input { width: 100%; }
  `);

  constructor() {
    super();
    /** @type {Tool[]} */
    this.tools = [];
    /** @type {string | null} */
    this.picked = null;
    /** @type {string | null} */
    this.server = null;
    this.filter = h("input", {
      type: "search",
      placeholder: "filter tools",
      "aria-label": "Filter tools",
      oninput: () => this.redraw(),
    });
    this.top = h("div", { class: "top" }, this.filter);
  }

  /**
   * @param {Tool[]} tools
   * @param {string | null} picked
   * @param {string | null} server of the picked one
   */
  render(tools, picked, server) {
    const isOther = picked !== this.picked || server !== this.server;
    Object.assign(this, { tools, picked, server });
    this.redraw();
    // A long list scrolls by itself.
    if (isOther) this.root.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  redraw() {
    const { tools: all, picked, server } = this;
    this.top.hidden = all.length < FILTER_FROM;
    this.toggleAttribute("long", !this.top.hidden);
    const words = this.top.hidden ? "" : this.filter.value.trim().toLowerCase();
    const tools = all.filter(({ name, title, description }) => `${name} ${title ?? ""} ${description ?? ""}`.toLowerCase().includes(words));
    const servers = [...new Set(tools.map((tool) => tool.server))];
    this.draw(
      this.top,
      tools.length === 0 && h("h2", null, "Tools"),
      tools.length === 0 && h("p", null, all.length === 0 ? "The server lists no tools." : "No tool has these words in its name or description."),
      ...servers.flatMap((name, index) => [
        h("h2", { id: `title-${index}` }, servers.length > 1 ? `Tools of ${name}` : "Tools"),
        h("ul", { "aria-labelledby": `title-${index}` }, ...tools.filter((tool) => tool.server === name).map((tool) =>
          this.row(tool, tool.name === picked && (server ?? servers[0]) === name))),
      ]),
    );
  }

  /** @param {Tool} tool @param {boolean} picked */
  row(tool, picked) {
    return h("li", null,
      h("button", {
        type: "button",
        "aria-current": picked ? "true" : null,
        title: tool.title ?? tool.description,
        onclick: () => this.emit("pick-tool", { name: tool.name, server: tool.server }),
      },
      h("code", null, tool.name),
      ...marks(tool).map(([mark, why]) => h("span", { class: "chip", title: why }, mark))));
  }
}

/**
 * @param {Tool} tool
 * @returns {[string, string][]} mark and meaning
 */
function marks(tool) {
  /** @type {[string, string][]} */
  const found = [];
  if (tool.view) found.push(["View", tool.view]);
  const model = tool.visibility.includes("model");
  const app = tool.visibility.includes("app");
  if (app && !model) found.push(["app only", "kept from the model"]);
  else if (model && !app) found.push(["model only", "refused to Views"]);
  else if (!app && !model) found.push(["nobody", "kept from the model and refused to Views"]);
  else if (!tool.view) found.push(["model", "for the model, and for Views"]);
  return found;
}

customElements.define("tool-list", ToolList);
