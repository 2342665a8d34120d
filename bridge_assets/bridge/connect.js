/** The View's side of MCP Apps as one object. */

/** @import { Content } from "./protocol.js" */
/** @import { ConnectOptions, View } from "./view.js" */

import { BridgeError } from "./errors.js";
import { createSession } from "./session.js";
import { attempt, quiet } from "./stream.js";
import { applyStyles } from "./style.js";

/** The View of each host that this page is connected to. @type {WeakMap<object, View>} */
const views = new WeakMap();

const blocks = (/** @type {Content} */ content) =>
  typeof content == "string" ? [{ type: "text", text: content }] : [content].flat();

/**
 * Connect to the host of this page. Returns at once; the methods wait for the handshake. A second
 * call gives the View that the page has.
 * @param {ConnectOptions} options
 * @returns {View}
 */
export const connect = (options) => {
  const { target = /** @type {any} */ (globalThis.parent), source = /** @type {any} */ (globalThis), displayModes } = options;
  const known = views.get(target);
  if (known) return known;

  const { _view, _ask: ask, _send: send, _stream, _close } = createSession(target, source, options);

  /** @type {View["on"]} */
  const on = (event, listener, { once } = {}) => {
    let live = true;
    quiet(
      (async () => {
        for await (const detail of _stream(event)) {
          if (!live) return;
          live = !once;
          attempt(() => listener(detail));
        }
      })(),
    );
    return () => (live = false);
  };

  /** @type {Omit<View, keyof import("./view.js").Session>} */
  const methods = {
    on,
    callTool: (name, args = {}, options) => ask("tools/call", { name, arguments: args }, options, "serverTools"),
    listTools: (page, options) => ask("tools/list", page, options, "serverTools"),
    readResource: (uri, options) => ask("resources/read", { uri }, options, "serverResources"),
    listResources: (page, options) => ask("resources/list", page, options, "serverResources"),
    openLink: (url, options) => ask("ui/open-link", { url }, options, "openLinks"),
    sendMessage: (content, options) => ask("ui/message", { role: "user", content: blocks(content) }, options),
    updateModelContext: ({ content, ...rest }, options) =>
      ask("ui/update-model-context", { ...rest, content: content && blocks(content) }, options),
    async requestDisplayMode(mode, options) {
      await _view.ready;
      const { displayMode = "inline", availableDisplayModes } = _view.hostContext;
      // The host must refuse a mode that either side did not declare.
      for (const modes of [displayModes, availableDisplayModes])
        if (modes && !modes.includes(mode)) return displayMode;
      return (await ask("ui/request-display-mode", { mode }, options)).mode ?? displayMode;
    },
    downloadFile: (contents, options) => ask("ui/download-file", { contents: [contents].flat() }, options),
    createMessage: (params, options) =>
      ask("sampling/createMessage", params, options, params.tools ? "sampling.tools" : "sampling"),
    ping: (options) => ask("ping", {}, options),

    log: (level, data, logger) => send("notifications/message", { level, data, logger }, "logging"),
    sendSizeChanged: (size) => send("ui/notifications/size-changed", size),
    sendToolListChanged: () => send("notifications/tools/list_changed"),
    requestTeardown: () => send("ui/notifications/request-teardown"),

    applyHostStyles: () => on("hostcontextchanged", applyStyles),
    close() {
      views.delete(target);
      _close(new BridgeError("closed"));
    },
  };
  const view = Object.assign(_view, methods);
  views.set(target, view);
  return view;
};
