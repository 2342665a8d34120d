/** JSON-RPC 2.0 over `postMessage`: ids, time-outs, cancellation, progress and trace context. */

/** @import { MessageSource, MessageTarget, RequestOptions, TraceContextProvider } from "./view.js" */

import { HostError, TimeoutError } from "./errors.js";

const CANCELLED = "notifications/cancelled";

/**
 * @typedef {object} Pending
 * @property {(message: any) => void} _settle
 * @property {(params: any) => void} _progress
 * @property {(reason: any) => void} abort As an AbortController has it.
 */

/**
 * @param {MessageTarget} target Where messages go, and the only sender that is heard.
 * @param {MessageSource} source Where `message` events appear.
 * @param {AbortSignal} stop Ends everything in flight, in both directions.
 * @param {(method: string, params: any, call: { signal: AbortSignal, id: string | number }) => unknown} answer
 *   Answers a request of the host, or throws.
 * @param {(method: string, params: any) => void} hear Takes a notification of the host.
 */
export const createPeer = (target, source, stop, answer, hear) => {
  /** @type {Map<unknown, Pending>} */
  const pending = new Map();
  /** @type {Map<unknown, AbortController>} */
  const answering = new Map();
  /** @type {TraceContextProvider | null | undefined} */
  let provider;
  let lastId = 0;

  const post = (/** @type {object} */ message) =>
    // JSON is what the protocol carries: no `undefined`, and no reactive proxy that cannot be cloned.
    // The host's origin is unknown and may be opaque, so the target origin can only be "*".
    target.postMessage(JSON.parse(JSON.stringify({ jsonrpc: "2.0", ...message })), { targetOrigin: "*" });

  const traced = (/** @type {any} */ params) => {
    try {
      const trace = provider?.();
      if (trace?.traceparent) return { ...params, _meta: { ...trace, ...params._meta } };
    } catch (error) {
      // Tracing observes; it may not stop a message.
      console.error(error);
    }
    return params;
  };

  const notify = (/** @type {string} */ method, /** @type {object} */ params = {}) =>
    post({ method, params: traced(params) });

  /**
   * @param {string} method
   * @param {any} params
   * @param {RequestOptions} options
   * @param {unknown} [progress] Ask for progress although nobody listens, so that it resets the time-out.
   * @returns {Promise<any>}
   */
  const request = (method, params, { signal, timeout = 60000, onProgress }, progress) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const id = ++lastId;
      /** @type {ReturnType<typeof setTimeout>} */
      let timer;
      const finish = () => {
        clearTimeout(timer);
        pending.delete(id);
        signal?.removeEventListener("abort", abort);
      };
      const cancel = (/** @type {any} */ reason) => {
        finish();
        reject(reason);
        // The handshake is the one request that core MCP forbids to cancel.
        if (method != "ui/initialize") notify(CANCELLED, { requestId: id, reason: "" + reason });
      };
      const abort = () => cancel(signal?.reason);
      const wait = () => {
        clearTimeout(timer);
        // Longer delays overflow the timer and would fire at once.
        if (timeout < 2 ** 31)
          timer = setTimeout(() => cancel(new TimeoutError(`no answer to ${method} in ${timeout} ms`, { timeout })), timeout);
      };
      if (onProgress || progress) params = { ...params, _meta: { ...params._meta, progressToken: id } };
      post({ id, method, params: traced(params) });
      pending.set(id, {
        _settle({ error, result = {} }) {
          finish();
          if (error) reject(new HostError(error.message, error));
          else resolve(result);
        },
        _progress(update) {
          wait();
          onProgress?.(update);
        },
        abort: cancel,
      });
      signal?.addEventListener("abort", abort);
      wait();
    });

  const receive = async (/** @type {any} */ event) => {
    const { data } = event;
    // Origins say nothing here; the sender's identity does. A port has only one possible sender.
    if ((event.source != target && source != /** @type {any} */ (target)) || data?.jsonrpc !== "2.0") return;
    const { id, method, params = {} } = data;
    if (!method) pending.get(id)?._settle(data);
    else if (id !== undefined) {
      const controller = new AbortController();
      answering.set(id, controller);
      /** @type {unknown} */
      let result;
      /** @type {unknown} */
      let error;
      try {
        result = await answer(method, params, { signal: controller.signal, id });
      } catch (/** @type {any} */ { code = -32603, message }) {
        error = { code, message };
      }
      // A request that the host cancelled gets no answer.
      if (answering.delete(id)) post({ id, result, error });
    } else if (method == "notifications/progress") pending.get(params.progressToken)?._progress(params);
    else if (method == CANCELLED) {
      answering.get(params.requestId)?.abort();
      answering.delete(params.requestId);
    } else hear(method, params);
  };

  stop.onabort = () => {
    for (const flight of [...pending.values(), ...answering.values()]) flight.abort(stop.reason);
  };
  source.addEventListener("message", receive);
  // Only a port has to be started; `window.start` is the page's own function or element.
  if (source != /** @type {any} */ (globalThis)) source.start?.();

  return {
    _notify: notify,
    _request: request,
    /** @param {TraceContextProvider | null} [next] */
    _trace(next) {
      provider = next;
    },
    _close() {
      source.removeEventListener("message", receive);
    },
  };
};
