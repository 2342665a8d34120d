// @ts-check
/** Cards above a View: the first broken step, what the policy blocked, what the View asks. */

import { copyButton, h } from "./dom.js";
import { causeText, detailLines } from "./causes.js";

/** @typedef {import("./protocol.js").Step} Step */
/** @typedef {import("./protocol.js").Violation} Violation */
/** @typedef {import("./protocol.js").Ask} Ask */

export const NOTICE_CSS = `
  .notice { border: 1px solid color-mix(in srgb, var(--warn) 45%, var(--line)); background: color-mix(in srgb, var(--warn) 7%, var(--panel)); border-radius: 10px; padding: 10px 14px; overflow-wrap: anywhere; }
  .notice.bad { border-color: color-mix(in srgb, var(--bad) 45%, var(--line)); background: color-mix(in srgb, var(--bad) 6%, var(--panel)); }
  .notice.ask { border-color: var(--accent); background: var(--sel); }
  .notice b { color: var(--warn); }
  .notice.bad b { color: var(--bad); }
  .notice.ask b { color: var(--accent); }
  .notice p { margin: 0; }
  .notice p + p, .notice .row { margin-top: 8px; }
  .notice pre { margin: 8px 0; background: var(--bg); border: 1px solid var(--line); border-radius: 8px; padding: 8px 10px; overflow: auto; }
`;

/** @param {Step} step */
export function brokenNotice(step) {
  const lines = detailLines(step.detail);
  return h("div", { class: "notice bad", role: "alert" },
    h("p", null, h("b", null, `Broken at ${step.step}.`), ` ${causeText(step)}`),
    lines.length > 0 && h("pre", { tabindex: "0" }, lines.join("\n")),
    step.rule && h("p", null, h("code", null, `mcpapps explain ${step.rule}`), " says more. ", copyButton(`mcpapps explain ${step.rule}`)));
}

/**
 * @param {Violation} violation
 * @param {string} uri
 * @param {number} count
 */
export function blockedNotice(violation, uri, count) {
  const { directive, blocked, line, excerpt, key, origin } = violation;
  const times = count > 1 ? ` ${count} times` : "";
  return h("div", { class: "notice" },
    h("p", null,
      h("b", null, "Blocked by the policy."), ` The View asked${times} for `,
      h("code", null, hostOf(blocked)),
      key ? ", which its metadata does not declare." : ` (${directive}), which no metadata can allow.`),
    excerpt && h("pre", { tabindex: "0" },
      `${uri}:${line}\n${excerpt.text}\n${" ".repeat(excerpt.at)}${"^".repeat(excerpt.length)} ${directive}`),
    key && origin && h("p", null,
      "Add to the View's csp ", h("code", null, patch(key, origin)), " ", copyButton(patch(key, origin))));
}

/**
 * @param {Ask} ask
 * @param {(allowed: boolean) => void} answer
 */
export function askNotice(ask, answer) {
  const url = ask.kind === "link" && typeof ask.detail.url === "string" ? ask.detail.url : null;
  const words = {
    link: "The View wants to open a link.",
    message: "The View wants to say something in the conversation.",
    download: "The View wants to download a file.",
    sampling: "The View wants an answer of the model.",
  };
  const question = words[/** @type {keyof typeof words} */ (ask.kind)] ?? `The View asks: ${ask.kind}.`;
  return h("div", { class: "notice ask", role: "group", "aria-label": question },
    h("p", null, h("b", null, question)),
    h("pre", { tabindex: "0" }, url ?? JSON.stringify(ask.detail, null, 2)),
    h("div", { class: "row" },
      h("button", {
        type: "button",
        class: "main",
        onclick: () => {
          if (url && /^(https?|mailto):/i.test(url)) window.open(url, "_blank", "noopener,noreferrer");
          answer(true);
        },
      }, url ? "Open" : "Allow"),
      h("button", { type: "button", onclick: () => answer(false) }, "Decline")));
}

/**
 * Whether nothing has to be done: libraries try eval once and carry on without it.
 *
 * @param {Violation} violation
 */
export function isHarmless({ blocked }) {
  return blocked === "eval" || blocked === "wasm-eval";
}

/** The declaration to add. @param {string} key @param {string} origin */
export function patch(key, origin) {
  return `${key} = ["${origin}"]`;
}

/** @param {string} url */
export function hostOf(url) {
  try {
    return new URL(url).host || url;
  } catch {
    return url;
  }
}
