// @ts-check
/**
 * The sandbox proxy: loads the View into an inner frame and relays messages, in order, unchanged.
 *
 * Two parties are known by the window they post from: the host (`window.parent`) and the View
 * (the inner frame's window). What anybody else posts is ignored. Methods that start with
 * `ui/notifications/sandbox-` end here; the View can neither send nor receive one. The proxy
 * makes no request of its own: its ids could collide with those of the two parties.
 */
(() => {
  "use strict";

  const READY = "ui/notifications/sandbox-proxy-ready";
  const RESOURCE = "ui/notifications/sandbox-resource-ready";
  const OWN_PREFIX = "ui/notifications/sandbox-";

  /**
   * @type {{
   *   host: string,
   *   channel: string,
   *   allow: string,
   *   probe: { at: number, text: string } | null,
   * }}
   */
  const config = JSON.parse(document.getElementById("config")?.textContent ?? "");
  /** @type {HTMLIFrameElement | null} */
  let inner = null;

  /** @param {unknown} message */
  function isOwn(message) {
    const method = /** @type {{ method?: unknown } | null | undefined} */ (message)?.method;
    return typeof method === "string" && method.startsWith(OWN_PREFIX);
  }

  /** @param {unknown} message */
  function toHost(message) {
    window.parent.postMessage(message, config.host);
  }

  /**
   * What the proxy and the probe have to say is no message between View and host: it travels
   * under a secret that the View does not have.
   *
   * @param {string} kind
   * @param {object} detail
   */
  function report(kind, detail) {
    toHost({ channel: config.channel, kind, detail });
  }

  /** @param {string} html */
  function withProbe(html) {
    const probe = config.probe;
    return probe ? html.slice(0, probe.at) + probe.text + html.slice(probe.at) : html;
  }

  /** @param {{ html?: unknown, sandbox?: unknown }} params */
  function load(params) {
    if (inner) return;
    inner = document.createElement("iframe");
    inner.title = "View";
    inner.setAttribute(
      "sandbox",
      typeof params.sandbox === "string" ? params.sandbox : "allow-scripts",
    );
    if (config.allow) inner.setAttribute("allow", config.allow);
    inner.style.cssText = "position:fixed;inset:0;width:100%;height:100%;border:0";
    inner.addEventListener("load", () => report("loaded", { by: "sandbox" }));
    inner.srcdoc = withProbe(String(params.html ?? ""));
    document.body.append(inner);
  }

  window.addEventListener("message", (event) => {
    const message = event.data;
    if (event.source === window.parent) {
      if (event.origin !== config.host) return;
      if (message?.method === RESOURCE) load(message.params ?? {});
      else if (!isOwn(message)) inner?.contentWindow?.postMessage(message, "*");
    } else if (inner && event.source === inner.contentWindow) {
      if (message?.channel === config.channel) report(message.kind, message.detail);
      else if (!isOwn(message)) toHost(message);
    }
  });

  toHost({ jsonrpc: "2.0", method: READY, params: {} });
})();
