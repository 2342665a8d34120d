// @ts-check
/** Cards above a View: the first broken step, and what the policy blocked. */

import { copyButton, h } from "./dom.js";
import { explain } from "./causes.js";
import { excerpt } from "./format.js";

/** @typedef {import("./protocol.js").Step} Step */
/** @typedef {import("./protocol.js").Violation} Violation */
/** @typedef {import("./protocol.js").Json} Json */
/** The document of a View: where it is from, what it declares, its text. @typedef {{ uri: string, declared: Json | null, html: string }} Document */

export const NOTICE_CSS = `
  .notice { border: 1px solid color-mix(in srgb, var(--warn) 45%, var(--line)); background: color-mix(in srgb, var(--warn) 7%, var(--panel)); border-radius: 10px; padding: 10px 14px; overflow-wrap: anywhere; }
  .notice.bad { border-color: color-mix(in srgb, var(--bad) 45%, var(--line)); background: color-mix(in srgb, var(--bad) 6%, var(--panel)); }
  .notice.ask { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 8%, var(--panel)); }
  .notice b { color: var(--warn); }
  .notice.bad b { color: var(--bad); }
  .notice.ask b { color: var(--accent); }
  .notice p { margin: 0; }
  .notice p + p, .notice .row { margin-top: 8px; }
  .notice .fields { display: grid; gap: 8px; margin-top: 8px; }
  .notice textarea { width: 100%; }
  .notice pre { margin: 8px 0; background: var(--bg); border: 1px solid var(--line); border-radius: 8px; padding: 8px 10px; overflow: auto; max-height: 40vh; }
  .notice pre.wrap { white-space: pre-wrap; }
  .notice summary { margin-top: 8px; color: var(--soft); cursor: pointer; }
`;

/** @param {Step} step @param {Document} shown */
export function brokenNotice(step, shown) {
  const { what, help, seen } = explain(step);
  const lines = [...placeLines(step.detail, shown), ...seen];
  return h("div", { class: "notice bad", role: "alert" },
    h("p", null, h("b", null, `Broken at ${step.step}.`), ` ${what}`),
    lines.length > 0 && h("pre", { tabindex: "0" }, lines.join("\n")),
    h("p", null, help),
    step.rule && h("p", null, h("code", null, `mcpapps explain ${step.rule}`), " says more. ", copyButton(`mcpapps explain ${step.rule}`)));
}

/** Where in the document it was seen. @param {any} detail @param {Document} shown */
function placeLines(detail, { uri, html }) {
  const { line, column } = detail ?? {};
  if (typeof line !== "number") return [];
  const at = typeof column === "number" ? column : 1;
  return [`${uri}:${line}${typeof column === "number" ? `:${column}` : ""}`, excerpt(html, line, at)].filter((one) => one !== null);
}

/**
 * @param {Violation} violation
 * @param {Document} shown
 * @param {number} count
 */
export function blockedNotice(violation, { uri, declared }, count) {
  const { directive, blocked, line, excerpt: place, key, origin } = violation;
  const times = count > 1 ? ` ${count} times` : "";
  return h("div", { class: "notice" },
    h("p", null,
      h("b", null, "Blocked by the policy."), ` The View asked${times} for `,
      h("code", null, hostOf(blocked)),
      key ? ", which its metadata does not declare." : ` (${directive}), which no metadata can allow.`),
    place && h("pre", { tabindex: "0" },
      `${uri}:${line}\n${place.text}\n${" ".repeat(place.at)}${"^".repeat(place.length)} ${directive}`),
    key && origin && h("p", null,
      "Declare it: in the View's table of pyproject.toml, set ", remedy(declared, key, origin)));
}

/** @param {() => void} act */
export function outdatedNotice(act) {
  return h("div", { class: "notice", role: "group", "aria-label": "The result is out of date" },
    h("p", null, h("b", null, "The result is out of date."), " The schema of this tool's result has changed since the call, and the tool is not annotated as read-only."),
    h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: act }, "Call again")));
}

/**
 * The declaration that would allow an origin, to be pasted into the project file or into `_meta.ui`.
 *
 * @param {Json | null} declared
 * @param {string} key
 * @param {string} origin
 */
export function remedy(declared, key, origin) {
  const csp = { ...declared, [key]: [...new Set([...(declared?.[key] ?? []), origin])] };
  const lists = Object.entries(csp).map(([name, origins]) => `${name} = [${origins.map((/** @type {string} */ one) => JSON.stringify(one)).join(", ")}]`);
  const toml = `csp = { ${lists.join(", ")} }`;
  return h("span", null, h("code", null, toml), " ", copyButton(toml), " · ",
    copyButton(`"csp": ${JSON.stringify(csp)}`, "copy as JSON for _meta.ui"));
}

/**
 * Whether nothing has to be done: libraries try eval once and carry on without it.
 *
 * @param {Violation} violation
 */
export function isHarmless({ blocked }) {
  return blocked === "eval" || blocked === "wasm-eval";
}

/** @param {string} url */
function hostOf(url) {
  try {
    return new URL(url).host || url;
  } catch {
    return url;
  }
}
