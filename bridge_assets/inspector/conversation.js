// @ts-check
/** The turns of the conversation: their frames, the relay between frames and process, the log. */

import { ViewTurn } from "./view-turn.js";
import { Frame } from "./frame.js";
import { h } from "./dom.js";
import { dimensions, pageContext } from "./context.js";
import { widthOf } from "./state.js";
import { contentText } from "./panes.js";
import { isHarmless } from "./notice.js";
import { describe } from "./describe.js";

/** @typedef {import("./protocol.js").ToPage} ToPage */
/** @typedef {import("./protocol.js").Json} Json */
/** @typedef {import("./protocol.js").Mode} Mode */
/** @typedef {import("./protocol.js").SandboxReport} SandboxReport */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./socket.js").Socket} Socket */
/** @typedef {import("./side-panel.js").SidePanel} SidePanel */

export class Conversation {
  /**
   * @param {HTMLElement} element
   * @param {SidePanel} panel
   * @param {Socket} socket
   * @param {State} state
   */
  constructor(element, panel, socket, state) {
    this.element = element;
    this.panel = panel;
    this.socket = socket;
    this.state = state;
    /** @type {Map<string, ViewTurn>} */
    this.turns = new Map();
    this.width = 0;
    /** The View whose arguments are still being written. @type {string | null} */
    this.held = null;
    /** What was written before that View was opened. @type {{ args: Json, complete: boolean } | null} */
    this.waiting = null;
    // One listener from the start: a frame's first message comes as soon as its page runs.
    window.addEventListener("message", (event) => {
      for (const { frame, spare } of this.turns.values()) if (frame?.take(event) || spare?.take(event)) return;
    });
    new ResizeObserver(() => this.resize()).observe(element);
    element.addEventListener("press", (event) => socket.send(/** @type {CustomEvent} */ (event).detail));
    element.addEventListener("reload-all", () => this.reloadAll());
    element.addEventListener("answer", (event) => {
      socket.send({ type: "answer", .../** @type {CustomEvent} */ (event).detail });
    });
    element.addEventListener("set-view-mode", (event) => {
      const { view, mode } = /** @type {CustomEvent} */ (event).detail;
      socket.send({ type: "context", view, changes: { displayMode: mode } });
    });
    element.addEventListener("frame-size", () => this.tellSizes());
    this.showEmpty();
  }

  showEmpty() {
    if (this.turns.size > 0) return;
    const [title, text] = nextStep(this.state);
    this.element.replaceChildren(h("div", { class: "empty" }, h("b", null, title), text));
  }

  clear() {
    this.turns.clear();
    this.held = null;
    this.waiting = null;
    this.showEmpty();
  }

  /** What the page can tell of itself as a host. */
  context() {
    return pageContext(this.state, this.frameWidth());
  }

  frameWidth() {
    const style = getComputedStyle(this.element);
    const room = this.element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 2;
    const width = widthOf(this.state);
    const wanted = width === "fill" ? room : Number(width) || room;
    return Math.max(0, Math.floor(Math.min(room, wanted)));
  }

  resize() {
    const width = widthOf(this.state);
    this.element.style.setProperty("--turn-width", width === "fill" ? "100%" : `${width}px`);
    const now = this.frameWidth();
    if (now === this.width) return;
    this.width = now;
    this.tellSizes();
  }

  /** Tells each View the size it has, when it is another one than before. */
  tellSizes() {
    for (const turn of this.turns.values()) {
      const containerDimensions = this.dimensionsOf(turn);
      const told = JSON.stringify(containerDimensions);
      if (told === turn.told) continue;
      turn.told = told;
      this.socket.send({ type: "context", view: turn.view, changes: { containerDimensions } });
    }
  }

  /** In a chat a View may grow; in another display mode its frame is as large as it is. @param {ViewTurn} turn */
  dimensionsOf(turn) {
    const frame = turn.mode === "inline" ? null : turn.frame?.element;
    return frame ? { width: frame.clientWidth, height: frame.clientHeight } : dimensions(this.state, this.frameWidth());
  }

  /** @param {Json} changes */
  changeContext(changes) {
    if (this.turns.size > 0) this.socket.send({ type: "context", view: null, changes });
  }

  /** Tells every View its surroundings; what the host no longer has, such as a mode, ends. */
  changeSurroundings() {
    const { displayMode: _, ...context } = this.context();
    for (const turn of this.turns.values()) {
      const kept = this.state.host?.modes.includes(turn.mode) ? turn.mode : "inline";
      const mode = turn.mode === "inline" ? {} : { displayMode: kept };
      const containerDimensions = this.dimensionsOf(turn);
      turn.told = JSON.stringify(containerDimensions);
      this.socket.send({ type: "context", view: turn.view, changes: { ...context, containerDimensions, ...mode } });
    }
  }

  /** Asks for another display mode of the newest View; it may not support it. @param {Mode} mode */
  setMode(mode) {
    const turn = [...this.turns.values()].at(-1);
    if (turn?.frame) this.socket.send({ type: "context", view: turn.view, changes: { displayMode: mode } });
  }

  /** Brings every View back into the chat. */
  leaveModes() {
    for (const { mode, view } of this.turns.values()) {
      if (mode !== "inline") this.socket.send({ type: "context", view, changes: { displayMode: "inline" } });
    }
  }

  /**
   * Writes a part of the arguments of a tool whose call is held until they are complete.
   *
   * @param {import("./protocol.js").Tool} tool
   * @param {{ args: Json, complete: boolean }} written
   */
  write(tool, written) {
    if (this.held) {
      this.socket.send({ type: "write", view: this.held, arguments: written.args, complete: written.complete });
      if (written.complete) this.held = null;
    } else if (this.waiting) {
      this.waiting = written;
    } else {
      this.waiting = written;
      this.socket.send({
        type: "call",
        tool: tool.name,
        server: tool.server,
        arguments: written.args,
        context: this.context(),
        hold: true,
      });
    }
  }

  /** Lets go of a View that still waits for its arguments. */
  release() {
    this.held = null;
    this.waiting = null;
  }

  /** Mounts every View anew, as a chat does that is opened again. */
  reloadAll() {
    for (const view of this.turns.keys()) this.socket.send({ type: "reload", view });
  }

  /** Presses a button of the newest View. @param {"cancel" | "teardown" | "reload" | "close"} type */
  press(type) {
    const view = [...this.turns.keys()].at(-1);
    if (view) this.socket.send({ type, view });
  }

  /** @param {ToPage} message */
  receive(message) {
    if (message.type === "opened") {
      const turn = new ViewTurn();
      const before = this.turns.get(message.view);
      if (this.turns.size === 0) this.element.replaceChildren();
      this.turns.set(message.view, turn);
      turn.open(message);
      turn.setMode(this.state.mode);
      turn.told = JSON.stringify(dimensions(this.state, this.frameWidth()));
      if (message.hold && this.waiting) {
        const { waiting } = this;
        this.waiting = null;
        this.held = message.view;
        this.socket.send({ type: "write", view: message.view, arguments: waiting.args, complete: waiting.complete });
        if (waiting.complete) this.held = null;
      }
      before?.unmount("it is shown anew", false);
      if (before) before.replaceWith(turn);
      else this.element.append(turn);
      this.element.scrollTop = turn.offsetTop - this.element.offsetTop - 16;
      return;
    }
    const turn = "view" in message && message.view !== null ? this.turns.get(message.view) : undefined;
    if (message.type === "note") {
      this.note(message);
    } else if (turn) {
      this.tell(turn, message);
    }
  }

  /**
   * @param {ViewTurn} turn
   * @param {ToPage} message
   */
  tell(turn, message) {
    switch (message.type) {
      case "mount":
        turn.mount(message, (mount) => this.newFrame(mount));
        this.panel.csp.setPolicy(turn.view, turn.uri, message.declared, message.policy);
        break;
      case "reserve":
        turn.reserve(this.newFrame(message));
        break;
      case "send": {
        if (turn.frame?.mount.frame === message.frame) turn.frame.post(message.message);
        const size = JSON.stringify(message.message).length;
        if (message.message.method === "ui/notifications/sandbox-resource-ready") turn.html = String(message.message.params?.html ?? "");
        this.log(turn.view, "out", ...describe(turn.view, "out", message.message, size), message.message, size);
        return;
      }
      case "reveal":
        turn.reveal();
        break;
      case "resize":
        turn.resize(message.width, message.height);
        break;
      case "mode":
        turn.setMode(message.mode);
        this.tellSizes();
        if (turn === [...this.turns.values()].at(-1)) {
          this.element.dispatchEvent(new CustomEvent("view-mode", { detail: message.mode, bubbles: true }));
        }
        break;
      case "unmount":
        turn.unmount(message.reason, message.replaced);
        break;
      case "step":
        turn.step(message);
        break;
      case "violation":
        turn.block(message);
        this.panel.csp.add(message);
        if (!isHarmless(message)) this.log(turn.view, "bad", `${message.directive} blocked ${message.blocked}`, message.line ? `:${message.line}` : "", message);
        break;
      case "outdated":
        turn.offer();
        break;
      case "ask":
        turn.ask(message);
        break;
      case "finished":
        // A call may be cancelled while its input is written.
        if (this.held === turn.view) this.held = null;
        turn.finish(message);
        this.panel.model.add(`result · ${turn.view}`, message.error ?? contentText(message.result?.content));
        break;
      case "model":
        this.panel.model.add(
          `${message.kind === "context" ? "context for later turns" : "said by the View"} · ${turn.view}`,
          [contentText(message.params.content), message.params.structuredContent && JSON.stringify(message.params.structuredContent, null, 2)].filter(Boolean).join("\n"),
          message.kind === "context" ? turn.view : undefined);
        break;
      case "app-tools":
        this.panel.model.offer(turn.view, message.tools, (call, name, args) =>
          this.socket.send({ type: "call-app-tool", view: turn.view, call, name, arguments: args }));
        break;
      case "app-tool-result":
        this.panel.model.add(`result of the View's tool · ${turn.view}`, message.error
          ? JSON.stringify(message.error) : contentText(message.result?.content));
        break;
      case "closed":
        if (this.held === turn.view) this.held = null;
        this.panel.model.offer(turn.view, [], () => {});
        this.turns.delete(turn.view);
        turn.remove();
        this.panel.csp.forget(turn.view);
        this.showEmpty();
        break;
      default:
        console.warn("the page does not know this message", message);
    }
    this.panel.counts();
  }

  /** @param {import("./protocol.js").Mount | import("./protocol.js").Reserve} mount */
  newFrame(mount) {
    const { view, frame } = mount;
    return new Frame(mount, {
      posted: (text, message) => {
        if (this.socket.full) return false;
        this.socket.sendText(text);
        this.log(view, "in", ...describe(view, "in", message, text.length), message, text.length);
        return true;
      },
      reported: (report) => this.report(view, frame, report),
      dropped: (count, reason) => this.socket.send({ type: "dropped", view, frame, count, reason }),
    });
  }

  /**
   * @param {string} view
   * @param {number} frame
   * @param {SandboxReport} report
   */
  report(view, frame, { kind, detail }) {
    this.socket.send({ type: "probe", view, frame, kind, detail: detail ?? {} });
  }

  /** @param {import("./protocol.js").Note} note */
  note(note) {
    const { view, level, text, detail } = note;
    const line = detail?.line;
    this.panel.console.add(level, text, line ? `${view}:${line}` : view ?? "host");
    // What a View writes to its console stays in the console.
    const written = detail?.text === text;
    if (level !== "info" && !written) this.log(view ?? "", "bad", text, line ? `:${line}` : "", note);
    this.panel.counts();
  }

  /**
   * @param {string} view
   * @param {"in" | "out" | "bad"} way
   * @param {string} label
   * @param {string} note
   * @param {any} message
   * @param {number} [size]
   */
  log(view, way, label, note, message, size = 0) {
    this.panel.log.add({ at: performance.now(), view, way, label, note, size, message });
  }
}

/** What to do while there is no View. @param {State} state @returns {[title: string, text: string]} */
function nextStep({ connected, server, tools }) {
  if (!connected) {
    return server
      ? ["No connection to mcpapps dev", "When it has ended, start it again: the page connects by itself."]
      : ["Connecting…", "The page waits for mcpapps dev."];
  }
  if (tools.length === 0) {
    return ["This server has no tools", "Register one and save: the list follows by itself. When a tool should be there already, the server's output in the terminal says why it is not."];
  }
  if (!tools.some((tool) => tool.view)) {
    return ["No tool has a View", "A tool gets one by _meta.ui.resourceUri, the URI of its UI resource. Called without one, its result is shown here as it is."];
  }
  return ["No View yet", "Pick a tool with the mark View and call it: its View appears here as in a chat."];
}
