/** A host for page tests, in Node or in a browser: it plays the host's half of MCP Apps and records the View's. */

import { defaultAnswers, RpcError } from "./answers.js";
import { memoryLink } from "./link.js";
import { broken } from "./rules.js";

export { RpcError } from "./answers.js";
export { frameLink, memoryLink } from "./link.js";

/**
 * @typedef {object} Call What an answering function gets beside the params.
 * @property {string | number} id
 * @property {AbortSignal} signal Aborts when the View cancels.
 * @property {(update: { progress: number, total?: number, message?: string }) => void} progress
 */
/** @typedef {import("./answers.js").Params} Params */
/** @typedef {(params: Params, call: Call) => unknown} Answering */
/**
 * @typedef {object} HostOptions
 * @property {Params} [hostInfo]
 * @property {Params} [hostCapabilities] Default: every capability of the stable specification.
 * @property {Params} [hostContext]
 * @property {string} [protocolVersion]
 * @property {boolean} [strict] Fail the test when the View breaks a MUST: every waiting call rejects.
 * @property {Record<string, Answering | object>} [answers] By method: a result, or what computes it.
 * @property {import("./link.js").Link} [link] Default: a memory link, whose ends are on the host.
 */

const CAPABILITIES = { openLinks: {}, serverTools: {}, serverResources: {}, logging: {} };

/** @param {HostOptions} [options] */
export const createHost = ({
  hostInfo = { name: "test-host", version: "1.0.0" },
  hostCapabilities = CAPABILITIES,
  hostContext = {},
  protocolVersion = "2026-01-26",
  strict = false,
  answers = {},
  link = memoryLink(),
} = {}) => {
  const { send, listen, ...ends } = /** @type {ReturnType<typeof memoryLink>} */ (link);
  let context = { ...hostContext };
  /** @type {any[]} */
  const received = [];
  /** @type {any[]} */
  const sent = [];
  /** @type {string[]} */
  const violations = [];
  /** @type {{ method: string, take: (message: any) => void }[]} */
  const takers = [];
  /** How many messages of each method `next` has given out. @type {Record<string, number>} */
  const given = {};
  /** @type {Map<string | number, { method: string, resolve: (value: any) => void, reject: (error: any) => void }>} */
  const waiting = new Map();
  /** @type {Map<unknown, AbortController>} */
  const answering = new Map();
  /** @type {import("./rules.js").State} */
  const state = { phase: "new", app: undefined, capabilities: hostCapabilities, context, used: new Set(), asked: new Map() };
  let lastId = -1;

  /** @type {(app: any) => void} */
  let open = () => {};
  const initialized = new Promise((resolve) => (open = resolve));
  /** @type {(error: Error) => void} */
  let fail = () => {};
  /** @type {Promise<never>} */
  const failure = new Promise((_, reject) => (fail = reject));
  failure.catch(() => {});
  const guarded = (/** @type {Promise<any>} */ promise) => (strict ? Promise.race([failure, promise]) : promise);

  const post = (/** @type {Params} */ message) => {
    const whole = { jsonrpc: "2.0", ...message };
    sent.push(whole);
    send(whole);
  };

  /** @type {Record<string, Answering | object>} */
  const table = {
    "ui/initialize": () => ({ protocolVersion, hostInfo, hostCapabilities, hostContext: context }),
    ...defaultAnswers(() => context),
    ...answers,
  };

  const answer = async (/** @type {any} */ { id, method, params = {} }) => {
    const controller = new AbortController();
    answering.set(id, controller);
    const token = params._meta?.progressToken;
    const progress = (/** @type {object} */ update) =>
      post({ method: "notifications/progress", params: { progressToken: token, ...update } });
    try {
      const entry = table[method];
      if (!entry) throw new RpcError(`Method not found: ${method}`, -32601);
      const result = typeof entry == "function" ? await entry(params, { id, signal: controller.signal, progress }) : entry;
      if (answering.delete(id)) post({ id, result });
      if (method == "ui/initialize") state.phase = "answered";
    } catch (/** @type {any} */ { message, code = -32603, data }) {
      if (answering.delete(id)) post({ id, error: { code, message, ...(data !== undefined && { data }) } });
      if (method == "ui/initialize") state.phase = "refused";
    }
  };

  const receive = (/** @type {any} */ message) => {
    received.push(message);
    const fault = broken(message, state);
    if (fault) {
      violations.push(fault);
      fail(new Error(`the View broke a rule: ${fault}`));
    }
    const { id, method, params = {}, result, error } = message ?? {};
    const taker = takers.findIndex((entry) => entry.method == method);
    if (taker >= 0) takers.splice(taker, 1)[0].take(message);
    if (method === undefined) {
      const entry = waiting.get(id);
      waiting.delete(id);
      state.asked.delete(id);
      if (error) entry?.reject(new RpcError(error.message, error.code, error.data));
      else entry?.resolve(result);
    } else if (id !== undefined) {
      state.used.add(id);
      if (method == "ui/initialize") Object.assign(state, { phase: "asked", app: params });
      if (strict && fault) post({ id, error: { code: -32600, message: fault } });
      else answer(message);
    } else if (method == "ui/notifications/initialized" && state.phase == "answered") {
      state.phase = "open";
      open(state.app);
    } else if (method == "notifications/cancelled") {
      answering.get(params.requestId)?.abort(params.reason);
      answering.delete(params.requestId);
    }
  };
  const unlisten = listen(receive);

  /** A host says nothing before the View is initialized. */
  const notify = (/** @type {string} */ method, /** @type {Params} */ params = {}) =>
    guarded(initialized.then(() => post({ method, params })));

  const request = (/** @type {string} */ method, /** @type {Params} */ params = {}, /** @type {string | number} */ id = ++lastId) =>
    guarded(
      initialized.then(
        () =>
          new Promise((resolve, reject) => {
            waiting.set(id, { method, resolve, reject });
            state.asked.set(id, method);
            post({ id, method, params });
          }),
      ),
    );

  return {
    ...ends,
    received,
    sent,
    violations,
    /** Params of `ui/initialize`, once the View is initialized. */
    get initialized() {
      return guarded(initialized);
    },
    notify,
    request,
    /** Send anything, at once. */
    post,
    sendToolInputPartial: (/** @type {Params} */ args) => notify("ui/notifications/tool-input-partial", { arguments: args }),
    sendToolInput: (/** @type {Params} */ args) => notify("ui/notifications/tool-input", { arguments: args }),
    sendToolResult: (/** @type {Params} */ result) => notify("ui/notifications/tool-result", result),
    sendToolCancelled: (/** @type {string} */ reason) => notify("ui/notifications/tool-cancelled", { reason }),
    sendContext(/** @type {Params} */ update) {
      context = { ...context, ...update };
      state.context = context;
      return notify("ui/notifications/host-context-changed", update);
    },
    ping: () => request("ping"),
    teardown: (/** @type {string} */ reason) => request("ui/resource-teardown", { reason }),
    /** Answer a method with a result, or with what a function gives. */
    answer: (/** @type {string} */ method, /** @type {Answering | object} */ entry) => void (table[method] = entry),
    /** Answer a method with an error. */
    refuse: (/** @type {string} */ method, code = -32000, message = "denied", /** @type {unknown} */ data = undefined) =>
      void (table[method] = () => Promise.reject(new RpcError(message, code, data))),
    /** Never answer a method. */
    ignore: (/** @type {string} */ method) => void (table[method] = () => new Promise(() => {})),
    /** Messages of one method so far. */
    all: (/** @type {string} */ method) => received.filter((message) => message?.method == method),
    /** The next message of a method that `next` has not given yet; waits for it. @returns {Promise<any>} */
    next(/** @type {string} */ method) {
      const index = given[method] ?? 0;
      given[method] = index + 1;
      const here = received.filter((message) => message?.method == method)[index];
      return guarded(here ? Promise.resolve(here) : new Promise((take) => takers.push({ method, take })));
    },
    /** End the test: throws when the View broke a rule in strict mode. */
    close() {
      unlisten();
      if (strict && violations.length) throw new Error(`the View broke ${violations.length} rule(s): ${violations.join("; ")}`);
    },
  };
};
