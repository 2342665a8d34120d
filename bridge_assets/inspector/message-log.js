// @ts-check
/** Every message between View and host, and what went wrong between them, newest last. */

import { Part, copyButton, h, sheet } from "./dom.js";
import { bytes } from "./format.js";

/**
 * @typedef {object} Entry
 * @property {number} at milliseconds since the page began
 * @property {string} view
 * @property {"in" | "out" | "bad"} way from the View, to the View, or neither
 * @property {string} label
 * @property {string} note
 * @property {number} size characters of its JSON
 * @property {any} message the message itself
 */

const ENTRIES_MAX = 1000;
const ROWS_MAX = 500;
const TOGETHER = 150;
const SIZE_MAX = 32 * 2 ** 20;
const SHOWN_MAX = 200_000;
const ARROWS = { in: "→", out: "←", bad: "!" };
const WAYS = { in: "from the View", out: "to the View", bad: "problem" };

export class MessageLog extends Part {
  static css = sheet(`
    :host { display: flex; flex-direction: column; flex: 1; min-height: 0; }
    ol { flex: 1; min-height: 0; overflow: auto; margin: 0; padding: 0; list-style: none; font: 12px/1.5 var(--mono); }
    summary { display: grid; grid-template-columns: 52px 16px minmax(0, 1fr) auto; gap: 6px; padding: 4px 12px; border-bottom: 1px solid color-mix(in srgb, var(--line) 55%, transparent); cursor: pointer; list-style: none; }
    summary::-webkit-details-marker { display: none; }
    summary:focus-visible { outline-offset: -2px; }
    summary:hover { background: var(--chip); }
    li { content-visibility: auto; contain-intrinsic-size: auto 27px; }
    time, small { color: var(--soft); }
    small { font-size: 11px; text-align: right; }
    .label { overflow-wrap: anywhere; }
    .in .way { color: var(--accent); }
    .out .way { color: var(--ok); }
    .bad summary { background: color-mix(in srgb, var(--bad) 8%, transparent); color: var(--bad); }
    pre { margin: 0; padding: 8px 12px; background: var(--bg); overflow: auto; max-height: 50vh; border-bottom: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
    .empty { margin: 0; padding: 14px; color: var(--soft); }
    .tools { display: flex; gap: 8px; padding: 10px 14px; border-top: 1px solid var(--line); }
    .tools input { flex: 1; }
  `);

  constructor() {
    super();
    /** @type {Entry[]} */
    this.entries = [];
    this.size = 0;
    /** @type {Entry[]} */
    this.fresh = [];
    this.several = false;
    this.timer = 0;
    this.list = h("ol", { "aria-label": "Messages", tabindex: "0" });
    this.filter = h("input", {
      type: "search",
      placeholder: "filter and search",
      "aria-label": "Filter messages",
      oninput: () => this.redraw(),
    });
    this.empty = h("p", { class: "empty" });
    this.root.append(this.empty, this.list, h("div", { class: "tools" },
      this.filter,
      h("button", { type: "button", onclick: () => this.clear() }, "Clear"),
      h("button", { type: "button", onclick: () => this.save() }, "Export")));
    this.showEmpty();
  }

  showEmpty() {
    this.empty.hidden = this.list.childElementCount > 0;
    this.empty.textContent = this.entries.length === 0
      ? "No message yet. Every message between a View and the host comes here."
      : "No message holds these words. Those that come are still kept.";
  }

  /** @param {Entry} entry */
  add(entry) {
    this.several ||= this.entries.length > 0 && this.entries[0].view !== entry.view;
    this.entries.push(entry);
    this.size += entry.size;
    while (this.entries.length > ENTRIES_MAX || (this.size > SIZE_MAX && this.entries.length > 1)) {
      this.size -= this.entries.shift()?.size ?? 0;
    }
    this.fresh.push(entry);
    if (this.fresh.length > ROWS_MAX) this.fresh.shift();
    // A View may send thousands of messages a second, and one that is being mounted needs the time.
    if (this.timer !== 0) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.append();
    }, TOGETHER);
  }

  append() {
    const atEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    const rows = this.fresh.filter((entry) => this.isWanted(entry)).map((entry) => this.row(entry));
    this.fresh = [];
    this.list.append(...rows);
    while (this.list.childElementCount > ROWS_MAX) this.list.firstElementChild?.remove();
    if (atEnd) this.list.scrollTop = this.list.scrollHeight;
    this.showEmpty();
  }

  redraw() {
    this.fresh = [];
    const wanted = this.entries.filter((entry) => this.isWanted(entry)).slice(-ROWS_MAX);
    this.list.replaceChildren(...wanted.map((entry) => this.row(entry)));
    this.showEmpty();
  }

  clear() {
    this.entries = [];
    this.size = 0;
    this.redraw();
  }

  save() {
    const lines = this.entries.map(({ at, view, way, message }) => JSON.stringify({ at, view, way, message }));
    const url = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "application/jsonl" }));
    h("a", { href: url, download: "messages.jsonl" }).click();
    URL.revokeObjectURL(url);
  }

  /** @param {Entry} entry */
  isWanted(entry) {
    const wanted = this.filter.value.trim().toLowerCase();
    if (!wanted || `${entry.view} ${entry.label} ${entry.note}`.toLowerCase().includes(wanted)) return true;
    return entry.size < SHOWN_MAX && JSON.stringify(entry.message)?.toLowerCase().includes(wanted);
  }

  /** @param {Entry} entry */
  row(entry) {
    const details = h("details", null,
      h("summary", null,
        h("time", null, (entry.at / 1000).toFixed(3)),
        h("span", { class: "way", role: "img", "aria-label": WAYS[entry.way] }, ARROWS[entry.way]),
        h("span", { class: "label" }, entry.label),
        h("small", null, this.several ? `${entry.view} ${entry.note}` : entry.note)));
    details.addEventListener("toggle", () => {
      if (details.childElementCount > 1) return;
      const text = JSON.stringify(entry.message, null, 2) ?? "";
      const cut = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}\n… ${bytes(text.length)}` : text;
      details.append(h("pre", { tabindex: "0" }, copyButton(text), "\n", cut));
    });
    return h("li", { class: entry.way }, details);
  }
}

customElements.define("message-log", MessageLog);
