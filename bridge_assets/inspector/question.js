// @ts-check
/** Cards below a View: what the View, or the server, asks the user. */

import { h } from "./dom.js";
import { controlsOf } from "./fields.js";
import { bytes } from "./format.js";
import { contentText } from "./panes.js";
import { fieldsOf, isObject } from "./schema.js";

/** @typedef {import("./protocol.js").Ask} Ask */
/** @typedef {import("./protocol.js").Json} Json */
/** @typedef {(allowed: boolean, result?: Json) => void} Answer */
/** @typedef {{ shown: HTMLElement[], label: string, act: () => void }} Body */

const WORDS = {
  link: "The View wants to open a link.",
  message: "The View wants to say something in the conversation.",
  download: "The View wants to download a file.",
  sampling: "The View wants an answer of the model.",
  "app-tool": "The host calls a tool of the View that may change something.",
  "server-elicitation": "The server asks for input.",
  "server-sampling": "The server wants an answer of the model.",
};

/** @type {{ [kind: string]: (detail: Json, answer: Answer) => Body }} */
const BODIES = {
  link: (detail, answer) => linkBody(detail, answer),
  message: (detail, answer) => ({
    shown: [text(`${detail.role ?? "user"}: ${contentText(detail.content)}`), whole(detail)],
    label: "Allow",
    act: () => answer(true),
  }),
  download: downloadBody,
  sampling: samplingBody,
  "server-sampling": samplingBody,
  "server-elicitation": (detail, answer) => (isObject(detail.requestedSchema) ? formBody : linkBody)(detail, answer),
};

/**
 * @param {Ask} ask
 * @param {Answer} answer
 */
export function askNotice({ kind, detail }, answer) {
  const question = WORDS[/** @type {keyof typeof WORDS} */ (kind)] ?? `The View asks: ${kind}.`;
  const { shown, label, act } = BODIES[kind]?.(detail, answer) ?? {
    shown: [text(JSON.stringify(detail, null, 2))],
    label: "Allow",
    act: () => answer(true),
  };
  return h("div", { class: "notice ask", role: "group", "aria-label": question },
    h("p", null, h("b", null, question)),
    ...shown,
    h("div", { class: "row" },
      h("button", { type: "button", class: "main", onclick: act }, label),
      h("button", { type: "button", onclick: () => answer(false) }, "Decline"),
      // To go away without an answer is the third thing that a user can do with an elicitation.
      kind === "server-elicitation" && h("button", { type: "button", onclick: () => answer(false, { action: "cancel" }) }, "Cancel")));
}

/** @param {Json} detail @param {Answer} answer @returns {Body} */
function linkBody(detail, answer) {
  const url = String(detail.url ?? "");
  return {
    shown: [...(detail.message ? [h("p", { dir: "auto" }, String(detail.message))] : []), text(url)],
    label: "Open",
    act() {
      if (/^(https?|mailto):/i.test(url)) window.open(url, "_blank", "noopener,noreferrer");
      answer(true);
    },
  };
}

/** @param {Json} detail @param {Answer} answer @returns {Body} */
function downloadBody(detail, answer) {
  const files = (Array.isArray(detail.contents) ? detail.contents : []).map(fileOf);
  return {
    shown: [text(files.map(({ name, type, data, uri }) => (data
      ? `${name} · ${type} · ${bytes(data.size)}` : `${uri} · a link, which is only shown`)).join("\n")), whole(detail)],
    label: "Download",
    act() {
      for (const file of files) if (file.data) save(file.name, file.data);
      answer(true);
    },
  };
}

/** @param {Json} detail @param {Answer} answer @returns {Body} */
function formBody(detail, answer) {
  const { elements, read } = controlsOf(fieldsOf(detail.requestedSchema), undefined);
  return {
    shown: [h("p", { dir: "auto" }, String(detail.message ?? "")), h("div", { class: "fields" }, ...elements)],
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

/** @param {Json} detail @param {Answer} answer @returns {Body} */
function samplingBody(detail, answer) {
  const input = h("textarea", { rows: "3", dir: "auto", "aria-label": "Answer of the model", placeholder: "You are the model: write its answer" });
  const messages = Array.isArray(detail.messages) ? detail.messages : [];
  const said = messages.map((message) => `${message?.role}: ${contentText(message?.content)}`);
  if (detail.systemPrompt) said.unshift(`system: ${detail.systemPrompt}`);
  return {
    shown: [text(said.join("\n")), whole(detail), input],
    label: "Answer",
    act: () => answer(true, {
      role: "assistant",
      content: { type: "text", text: input.value },
      model: "somebody at the keyboard",
      stopReason: "endTurn",
    }),
  };
}

/** @param {string} content */
function text(content) {
  return h("pre", { tabindex: "0", dir: "auto", class: "wrap" }, content);
}

/** The request as it came. @param {Json} detail */
function whole(detail) {
  return h("details", null, h("summary", null, "The whole request"), h("pre", { tabindex: "0" }, JSON.stringify(detail, null, 2)));
}

/**
 * What an item of a download holds; a link, or what cannot be read, holds no data.
 *
 * @param {any} item
 * @returns {{ name: string, type: string, uri: string, data: Blob | null }}
 */
function fileOf(item) {
  const { text: plain, blob, mimeType, uri } = item?.resource ?? item ?? {};
  const address = typeof uri === "string" ? uri : "";
  const type = typeof mimeType === "string" ? mimeType : "application/octet-stream";
  const name = address.split("/").at(-1) || "download";
  return { name, type, uri: address, data: item?.resource ? dataOf(plain, blob, type) : null };
}

/** @param {unknown} plain @param {unknown} blob @param {string} type */
function dataOf(plain, blob, type) {
  if (typeof plain === "string") return new Blob([plain], { type });
  if (typeof blob !== "string") return null;
  try {
    return new Blob([Uint8Array.from(atob(blob), (character) => character.charCodeAt(0))], { type });
  } catch {
    return null;
  }
}

/** @param {string} name @param {Blob} data */
function save(name, data) {
  const url = URL.createObjectURL(data);
  h("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
