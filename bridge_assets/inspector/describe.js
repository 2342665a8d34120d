// @ts-check
/** A message in a few words, for the log. */

import { bytes } from "./format.js";

const LARGE = 1000;
const OPEN_MAX = 500;
/** When a request was seen, by view, way and id. @type {Map<string, number>} */
const open = new Map();

/**
 * Returns label and note of a message.
 *
 * @param {string} view
 * @param {"in" | "out"} way
 * @param {any} message
 * @param {number} size characters of its JSON
 * @returns {[label: string, note: string]}
 */
export function describe(view, way, message, size) {
  if (typeof message !== "object" || message === null) return [`not JSON-RPC: ${String(message).slice(0, 60)}`, ""];
  const { id, method } = message;
  const notes = [];
  if (id !== undefined) notes.push(`#${id}`);
  if (typeof method === "string") {
    if (id !== undefined) begin(`${view} ${way} ${id}`);
    const { params } = message;
    if (method === "ui/notifications/size-changed") notes.push([params?.width, params?.height].filter((side) => side !== undefined).join("×"));
    else if (size > LARGE) notes.push(bytes(size));
    const name = method === "tools/call" ? ` ${params?.name}` : "";
    return [method + name, notes.join(" ")];
  }
  const started = finish(`${view} ${way === "in" ? "out" : "in"} ${id}`);
  if (started !== undefined) notes.push(`${Math.round(performance.now() - started)} ms`);
  if (size > LARGE) notes.push(bytes(size));
  if ("error" in message) return [`error ${message.error?.code ?? ""} ${message.error?.message ?? ""}`.trim(), notes.join(" ")];
  return ["result" in message ? "result" : "not JSON-RPC", notes.join(" ")];
}

/** @param {string} key */
function begin(key) {
  open.set(key, performance.now());
  if (open.size > OPEN_MAX) {
    const [oldest] = open.keys();
    open.delete(oldest);
  }
}

/** @param {string} key */
function finish(key) {
  const started = open.get(key);
  open.delete(key);
  return started;
}
