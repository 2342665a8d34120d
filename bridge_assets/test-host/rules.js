/** What a View must do, as checks over its messages (MCP Apps 2026-01-26 and draft; JSON-RPC 2.0). */

const isObject = (/** @type {any} */ value) => typeof value == "object" && value !== null && !Array.isArray(value);
const isText = (/** @type {unknown} */ value) => typeof value == "string";
const isId = (/** @type {unknown} */ value) => isText(value) || Number.isInteger(value);
const isNumber = (/** @type {unknown} */ value) => typeof value == "number" && Number.isFinite(value);
const isBlock = (/** @type {any} */ value) => isObject(value) && isText(value.type);
const optional = (/** @type {(value: any) => boolean} */ check) => (/** @type {any} */ value) => value === undefined || check(value);
const listOf = (/** @type {(value: any) => boolean} */ check) => (/** @type {any} */ value) => Array.isArray(value) && value.every(check);

const MODES = ["inline", "fullscreen", "pip"];
const isMode = (/** @type {any} */ value) => MODES.includes(value);
const isImplementation = (/** @type {any} */ value) => isObject(value) && isText(value.name) && isText(value.version);
const isAppCapabilities = (/** @type {any} */ value) =>
  isObject(value) &&
  optional(listOf(isMode))(value.availableDisplayModes) &&
  optional(isObject)(value.tools) &&
  optional(isObject)(value.experimental);
/** The stable text shows one block where the draft has a list. */
const isContent = (/** @type {any} */ value) => isBlock(value) || listOf(isBlock)(value);
const isLevel = (/** @type {any} */ value) =>
  ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"].includes(value);

/**
 * The fields of each message that a View may send; `request` tells requests from notifications.
 * @type {Record<string, { request: boolean, params: Record<string, (value: any) => boolean> }>}
 */
export const VIEW_MESSAGES = {
  "ui/initialize": {
    request: true,
    params: { appInfo: isImplementation, appCapabilities: isAppCapabilities, protocolVersion: isText },
  },
  "ui/open-link": { request: true, params: { url: isText } },
  "ui/message": { request: true, params: { role: (role) => role == "user", content: isContent } },
  "ui/request-display-mode": { request: true, params: { mode: isMode } },
  "ui/update-model-context": {
    request: true,
    params: { content: optional(listOf(isBlock)), structuredContent: optional(isObject) },
  },
  "ui/download-file": {
    request: true,
    params: { contents: listOf(({ type } = {}) => type == "resource" || type == "resource_link") },
  },
  "tools/call": { request: true, params: { name: isText, arguments: optional(isObject) } },
  "tools/list": { request: true, params: { cursor: optional(isText) } },
  "resources/read": { request: true, params: { uri: isText } },
  "resources/list": { request: true, params: { cursor: optional(isText) } },
  "resources/templates/list": { request: true, params: { cursor: optional(isText) } },
  "prompts/list": { request: true, params: { cursor: optional(isText) } },
  "sampling/createMessage": { request: true, params: { messages: Array.isArray, maxTokens: isNumber } },
  ping: { request: true, params: {} },
  "ui/notifications/initialized": { request: false, params: {} },
  "ui/notifications/size-changed": { request: false, params: { width: optional(isNumber), height: optional(isNumber) } },
  "ui/notifications/request-teardown": { request: false, params: {} },
  "notifications/message": { request: false, params: { level: isLevel, data: (data) => data !== undefined } },
  "notifications/tools/list_changed": { request: false, params: {} },
  "notifications/cancelled": { request: false, params: { requestId: isId } },
  "notifications/progress": { request: false, params: { progressToken: isId, progress: isNumber } },
};

/**
 * @typedef {object} State What the host knows when a message arrives.
 * @property {"new" | "asked" | "answered" | "refused" | "open"} phase How far the handshake is.
 * @property {any} app Params of `ui/initialize`.
 * @property {any} capabilities
 * @property {any} context
 * @property {Set<unknown>} used Ids of earlier requests of the View.
 * @property {Map<unknown, any>} asked Requests of the host that wait for an answer.
 */

/** What is wrong with a message as JSON-RPC, or undefined. */
const envelope = (/** @type {any} */ message, /** @type {State} */ { used, asked }) => {
  if (!isObject(message) || message.jsonrpc !== "2.0") return `not a JSON-RPC 2.0 message: ${JSON.stringify(message)}`;
  const { id, method, params, result, error } = message;
  if (method !== undefined) {
    if (!isText(method)) return "a method must be a string";
    if (params !== undefined && !isObject(params)) return `"${method}": params must be an object`;
    if ("id" in message && !isId(id)) return `"${method}": an id must be a string or an integer`;
    if (used.has(id)) return `"${method}": id ${JSON.stringify(id)} was used before`;
    return undefined;
  }
  if (!asked.has(id)) return `an answer to ${JSON.stringify(id)}, which the host never asked`;
  if ((result === undefined) == (error === undefined)) return "an answer must have either a result or an error";
  if (result !== undefined && !isObject(result)) return "a result must be an object";
  if (error !== undefined && !(Number.isInteger(error?.code) && isText(error?.message)))
    return "an error must have an integer code and a message";
  return undefined;
};

/** What is wrong with the moment at which a message comes, or undefined. */
const order = (/** @type {string} */ method, /** @type {State["phase"]} */ phase) => {
  if (method == "ui/initialize") return undefined;
  if (method == "ui/notifications/initialized")
    return phase == "answered" ? undefined : `"${method}" without a successful answer to "ui/initialize"`;
  return phase == "open" || method == "notifications/cancelled" ? undefined : `"${method}" before "ui/notifications/initialized"`;
};

/** What the host's declarations forbid, or undefined. */
const declared = (/** @type {string} */ method, /** @type {any} */ params, /** @type {State} */ { app, capabilities, context }) => {
  if (method == "ui/request-display-mode") {
    const modes = app?.appCapabilities?.availableDisplayModes;
    if (modes && !modes.includes(params.mode)) return `display mode "${params.mode}" was not declared in "ui/initialize"`;
    if (context.availableDisplayModes && !context.availableDisplayModes.includes(params.mode))
      return `display mode "${params.mode}" is not among the host's availableDisplayModes`;
  }
  if (method == "sampling/createMessage") {
    if (!capabilities.sampling) return `"${method}" without host capability sampling`;
    if (params.tools && !capabilities.sampling.tools) return `"${method}" with tools without host capability sampling.tools`;
  }
  if (method == "notifications/tools/list_changed" && !app?.appCapabilities?.tools?.listChanged)
    return `"${method}" without app capability tools.listChanged`;
  return undefined;
};

/** An answer that breaks what the View declared, or undefined. */
const promised = (/** @type {any} */ message, /** @type {State} */ { app, asked }) => {
  const method = asked.get(message.id);
  if (message.error?.code == -32601 && (method == "ping" || (app?.appCapabilities?.tools && /^tools\/(list|call)$/.test(method))))
    return `"${method}" must be answered`;
  return undefined;
};

/**
 * The rule that a message of the View breaks, in words, or undefined.
 * @param {any} message
 * @param {State} state
 * @returns {string | undefined}
 */
export const broken = (message, state) => {
  const malformed = envelope(message, state);
  if (malformed) return malformed;
  const { method, params = {} } = message;
  if (method === undefined) return promised(message, state);
  const known = Object.hasOwn(VIEW_MESSAGES, method) ? VIEW_MESSAGES[method] : undefined;
  if (!known) return `"${method}" is no message of a View`;
  if (known.request != "id" in message) return `"${method}" must be a ${known.request ? "request" : "notification"}`;
  for (const [name, check] of Object.entries(known.params))
    if (!check(params[name])) return `"${method}": params.${name} is ${JSON.stringify(params[name]) ?? "absent"}`;
  return order(method, state.phase) ?? declared(method, params, state);
};
