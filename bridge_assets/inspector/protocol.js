// @ts-check
/**
 * What the page and the process say to each other over the WebSocket, and what the sandbox proxy
 * says to the page. JSON objects with a `type`.
 *
 * @typedef {{ [key: string]: any }} Json
 *
 * @typedef {"light" | "dark"} Theme
 * @typedef {"inline" | "fullscreen" | "pip"} Mode
 * @typedef {{ name: string, title: string }} Choice
 * @typedef {{ profile: string, quirks: string[], faults: string[], origin: "profile" | "opaque" | "own" }} Setting
 * @typedef {Setting & { title: string, modes: Mode[], context: Json, styles: Json, unknown: string[],
 *   sources: { name: string, text: string, date: string, kind: string }[] }} Host
 * @typedef {{ name: string, label: string, era: string, protocolVersion: string, generation: number }} Server
 *
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} server
 * @property {string | null} title
 * @property {string | null} description
 * @property {any} inputSchema
 * @property {string | null} view URI of its View, if it has one
 * @property {string[]} visibility any of `model` and `app`
 *
 * @typedef {"server" | "tool" | "resource" | "mime" | "html" | "frame" | "initialize"
 *   | "initialized" | "input" | "result" | "painted"} StepName
 * @typedef {{ step: StepName, state: "ok" | "broken" | "unknown", cause: string | null, rule: string | null, detail: any }} Step
 * @typedef {{ text: string, at: number, length: number }} Excerpt
 *
 * @typedef {object} Violation
 * @property {string} view
 * @property {string} directive the effective one
 * @property {string} blocked a URL, or a word such as `eval`
 * @property {number | null} line in the View's document
 * @property {number | null} column
 * @property {string | null} source
 * @property {string | null} sample
 * @property {string | null} key list of `_meta.ui.csp` that would allow it
 * @property {string | null} origin entry of that list
 * @property {Excerpt | null} excerpt
 *
 * @typedef {{ type: "hello", page: string, resumed: boolean, server: Server, tools: Tool[], host: Host, profiles: string[],
 *   quirks: Choice[], faults: Choice[], probe: boolean, ui: boolean, sandbox: string, version: string }} Hello
 * @typedef {{ type: "opened", view: string, server: string, tool: string, arguments: Json,
 *   uri: string | null, hold: boolean }} Opened
 * @typedef {{ type: "mount", view: string, frame: number, url: string, channel: string,
 *   allow: string, sandbox: string, border: boolean | null, own: boolean,
 *   declared: Json | null, policy: string }} Mount
 * @typedef {{ type: "reserve", view: string, frame: number, url: string, channel: string,
 *   allow: string, sandbox: string }} Reserve
 * @typedef {{ type: "ask", view: string, request: number, kind: string, detail: Json }} Ask
 * @typedef {{ type: "note", view: string | null, level: "info" | "warning" | "error", text: string, detail: any }} Note
 * @typedef {{ message: string, help?: string | null, details?: string[],
 *   position?: { path: string, line: number, column: number, length: number, source: string } | null }} BuildError
 *
 * @typedef {Hello | Opened | Mount | Reserve | Ask | Note
 *   | { type: "host", host: Host, profiles: string[], tools: Tool[] }
 *   | { type: "inventory", server: Server, tools: Tool[] }
 *   | { type: "send", view: string, frame: number, message: Json }
 *   | { type: "reveal", view: string, frame: number }
 *   | { type: "resize", view: string, frame: number, width: number | null, height: number | null }
 *   | { type: "mode", view: string, frame: number, mode: Mode }
 *   | { type: "unmount", view: string, frame: number, reason: string, replaced: boolean }
 *   | ({ type: "step", view: string } & Step)
 *   | ({ type: "violation" } & Violation)
 *   | { type: "finished", view: string, result?: Json, error?: string }
 *   | { type: "outdated", view: string }
 *   | { type: "model", view: string, kind: "context" | "message", params: Json }
 *   | { type: "app-tools", view: string, tools: Json[] }
 *   | { type: "app-tool-result", view: string, call: number, result?: Json, error?: Json }
 *   | { type: "closed", view: string }
 *   | { type: "overlay", error: BuildError | null }} ToPage
 *
 * @typedef {{ type: "call", tool: string, server: string | null, arguments: Json, context: Json, hold: boolean }
 *   | { type: "write", view: string, arguments: Json, complete: boolean }
 *   | { type: "call-app-tool", view: string, call: number, name: string, arguments: Json }
 *   | { type: "posted", view: string, frame: number, message: any }
 *   | { type: "dropped", view: string, frame: number, count: number, reason: string }
 *   | { type: "probe", view: string, frame: number, kind: string, detail: Json }
 *   | { type: "answer", view: string, request: number, allowed: boolean, result?: Json }
 *   | { type: "context", view: string | null, changes: Json }
 *   | ({ type: "host" } & Setting)
 *   | { type: "cancel" | "call-again" | "teardown" | "reload" | "close", view: string }} FromPage
 *
 * What the proxy page posts beside the View's messages; `channel` is the secret of `mount`.
 * @typedef {{ channel: string, kind: string, detail: Json }} SandboxReport
 */

/** The rungs of the ladder, bottom first. @type {StepName[]} */
export const STEPS = [
  "server",
  "tool",
  "resource",
  "mime",
  "html",
  "frame",
  "initialize",
  "initialized",
  "input",
  "result",
  "painted",
];
