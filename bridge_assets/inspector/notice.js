// @ts-check
/** Cards above a View: the first broken step, what the policy blocked, what the View asks. */

import { copyButton, h } from "./dom.js";
import { causeText, detailLines } from "./causes.js";
import { controlsOf } from "./fields.js";
import { fieldsOf, isObject } from "./schema.js";

/** @typedef {import("./protocol.js").Step} Step */
/** @typedef {import("./protocol.js").Violation} Violation */
/** @typedef {import("./protocol.js").Ask} Ask */
/** @typedef {import("./protocol.js").Json} Json */

export const NOTICE_CSS = `
  .notice { border: 1px solid color-mix(in srgb, var(--warn) 45%, var(--line)); background: color-mix(in srgb, var(--warn) 7%, var(--panel)); border-radius: 10px; padding: 10px 14px; overflow-wrap: anywhere; }
  .notice.bad { border-color: color-mix(in srgb, var(--bad) 45%, var(--line)); background: color-mix(in srgb, var(--bad) 6%, var(--panel)); }
  .notice.ask { border-color: var(--accent); background: var(--sel); }
  .notice b { color: var(--warn); }
  .notice.bad b { color: var(--bad); }
  .notice.ask b { color: var(--accent); }
  .notice p { margin: 0; }
  .notice p + p, .notice .row { margin-top: 8px; }
  .notice .fields { display: grid; gap: 8px; margin-top: 8px; }
  .notice textarea { width: 100%; }
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

/** @param {() => void} act */
export function outdatedNotice(act) {
  return h("div", { class: "notice", role: "group", "aria-label": "The result is out of date" },
    h("p", null, h("b", null, "The result is out of date."), " The schema of this tool's result has changed since the call, and the tool is not annotated as read-only."),
    h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: act }, "Call again")));
}

/** @typedef {(allowed: boolean, result?: Json) => void} Answer */

const WORDS = {
  link: "The View wants to open a link.",
  message: "The View wants to say something in the conversation.",
  download: "The View wants to download a file.",
  sampling: "The View wants an answer of the model.",
  "app-tool": "The host calls a tool of the View that may change something.",
  "server-elicitation": "The server asks for input.",
  "server-sampling": "The server wants an answer of the model.",
};

/**
 * @param {Ask} ask
 * @param {Answer} answer
 */
export function askNotice(ask, answer) {
  const question = WORDS[/** @type {keyof typeof WORDS} */ (ask.kind)] ?? `The View asks: ${ask.kind}.`;
  const { shown, label, act } = bodyOf(ask, answer);
  return h("div", { class: "notice ask", role: "group", "aria-label": question },
    h("p", null, h("b", null, question)),
    ...shown,
    h("div", { class: "row" },
      h("button", { type: "button", class: "main", onclick: act }, label),
      h("button", { type: "button", onclick: () => answer(false) }, "Decline")));
}

/**
 * @param {Ask} ask
 * @param {Answer} answer
 * @returns {{ shown: HTMLElement[], label: string, act: () => void }}
 */
function bodyOf({ kind, detail }, answer) {
  if (kind === "server-elicitation" && isObject(detail.requestedSchema)) return formBody(detail, answer);
  if (kind === "sampling" || kind === "server-sampling") return samplingBody(detail, answer);
  const url = kind === "link" || kind === "server-elicitation" ? textOf(detail.url) : null;
  if (url) {
    return {
      shown: [h("pre", { tabindex: "0" }, url)],
      label: "Open",
      act() {
        if (/^(https?|mailto):/i.test(url)) window.open(url, "_blank", "noopener,noreferrer");
        answer(true);
      },
    };
  }
  return {
    shown: [h("pre", { tabindex: "0" }, JSON.stringify(detail, null, 2))],
    label: kind === "download" ? "Download" : "Allow",
    act() {
      if (kind === "download") for (const item of Array.isArray(detail.contents) ? detail.contents : []) download(item);
      answer(true);
    },
  };
}

/** @param {Json} detail @param {Answer} answer */
function formBody(detail, answer) {
  const { elements, read } = controlsOf(fieldsOf(detail.requestedSchema), undefined);
  return {
    shown: [h("p", null, textOf(detail.message) ?? ""), h("div", { class: "fields" }, ...elements)],
    label: "Submit",
    act() {
      try {
        answer(true, read(true));
      } catch {
        // The fault is shown at its field.
      }
    },
  };
}

/** @param {Json} detail @param {Answer} answer */
function samplingBody(detail, answer) {
  const input = h("textarea", { rows: "3", "aria-label": "Answer of the model" });
  return {
    shown: [h("pre", { tabindex: "0" }, JSON.stringify(detail, null, 2)), input],
    label: "Answer",
    act: () => answer(true, {
      role: "assistant",
      content: { type: "text", text: input.value },
      model: "somebody at the keyboard",
      stopReason: "endTurn",
    }),
  };
}

/** Saves an embedded resource as a file; a link is only shown. @param {any} item */
function download(item) {
  const { text, blob, mimeType, uri } = item?.resource ?? {};
  if (typeof text !== "string" && typeof blob !== "string") return;
  const data = typeof text === "string" ? text : Uint8Array.from(atob(blob), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([data], { type: textOf(mimeType) ?? "application/octet-stream" }));
  h("a", { href: url, download: (textOf(uri) ?? "").split("/").at(-1) || "download" }).click();
  URL.revokeObjectURL(url);
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === "string" ? value : null;
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
