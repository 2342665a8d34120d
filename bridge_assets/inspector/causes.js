// @ts-check
/** Why a rung of the ladder is broken, in words. */

/** @typedef {import("./protocol.js").Step} Step */

/** @type {{ [cause: string]: string }} */
const WORDS = {
  "no-answer": "The server did not answer the negotiation.",
  "noise-on-stdout": "The server writes other things than protocol messages to stdout.",
  "no-such-tool": "The server lists no tool of that name.",
  "no-view": "The tool links no View.",
  unreadable: "The tool's UI resource cannot be read.",
  "wrong-mime": "The UI resource has not the MIME type text/html;profile=mcp-app.",
  "not-html": "The UI resource is not an HTML document.",
  "sandbox-silent": "The sandbox page did not report that it is ready.",
  "not-loaded": "The View's document did not finish loading.",
  "handshake-missing": "The View never sent ui/initialize.",
  "handshake-unfinished": "The View never sent ui/notifications/initialized.",
  "wrong-method": "The View began with another method than ui/initialize.",
  "rejected-parameters": "The parameters of ui/initialize were rejected.",
  "early-request": "The View made a request before the handshake was over.",
  "storage-refused": "The View reached for storage, which an opaque origin does not have.",
  "script-blocked": "The policy blocked a script.",
  "script-error": "A script threw before the handshake was over.",
  "late-listener": "The View began to listen after the message was delivered.",
  "no-listener": "The message was delivered, but nothing in the View listens to messages.",
  "call-cancelled": "The tool call was cancelled or failed.",
  "server-gone": "The server ended before it answered.",
  "blocked-by-policy": "The policy blocked something that the View needs.",
  "connection-blocked": "The policy blocked a connection.",
  "cors-refused": "The policy allowed a connection, but the other server refused the origin (CORS).",
  "network-failed": "A connection failed.",
  "call-refused": "The View called a tool that is not visible to Views.",
  "size-not-reported": "The View never reported a size, and its frame is too small to see anything.",
  "size-growing": "The View grows without end: its height depends on the height of its frame.",
  "nothing-visible": "Nothing can be seen in the frame.",
  "no-probe": "Not known: the diagnostics probe is off.",
};

/** @param {Step} step */
export function causeText(step) {
  return WORDS[step.cause ?? ""] ?? step.cause ?? "The cause is not known.";
}

/**
 * Returns what was seen, one line each.
 *
 * @param {unknown} detail
 * @returns {string[]}
 */
export function detailLines(detail) {
  if (detail === null || detail === undefined) return [];
  if (typeof detail !== "object") return [String(detail)];
  return Object.entries(detail)
    .filter(([name, value]) => value !== null && value !== undefined && name !== "at")
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
}
