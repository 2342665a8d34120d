/** One conversation with the host: handshake, what the host tells, and the orderly end. */

/** @import { HostContext } from "./protocol.js" */
/** @import { ConnectOptions, MessageSource, MessageTarget, RequestOptions, Scope, Session } from "./view.js" */

import { BridgeError, CapabilityError, HostError, ToolCancelled, ToolError } from "./errors.js";
import { createPeer } from "./peer.js";
import { watchSize } from "./resize.js";
import { attempt, createStream, deferred, quiet } from "./stream.js";
import { createTools } from "./tools.js";

/** @param {MessageTarget} target @param {MessageSource} source @param {ConnectOptions} options */
export const createSession = (
  target,
  source,
  { name, version, displayModes, tools: offersTools, capabilities, autoResize = true, handshakeTimeout = 30000 },
) => {
  /** @type {Record<string, ReturnType<typeof createStream<any>>>} */
  const streams = {};
  const stream = (/** @type {string} */ event) =>
    // A late reader gets what holds now. Of the partial inputs each repeats those before, so that a
    // hundred are plenty.
    (streams[event] ??= createStream(event == "toolinputpartial" ? 100 : 1));
  const toolInput = deferred();
  const toolResult = deferred();
  const stopped = new AbortController();
  const { signal } = stopped;
  /** @type {Promise<unknown>[]} */
  const programs = [];
  /** @type {(() => unknown)[]} */
  const finalizers = [];
  /** @type {(() => void) | undefined} */
  let measure;
  /** @type {Promise<object> | undefined} */
  let ending;
  let hasInput = false;
  let hasResult = false;

  const emit = (/** @type {string} */ event, /** @type {unknown} */ detail) => stream(event)._push(detail);

  /** The prototype of each context, so that a copy of one is plain data. */
  const iterable = { [Symbol.asyncIterator]: () => stream("hostcontextchanged")[Symbol.asyncIterator]() };
  const merge = (/** @type {HostContext} */ update) => {
    view.hostContext = Object.assign(Object.create(iterable), view.hostContext, update);
    view.toolInfo = view.hostContext.toolInfo;
    emit("hostcontextchanged", view.hostContext);
    measure?.();
  };

  const stop = (/** @type {unknown} */ reason) => {
    stopped.abort(reason);
    for (const event in streams) streams[event]._end();
  };

  /** Abort what runs, then finalize, and only then let the host go on. */
  const end = async (/** @type {{ reason?: string }} */ params) => {
    emit("teardown", params);
    stop(new BridgeError("the View is being removed"));
    // A program that ignores its signal is not waited for; one that rejects for it has been read.
    await Promise.race([Promise.allSettled(programs), new Promise((resolve) => setTimeout(resolve, 1000))]);
    for (let finalize; (finalize = finalizers.pop()); ) await attempt(finalize);
    return {};
  };

  /** @type {Record<string, (params: any) => void>} */
  const heard = {
    "ui/notifications/tool-input-partial"({ arguments: args = {} }) {
      if (!hasInput) emit("toolinputpartial", args);
    },
    "ui/notifications/tool-input"({ arguments: args = {} }) {
      if (hasInput) return;
      hasInput = true;
      stream("toolinputpartial")._end();
      toolInput._resolve(args);
      emit("toolinput", args);
    },
    "ui/notifications/tool-result"(params) {
      if (hasResult) return;
      hasResult = true;
      const result = { content: [], ...params };
      toolResult._resolve(result);
      emit("toolresult", result);
    },
    "ui/notifications/tool-cancelled"(params) {
      if (hasResult) return;
      hasResult = true;
      toolResult._reject(new ToolCancelled(params.reason ?? "cancelled", params));
      emit("toolcancelled", params);
    },
    "ui/notifications/host-context-changed": merge,
  };

  /** @type {Parameters<typeof createPeer>[3]} */
  const answer = (method, params, call) => {
    if (method == "ping") return {};
    if (method == "ui/resource-teardown") return (ending ??= end(params));
    if (offersTools && method == "tools/list") return tools._list();
    if (offersTools && method == "tools/call") return tools._call(params, call);
    throw new HostError("Method not found: " + method, { code: -32601 });
  };

  const peer = createPeer(target, source, signal, answer, (method, params) =>
    // Whatever has no meaning here and no listener is dropped.
    (heard[method] ?? streams[method]?._push)?.(params),
  );

  const admit = async (/** @type {string} */ method, /** @type {any} */ capability) => {
    await view.ready;
    /** @type {any} */
    let has = view.hostCapabilities;
    for (const key of capability?.split(".") ?? []) has = has?.[key];
    if (!has) throw new CapabilityError(`${method} needs host capability ${capability}`, { capability });
  };

  // An unread rejection of a notification never surfaces.
  /** @type {(method: string, params?: object, capability?: string) => Promise<void>} */
  const send = (method, params, capability) =>
    quiet(admit(method, capability).then(() => peer._notify(method, params)));

  /** @type {(method: string, params?: any, options?: RequestOptions, capability?: string) => Promise<any>} */
  const ask = async (method, params = {}, options = {}, capability) => {
    await admit(method, capability);
    const isCall = method == "tools/call";
    const result = await peer._request(method, params, options, isCall);
    if (!result.isError) return result;
    const message = result.content?.[0]?.text ?? method + " failed";
    throw isCall ? new ToolError(message, { result }) : new HostError(message, { code: -32000, data: result });
  };

  const tools = createTools(() => {
    if (view.connected) {
      if (!offersTools) throw new BridgeError("connect({ tools: true }) first");
      send("notifications/tools/list_changed");
    }
    offersTools = true;
  });

  const close = (/** @type {unknown} */ reason) => {
    view.connected = false;
    view.ready = quiet(Promise.reject(reason));
    toolInput._reject(reason);
    toolResult._reject(reason);
    stop(reason);
    peer._close();
  };

  const handshake = async () => {
    if (/** @type {unknown} */ (target) == globalThis) throw new BridgeError("this page has no host");
    // One turn later, so that tools registered right after connect() are declared.
    await 0;
    const result = await peer._request(
      "ui/initialize",
      {
        appInfo: { name, version },
        appCapabilities: {
          ...capabilities,
          availableDisplayModes: displayModes,
          tools: offersTools ? { listChanged: true } : undefined,
        },
        protocolVersion: "2026-01-26",
      },
      { timeout: handshakeTimeout, signal },
    );
    view.hostInfo = result.hostInfo;
    view.hostCapabilities = result.hostCapabilities ?? {};
    merge(result.hostContext);
    peer._notify("ui/notifications/initialized");
    view.connected = true;
    emit("connected", result);
    if (autoResize && globalThis.ResizeObserver)
      measure = watchSize(
        (size) => peer._notify("ui/notifications/size-changed", size),
        () => signal.aborted || view.hostContext.displayMode == "fullscreen",
      );
  };

  const view = /** @type {{ -readonly [Key in keyof Session]: Session[Key] }} */ (/** @type {unknown} */ ({
    connected: false,
    hostContext: Object.create(iterable),
    toolInput: toolInput._promise,
    toolInputPartial: stream("toolinputpartial"),
    toolResult: toolResult._promise,
    registerTool: tools._register,
    setTraceContextProvider: peer._trace,
    run(/** @type {(scope: Scope) => any} */ program) {
      const defer = (/** @type {() => unknown} */ finalize) => finalizers.push(finalize);
      const outcome = view.ready.then(() => program({ signal, defer }));
      programs.push(outcome);
      return outcome;
    },
  }));
  view.ready = handshake();
  view.ready.catch((error) => {
    console.error(error);
    close(error);
  });
  return { _view: view, _ask: ask, _send: send, _stream: stream, _close: close };
};
