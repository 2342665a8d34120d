// @ts-check
/** The host page: draws frames, relays messages in order, shows state. All rules live elsewhere. */

import "./build-overlay.js";
import "./call-form.js";
import "./host-bar.js";
import "./partial-input.js";
import "./side-panel.js";
import "./status-bar.js";
import "./tool-list.js";
import { Socket } from "./socket.js";
import { firstState, wishes, writeAddress } from "./state.js";
import { Conversation } from "./conversation.js";
import { bindKeys } from "./keys.js";

/** @typedef {import("./protocol.js").ToPage} ToPage */
/** @typedef {import("./protocol.js").Json} Json */
/** @typedef {import("./protocol.js").Setting} Setting */
/** @typedef {import("./state.js").State} State */

const wish = wishes(new URLSearchParams(location.search));
const state = firstState(wish);
let themeChosen = wish.theme !== null;
/** @type {Json | undefined} */
let lastArgs = wish.args ?? undefined;
let greeted = false;
/** The host that the user asked for; null is what the process began with. @type {Setting | null} */
let setting = null;
/** What waits for that host. @type {(() => void) | null} */
let afterHost = null;

const bar = one("host-bar");
const tools = one("tool-list");
const form = one("call-form");
const partial = one("partial-input");
const panel = one("side-panel");
const overlay = one("build-overlay");
const status = one("status-bar");

const socket = new Socket(receive, (connected) => {
  state.connected = connected;
  render();
});
const conversation = new Conversation(one("#turns"), panel, socket, state);

/**
 * @template {string} S
 * @param {S} selector
 * @returns {S extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[S] : HTMLElement}
 */
function one(selector) {
  const found = document.querySelector(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return /** @type {any} */ (found);
}

function render() {
  document.documentElement.dataset.theme = state.theme;
  document.title = `${state.server?.name ?? "mcpapps"} · mcpapps`;
  bar.render(state);
  tools.render(state.tools, state.picked, state.pickedServer);
  status.render(state);
  panel.host.render(state);
  conversation.resize();
  conversation.showEmpty();
}

/** @param {ToPage} message */
function receive(message) {
  switch (message.type) {
    case "hello": {
      const { server, profiles, quirks, faults, probe, ui } = message;
      Object.assign(state, { server, tools: message.tools, profiles, quirks, faults, probe, ui });
      takeHost(message.host);
      socket.page = message.page;
      // The Views of a page that was away for a while follow by themselves.
      if (message.resumed) break;
      conversation.clear();
      greet();
      break;
    }
    case "inventory":
      state.server = message.server;
      state.tools = message.tools;
      pick(state.picked, state.pickedServer);
      break;
    case "host":
      state.profiles = message.profiles;
      state.tools = message.tools;
      takeHost(message.host);
      pick(state.picked, state.pickedServer);
      fitMode();
      conversation.changeSurroundings();
      afterHost?.();
      afterHost = null;
      remember();
      break;
    case "overlay":
      overlay.show(message.error);
      return;
    default:
      // A host that cannot be had leaves the one that is there.
      if (message.type === "note" && message.view === null) {
        afterHost?.();
        afterHost = null;
      }
      conversation.receive(message);
      return;
  }
  render();
}

/** @param {import("./protocol.js").Host} host */
function takeHost(host) {
  state.host = host;
  const { theme } = host.context;
  if (!themeChosen && (theme === "light" || theme === "dark")) state.theme = theme;
}

/** Lets go of a mode that the host does not have; not before the host is the one that was asked for. */
function fitMode() {
  if (!state.host?.modes.includes(state.mode)) state.mode = "inline";
}

function greet() {
  const first = !greeted;
  greeted = true;
  const picked = state.picked ?? state.tools.find((tool) => tool.view)?.name ?? state.tools[0]?.name ?? null;
  const start = () => {
    fitMode();
    pick(picked, state.pickedServer, first ? wish.args : null);
    if (first && wish.tool && wish.args) call(wish.tool, state.pickedServer, wish.args);
    remember();
  };
  const { profile, quirks, faults, origin } = wish;
  if (first && (profile || quirks || faults || origin)) {
    afterHost = start;
    setHost({
      profile: profile ?? undefined,
      quirks: quirks ?? undefined,
      faults: faults ?? undefined,
      origin: origin ?? undefined,
    });
  } else if (setting) {
    afterHost = start;
    setHost({});
  } else {
    start();
  }
}

/** @param {Partial<Setting>} changes */
function setHost(changes) {
  const { profile = "spec", quirks = [], faults = [], origin = "profile" } = setting ?? state.host ?? {};
  /** @type {Setting} */
  const wanted = { profile, quirks, faults, origin };
  for (const [key, value] of Object.entries(changes)) if (value !== undefined) Object.assign(wanted, { [key]: value });
  setting = wanted;
  socket.send({ type: "host", ...wanted });
}

/** @param {string | null} name @param {string | null} server @param {Json | null} [args] */
function pick(name, server, args) {
  const named = state.tools.filter((tool) => tool.name === name);
  const tool = named.find((one) => one.server === server) ?? named[0] ?? null;
  if (tool) {
    state.picked = tool.name;
    state.pickedServer = tool.server;
  }
  form.show(tool, args ?? undefined);
}

/** @param {string} tool @param {string | null} server @param {Json} args */
function call(tool, server, args) {
  lastArgs = args;
  conversation.release();
  socket.send({ type: "call", tool, server, arguments: args, context: conversation.context(), hold: false });
  remember();
}

function remember() {
  writeAddress(state, lastArgs, { theme: themeChosen, setting });
}

/** @param {string} type @param {(detail: any) => void} listener */
function on(type, listener) {
  document.addEventListener(type, (event) => listener(/** @type {CustomEvent} */ (event).detail));
}

on("pick-tool", ({ name, server }) => {
  if (name !== state.picked || server !== state.pickedServer) {
    lastArgs = undefined;
    conversation.release();
  }
  pick(name, server);
  remember();
  render();
});
on("call-tool", ({ tool, server, args }) => call(tool, server, args));
on("edit-input", () => partial.take(form.read(false)));
on("write-input", (written) => {
  if (form.tool) conversation.write(form.tool, written);
});
on("set-theme", (theme) => {
  state.theme = theme;
  themeChosen = true;
  conversation.changeContext({ theme });
  remember();
  render();
});
on("set-mode", (mode) => {
  state.mode = mode;
  conversation.setMode(mode);
  remember();
  render();
});
on("view-mode", (mode) => {
  state.mode = mode;
  remember();
  render();
});
on("set-width", (width) => {
  state.width = width;
  remember();
  render();
});
// Another host has quirks of its own.
on("set-profile", (profile) => setHost({ profile, quirks: [] }));
on("set-origin", (origin) => setHost({ origin }));
on("set-switch", ({ kind, name, on }) => {
  const now = /** @type {string[]} */ ((setting ?? state.host)?.[/** @type {"quirks" | "faults"} */ (kind)] ?? []);
  const others = now.filter((one) => one.split("=")[0].replace(/^no-/, "") !== name);
  // A quirk that a host has by itself has to be named to be switched off.
  setHost({ [kind]: on ? [...others, name] : kind === "quirks" ? [...others, `no-${name}`] : others });
});
on("set-chosen", (changes) => {
  Object.assign(state.chosen, changes);
  conversation.changeSurroundings();
  remember();
  render();
});
on("show-host", () => panel.pick("host"));

bindKeys({
  reload: () => conversation.press("reload"),
  call: () => form.call(),
  theme: () => document.dispatchEvent(new CustomEvent("set-theme", { detail: state.theme === "dark" ? "light" : "dark" })),
  filter: () => {
    panel.pick("messages");
    panel.log.filter.focus();
  },
  escape: () => {
    if (!overlay.hidden) overlay.show(null);
    else conversation.leaveModes();
  },
  help: () => one("keys-help").open(),
}, () => one("keys-help").isOpen);

render();
socket.connect();
