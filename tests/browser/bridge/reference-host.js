// The host half of the reference SDK around a frame; what it hears is in `window.heard`.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

window.heard = [];
const note = (name, params, answer) => {
  window.heard.push([name, params]);
  return answer;
};

window.mount = async (html, { capabilities, context }) => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  document.body.append(frame);
  const bridge = new AppBridge(null, { name: "reference", version: "2.0.4" }, capabilities, { hostContext: context });
  window.bridge = bridge;
  window.open = new Promise((resolve) => bridge.addEventListener("initialized", resolve));
  bridge.addEventListener("sizechange", (params) => note("size", params));
  bridge.addEventListener("loggingmessage", (params) => note("log", params));
  bridge.addEventListener("requestteardown", (params) => note("request-teardown", params ?? {}));
  bridge.onerror = (error) => note("error", String(error));
  bridge.onmessage = async (params) => note("message", params, {});
  bridge.onopenlink = async (params) => note("open-link", params, params.url.includes("evil") ? { isError: true } : {});
  bridge.ondownloadfile = async (params) => note("download-file", params, {});
  bridge.onrequestdisplaymode = async (params) => note("display-mode", params, { mode: "inline" });
  bridge.onupdatemodelcontext = async (params) => note("model-context", params, {});
  bridge.onlistresources = async () => ({ resources: [{ uri: "data://a", name: "a" }] });
  bridge.onreadresource = async ({ uri }) => ({ contents: [{ uri, text: "read" }] });
  bridge.oncreatesamplingmessage = async (params) =>
    note("sampling", params, { role: "assistant", content: { type: "text", text: "sampled" }, model: "m" });
  bridge.oncalltool = async ({ name, arguments: args }, extra) => {
    if (name === "slow") {
      note("slow", args);
      return new Promise((_, reject) => extra.mcpReq.signal.addEventListener("abort", () => reject(note("slow-cancelled", {}, new Error("cancelled")))));
    }
    return name === "bad"
      ? { content: [{ type: "text", text: "bad input" }], isError: true }
      : { content: [{ type: "text", text: `called ${name}` }], structuredContent: args };
  };
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
};
