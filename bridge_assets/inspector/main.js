// @ts-check
/** The host page: draws frames, relays messages in order, shows state. All rules live elsewhere. */

import "./build-overlay.js";
import "./call-form.js";
import "./host-bar.js";
import "./side-panel.js";
import "./status-bar.js";
import "./tool-list.js";
import { Socket } from "./socket.js";
import { firstState, wishes, writeAddress } from "./state.js";
import { Conversation } from "./conversation.js";
import { bindKeys } from "./keys.js";

/** @typedef {import("./protocol.js").ToPage} ToPage */
/** @typedef {import("./protocol.js").Json} Json */
/** @typedef {import("./state.js").State} State */

const wish = wishes(new URLSearchParams(location.search));
const state = firstState(wish);
let themeChosen = wish.theme !== null;
/** @type {Json | undefined} */
let lastArgs = wish.args ?? undefined;
let greeted = false;

const bar = one("host-bar");
const tools = one("tool-list");
const form = one("call-form");
const panel = one("side-panel");
const overlay = one("build-overlay");
const status = one("status-bar");

const socket = new Socket(receive, (connected) => {
  state.connected = connected;
  if (!connected) conversation.clear();
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
  tools.render(state.tools, state.picked);
  status.render(state);
  conversation.resize();
}

/** @param {ToPage} message */
function receive(message) {
  switch (message.type) {
    case "hello":
      Object.assign(state, {
        server: message.server,
        tools: message.tools,
        profile: message.profile,
        profiles: message.profiles,
        probe: message.probe,
      });
      if (!message.profile.modes.includes(state.mode)) state.mode = "inline";
      greet();
      break;
    case "inventory":
      state.server = message.server;
      state.tools = message.tools;
      pick(state.picked);
      break;
    case "profile":
      state.profile = message.profile;
      if (!message.profile.modes.includes(state.mode)) state.mode = "inline";
      remember();
      break;
    case "overlay":
      overlay.show(message.error);
      return;
    default:
      conversation.receive(message);
      return;
  }
  render();
}

function greet() {
  if (wish.profile && wish.profile !== state.profile?.name && state.profiles.includes(wish.profile)) {
    socket.send({ type: "profile", name: wish.profile });
  }
  const first = !greeted;
  greeted = true;
  pick(state.picked ?? state.tools.find((tool) => tool.view)?.name ?? state.tools[0]?.name ?? null, first ? wish.args : null);
  if (first && wish.tool && wish.args) call(wish.tool, wish.args);
  remember();
}

/** @param {string | null} name @param {Json | null} [args] */
function pick(name, args) {
  const tool = state.tools.find((one) => one.name === name) ?? null;
  if (tool) state.picked = tool.name;
  form.show(tool, args ?? undefined);
}

/** @param {string} tool @param {Json} args */
function call(tool, args) {
  lastArgs = args;
  socket.send({ type: "call", tool, arguments: args, context: conversation.context() });
  remember();
}

function remember() {
  writeAddress(state, lastArgs, themeChosen);
}

/** @param {string} type @param {(detail: any) => void} listener */
function on(type, listener) {
  document.addEventListener(type, (event) => listener(/** @type {CustomEvent} */ (event).detail));
}

on("pick-tool", (name) => {
  if (name !== state.picked) lastArgs = undefined;
  pick(name);
  remember();
  render();
});
on("call-tool", ({ tool, args }) => call(tool, args));
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
on("set-width", (width) => {
  state.width = width;
  remember();
  render();
});
on("set-profile", (name) => socket.send({ type: "profile", name }));

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
    else document.dispatchEvent(new CustomEvent("set-mode", { detail: "inline" }));
  },
  help: () => one("keys-help").open(),
});

render();
socket.connect();
