// @ts-check
/** Why a rung of the ladder is broken: what was seen, and what to do now, in words. */

import { bytes } from "./format.js";

/** @typedef {import("./protocol.js").Step} Step */
/** @typedef {import("./protocol.js").Json} Json */
/** @typedef {{ what: string, help: string, seen: string[] }} Explanation */

/** @type {{ [cause: string]: (detail: Json) => [what: string, help: string, seen?: string[]] }} */
const CAUSES = {
  "no-answer": ({ error }) => [
    `The server did not answer the negotiation${because(error)}.`,
    "Run its command in a terminal and look for a traceback. A server over stdio reads JSON-RPC from stdin and answers on stdout.",
  ],
  "noise-on-stdout": ({ lines, error }) => [
    `The server wrote "${cut(lines?.[0])}" to stdout, where only protocol messages may be${because(error)}.`,
    "Write to stderr instead: print(..., file=sys.stderr), or a logging handler for stderr.",
    lines?.slice(1),
  ],
  "no-such-tool": ({ tool }) => [
    `The server lists no tool "${tool}".`,
    "Pick one of the list, or correct the name in the address of this page.",
  ],
  "no-view": ({ tool }) => [
    `The tool "${tool}" links no View.`,
    "Set _meta.ui.resourceUri of the tool to the URI of its UI resource, such as ui://app/view.html.",
  ],
  unreadable: ({ uri, error }) => [
    `The UI resource "${uri}" cannot be read${because(error)}.`,
    "Register a resource with exactly the URI that the tool links; it begins with ui://.",
  ],
  "wrong-mime": ({ uri, mimeType }) => [
    `The UI resource "${uri}" has ${mimeType ? `the MIME type "${mimeType}"` : "no MIME type"}, and a View has "text/html;profile=mcp-app".`,
    "Set mimeType where the resource is registered, letter by letter.",
  ],
  "not-html": ({ uri, begins }) => [
    `The UI resource "${uri}" is no HTML document${begins ? `: it begins with "${cut(begins)}"` : ""}.`,
    "Return the document itself as text; it begins with <!doctype html>.",
  ],
  "too-large": ({ uri, bytes: size, limit }) => [
    `The UI resource "${uri}" has ${bytes(size)}, and this host takes ${bytes(limit)} at most.`,
    "Take images and data out of the document, and fetch them with a tool or from a declared origin.",
  ],
  "sandbox-silent": () => [
    "The sandbox page did not report that it is ready.",
    "See whether this browser reaches the sandbox's port: a forwarded one needs --sandbox-url.",
  ],
  "not-loaded": () => [
    "The View's document did not finish loading.",
    "Look for a script, style sheet or image that never arrives; the browser's network tools show it as pending.",
  ],
  "handshake-missing": ({ seconds }) => [
    `The View did not send ui/initialize within ${seconds} s.`,
    "Call it when the document loads: connect() of mcpapps:bridge, or app.connect() of ext-apps.",
  ],
  "handshake-unfinished": ({ seconds }) => [
    `The View sent ui/initialize, but not ui/notifications/initialized within ${seconds} s.`,
    "Send it as soon as the answer to ui/initialize is there; a bridge's connect() does so by itself.",
  ],
  "wrong-method": ({ method }) => [
    `The View began with "${method}" instead of ui/initialize.`,
    "Use a bridge for Views between View and host; an MCP client speaks to servers only.",
  ],
  "rejected-parameters": ({ path }) => [
    `The parameters of ui/initialize were rejected: ${path}.`,
    "Send appInfo with name and version, appCapabilities and protocolVersion.",
  ],
  "early-request": ({ method }) => [
    `The View sent ${method} before ui/notifications/initialized.`,
    "Await connect(), and make requests after it.",
  ],
  "storage-refused": ({ api, message }) => [
    `The View reached for ${api ?? cut(message)}, and an opaque origin has no storage.`,
    "Put the access into try and catch, and keep the state in memory or on the server.",
  ],
  "script-blocked": ({ blocked }) => [
    `The policy blocked the script "${cut(blocked)}", and the View did not start.`,
    isUrl(blocked)
      ? "Bundle the script into the document (mcpapps bundle), or declare its origin in csp.resourceDomains."
      : "No declaration can allow this: take it out of the View.",
  ],
  "script-error": ({ message }) => [
    `A script stopped before the handshake was over${because(message)}.`,
    "Correct it where it happens; the Console tab has all errors of the View.",
  ],
  "late-listener": ({ method, message }) => [
    method ? `The View began to listen after ${method} was delivered, and never got it.` : `A handler came too late${because(message)}.`,
    "Set every handler before connect().",
  ],
  "no-listener": ({ method }) => [
    `Nothing in the View listens to messages, so ${method} reached nobody.`,
    "Set the bridge's handlers before connect(), or listen to the message events of the window.",
  ],
  "call-cancelled": ({ reason }) => [
    `The tool call was cancelled or failed${because(reason)}.`,
    "Call the tool again; the server's output in the terminal says why it failed.",
  ],
  "server-gone": ({ reason }) => [
    `The server ended before it answered${because(reason)}.`,
    "Read its last lines in the terminal. The page connects again when it is back.",
  ],
  withheld: () => [
    "This host keeps results with a resource_link from the View.",
    "Return the text itself, or switch the quirk resource-link-withheld off under Host.",
  ],
  "blocked-by-policy": ({ directive, blocked }) => [
    `The policy blocked "${cut(blocked)}" (${directive}), and nothing can be seen.`,
    "Declare its origin in the View's csp, or put it into the document; the CSP tab has the line to paste.",
  ],
  "connection-blocked": ({ blocked }) => [
    `The policy blocked a connection to "${cut(blocked)}", and nothing can be seen.`,
    "Declare its origin in csp.connectDomains, or fetch it in a tool of the server; the CSP tab has the line to paste.",
  ],
  "cors-refused": ({ url }) => [
    `"${cut(url)}" answered, but does not let the View read the answer (CORS).`,
    "An opaque origin is null: that server has to send Access-Control-Allow-Origin: *. Else fetch it in a tool of yours.",
  ],
  "network-failed": ({ url }) => [
    `The request to "${cut(url)}" failed: nothing answers there.`,
    "See whether that server runs and the address is right, and show something in the View meanwhile.",
  ],
  "cors-or-network": ({ url, method }) => [
    `The ${method ?? "request"} to "${cut(url)}" failed, and the browser does not tell whether CORS or the network is why.`,
    "Open the address in a tab of its own: when it answers there, that server has to allow the View's origin, null.",
  ],
  "call-refused": ({ tool, why }) => [
    `The View called the tool "${tool}", which ${why === "unlisted" ? "the server does not list" : "is not visible to Views"}, and nothing can be seen.`,
    why === "unlisted" ? "Correct the name; it is one of the list." : 'Add "app" to _meta.ui.visibility of the tool.',
  ],
  "size-not-reported": ({ height }) => [
    `The View reported no size, and in the ${height} pixels of its frame nothing can be seen.`,
    "Send ui/notifications/size-changed with the height of the content; a bridge does so by itself.",
  ],
  "size-growing": ({ heights }) => [
    `The View grows without end (${heights?.slice(0, 4).join(", ")}… pixels): its height depends on that of its frame.`,
    "Take vh units and height: 100% from html and body, so that the content alone makes the height.",
  ],
  "nothing-visible": ({ seconds }) => [
    `Nothing can be seen ${seconds} s after the result was delivered.`,
    "See whether the handler of the tool result draws something; the Messages tab shows what it was given.",
  ],
  "no-probe": () => [
    "Not known: without the diagnostics probe nobody looks into the View.",
    "Start without --no-probe to have this step judged.",
  ],
};

/** @param {Step} step @returns {Explanation} */
export function explain({ cause, detail }) {
  const seen = typeof detail === "object" && detail !== null ? detail : {};
  const [what, help, lines] = CAUSES[cause ?? ""]?.(seen) ?? [
    `${cause ?? "The cause is not known"}: ${JSON.stringify(detail ?? null)}.`,
    "Look at the Messages and Console tabs for what came before.",
  ];
  return { what, help, seen: lines ?? [] };
}

/** @param {unknown} reason */
function because(reason) {
  return typeof reason === "string" && reason ? `: ${cut(reason).replace(/\.$/, "")}` : "";
}

/** @param {unknown} value */
function isUrl(value) {
  return typeof value === "string" && value.includes("://");
}

/** A value of the View or the server as a part of a sentence. @param {unknown} value */
function cut(value) {
  const text = String(value ?? "").replace(/\s+/g, " ").trim();
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
