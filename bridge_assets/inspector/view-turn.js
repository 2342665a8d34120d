// @ts-check
/** One turn of the conversation: a tool call, its ladder, its View, its buttons. */

import { Part, h, isolated, sheet } from "./dom.js";
import { NOTICE_CSS, blockedNotice, brokenNotice, isHarmless, outdatedNotice } from "./notice.js";
import { askNotice } from "./question.js";
import { FIELDS_CSS } from "./fields.js";
import { StepLadder } from "./ladder.js";
import { STEPS } from "./protocol.js";

/** @typedef {import("./protocol.js").Opened} Opened */
/** @typedef {import("./protocol.js").Mount} Mount */
/** @typedef {import("./protocol.js").Step} Step */
/** @typedef {import("./protocol.js").Violation} Violation */
/** @typedef {import("./protocol.js").Ask} Ask */
/** @typedef {import("./protocol.js").Json} Json */
/** @typedef {import("./protocol.js").Mode} Mode */
/** @typedef {import("./frame.js").Frame} Frame */

const NOTICES_MAX = 2;
/** Milliseconds in which what has changed is drawn together: a View that is being mounted needs the time. */
const TOGETHER = 150;

export class ViewTurn extends Part {
  static css = sheet(`
    :host { max-width: calc(var(--turn-width, 720px) + 2px); margin: 0 auto 28px; display: grid; gap: 12px; grid-template-columns: minmax(0, 1fr); }
    .notices { display: grid; gap: 10px; grid-template-columns: minmax(0, 1fr); }
    .notices:empty { display: none; }
    .bubble { justify-self: end; background: var(--chip); border-radius: 14px 14px 4px 14px; padding: 7px 12px; overflow-wrap: anywhere; }
    .box { position: relative; border: 1px solid var(--line); border-radius: 14px; background: var(--panel); overflow: hidden; }
    .head { display: flex; gap: 8px; align-items: center; padding: 6px 12px; border-bottom: 1px solid var(--line); color: var(--soft); font-size: 12px; min-height: 32px; }
    .head > span:first-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .head button { flex: none; padding: 1px 8px; font-size: 12px; }
    .size { white-space: nowrap; }
    iframe { display: block; border: 0; width: 100%; height: 150px; color-scheme: light; }
    /* Laid out as they will be, under what is seen until then. */
    iframe.spare, iframe.coming { position: absolute; left: 0; right: 0; bottom: 0; pointer-events: none; }
    iframe.leaving { pointer-events: none; }
    .plain { padding: 14px 16px; color: var(--soft); }
    .answer { padding: 12px 14px; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 40vh; overflow: auto; }
    .borderless { border-style: dashed; }
    /* What is asked and what is broken stays in sight; the View has the rest. */
    :host([mode="fullscreen"]) { position: absolute; inset: 0; z-index: 3; margin: 0; max-width: none; display: flex; flex-direction: column; gap: 0; background: var(--bg); }
    :host([mode="fullscreen"]) :is(step-ladder, .bubble, .buttons) { display: none; }
    :host([mode="fullscreen"]) .notices:not(:empty) { padding: 10px; max-height: 50%; overflow: auto; }
    :host([mode="fullscreen"]) .box { flex: 1; min-height: 0 !important; border-radius: 0; border: 0; display: flex; flex-direction: column; }
    :host([mode="fullscreen"]) iframe { flex: 1; height: auto !important; min-width: 0 !important; }
    :host([mode="pip"]) .box { min-height: 0 !important; position: absolute; right: 16px; bottom: 16px; z-index: 4; width: 340px; max-width: calc(100% - 32px); box-shadow: 0 8px 30px rgb(0 0 0 / .25); }
    :host([mode="pip"]) .chip { display: none; }
    :host([mode="pip"]) iframe { height: 220px !important; min-width: 0 !important; }
    .row { justify-content: center; }
    ${NOTICE_CSS}
    ${FIELDS_CSS}
  `);

  constructor() {
    super();
    /** @type {Map<string, Step>} */
    this.steps = new Map();
    /** @type {Map<string, { violation: Violation, count: number }>} */
    this.violations = new Map();
    /** @type {Map<number, Ask>} */
    this.asks = new Map();
    /** @type {Map<number, HTMLElement>} */
    this.cards = new Map();
    /** @type {Frame | null} */
    this.frame = null;
    /** The next frame, as far as it can be without its document. @type {Frame | null} */
    this.spare = null;
    /** What is seen of the last frame. @type {HTMLElement | null} */
    this.leaving = null;
    this.view = "";
    this.uri = "";
    this.html = "";
    /** @type {Json | null} */
    this.declared = null;
    /** The size that the View was last told, as JSON. */
    this.told = "";
    this.running = true;
    this.outdated = false;
    this.timer = 0;
    this.size = h("span", { class: "size" });
    this.sizes = new ResizeObserver(([entry]) => {
      const { width, height } = entry.contentRect;
      this.size.textContent = `${Math.round(width)} × ${Math.round(height)}`;
      if (this.mode !== "inline") this.emit("frame-size");
    });
  }

  /** @returns {Mode} */
  get mode() {
    return /** @type {Mode} */ (this.getAttribute("mode") ?? "inline");
  }

  /** @param {Opened} opened */
  open(opened) {
    this.view = opened.view;
    this.uri = opened.uri ?? "";
    this.setAttribute("aria-label", `Call of ${opened.tool}`);
    this.setAttribute("role", "article");
    this.ladder = new StepLadder();
    this.notices = h("div", { class: "notices" });
    this.questions = h("div", { class: "notices", "aria-live": "polite" });
    this.chip = h("span", { class: "chip" });
    this.back = h("button", { type: "button", hidden: true, onclick: () => this.emit("set-view-mode", { view: this.view, mode: "inline" }) }, "Back to inline");
    this.body = h("div", { class: "body" }, h("div", { class: "plain" }, opened.hold ? "Waiting for the input…" : this.uri ? "Mounting…" : "Calling…"));
    this.body.style.display = "contents";
    this.cancel = h("button", { type: "button", onclick: () => this.press("cancel") }, "Cancel");
    this.draw(
      this.ladder,
      this.notices,
      h("div", { class: "bubble", dir: "auto" }, h("bdi", null, opened.tool), ...isolated(argumentsText(opened.arguments))),
      this.box = h("div", { class: "box", tabindex: "-1" },
        h("div", { class: "head" }, h("span", null, this.uri || opened.tool), this.chip, h("span", { class: "grow" }), this.size, this.back),
        this.body),
      this.questions,
      h("div", { class: "row buttons" },
        this.cancel,
        this.uri && h("button", { type: "button", onclick: () => this.press("teardown") }, "Teardown"),
        this.uri && h("button", { type: "button", onclick: () => this.press("reload") }, "Reload"),
        this.uri && h("button", { type: "button", title: "Mount every View anew, with its input and result", onclick: () => this.emit("reload-all") }, "Reload conversation"),
        h("button", { type: "button", onclick: () => this.press("close") }, "Close")));
    this.ladder.render(this.steps);
    // A tool without a View climbs nothing; one that cannot be found breaks a step.
    this.ladder.hidden = !this.uri;
  }

  /** @param {"cancel" | "call-again" | "teardown" | "reload" | "close"} action */
  press(action) {
    this.emit("press", { type: action, view: this.view });
  }

  /** Loads a frame out of sight that the next `mount` may use. @param {Frame} frame */
  reserve(frame) {
    this.spare?.element.remove();
    this.spare = frame;
    frame.element.className = "spare";
    this.body?.append(frame.element);
  }

  /**
   * @param {Mount} mount
   * @param {(mount: Mount) => Frame} create
   */
  mount(mount, create) {
    const { spare } = this;
    this.spare = null;
    // One that was moved or taken away has lost its page.
    const ready = spare?.mount.frame === mount.frame && spare.element.isConnected;
    const frame = ready ? spare : create(mount);
    this.declared = mount.declared;
    this.frame = frame;
    if (this.chip) this.chip.textContent = mount.own ? "own origin" : "opaque origin";
    this.box?.classList.toggle("borderless", mount.border === false);
    if (!ready) {
      spare?.element.remove();
      this.body?.append(frame.element);
    }
    frame.element.className = this.leaving ? "coming" : "";
    if (!this.leaving) this.settle();
    this.sizes.observe(frame.element);
    frame.begin();
  }

  /** Shows nothing but the frame. */
  settle() {
    this.leaving = null;
    for (const child of [...(this.body?.children ?? [])]) {
      if (child !== this.frame?.element && child !== this.spare?.element) child.remove();
    }
    if (this.frame) this.frame.element.className = "";
  }

  /** @param {string} reason @param {boolean} replaced whether another frame follows at once */
  unmount(reason, replaced) {
    this.sizes.disconnect();
    const last = this.frame?.element;
    this.frame = null;
    this.size.textContent = "";
    this.outdated = false;
    this.steps.clear();
    this.violations.clear();
    this.asks.clear();
    this.cards.clear();
    if (replaced && last && !this.leaving) {
      // Nothing below moves, and no scroll position is lost, before the new size is known.
      if (this.box) this.box.style.minHeight = `${this.box.offsetHeight}px`;
      this.leaving = last;
      last.className = "leaving";
    } else if (replaced && last) {
      last.remove();
    } else {
      this.leaving = null;
      this.spare = null;
      this.release();
      this.body?.replaceChildren(h("div", { class: "plain" }, `Unmounted: ${reason}`));
    }
    this.update();
  }

  reveal() {
    if (!this.frame) return;
    this.frame.element.style.visibility = "visible";
    if (this.leaving) this.settle();
  }

  /** Lets the box be as high as its frame. */
  release() {
    if (this.box) this.box.style.minHeight = "";
  }

  /** @param {number | null} width @param {number | null} height */
  resize(width, height) {
    const style = this.frame?.element.style;
    if (!style) return;
    if (height !== null) style.height = `${height}px`;
    // A fixed width would take the View's chance to follow a narrower page.
    if (width !== null) style.minWidth = `min(${width}px, 100%)`;
    if (!this.leaving) this.release();
  }

  /** @param {string} mode */
  setMode(mode) {
    this.toggleAttribute("mode", mode !== "inline");
    if (mode !== "inline") this.setAttribute("mode", mode);
    if (this.back) this.back.hidden = mode === "inline";
  }

  /** @param {Step} step */
  step(step) {
    this.steps.set(step.step, step);
    if (step.state === "broken" && this.leaving) this.settle();
    if (step.state === "broken" || step.step === "painted") this.release();
    if (this.ladder) this.ladder.hidden = false;
    this.update();
  }

  /** @param {Violation} violation */
  block(violation) {
    if (isHarmless(violation)) return;
    const key = `${violation.directive} ${violation.blocked}`;
    const known = this.violations.get(key);
    this.violations.set(key, { violation: known?.violation ?? violation, count: (known?.count ?? 0) + 1 });
    this.update();
  }

  /** Offers another call. */
  offer() {
    this.outdated = true;
    this.update();
  }

  /** @param {Ask} ask */
  ask(ask) {
    this.asks.set(ask.request, ask);
    this.update();
  }

  /** @param {{ result?: Json, error?: string }} outcome */
  finish(outcome) {
    this.running = false;
    if (this.cancel) this.cancel.disabled = true;
    if (this.uri) return;
    const text = outcome.error ?? JSON.stringify(outcome.result, null, 2);
    this.body?.replaceChildren(h("pre", { class: "answer", tabindex: "0", dir: "auto" }, text));
  }

  /** Draws what has changed, soon. */
  update() {
    if (this.timer === 0) this.timer = setTimeout(() => this.redraw(), TOGETHER);
  }

  redraw() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.ladder?.render(this.steps);
    const broken = STEPS.map((name) => this.steps.get(name)).find((step) => step?.state === "broken");
    const blocked = [...this.violations.values()];
    const more = blocked.length - NOTICES_MAX;
    this.notices?.replaceChildren(
      ...(broken ? [brokenNotice(broken, this)] : []),
      ...(this.outdated ? [outdatedNotice(() => this.press("call-again"))] : []),
      ...blocked.slice(0, NOTICES_MAX).map(({ violation, count }) => blockedNotice(violation, this, count)),
      ...(more > 0 ? [h("div", null, `${more} more under CSP.`)] : []));
    const cards = [...this.asks.values()].map((ask) => this.cards.get(ask.request) ?? this.card(ask));
    // Somebody may be typing in one: nothing is moved that is in its place already.
    const shown = [...(this.questions?.children ?? [])];
    if (cards.length !== shown.length || cards.some((card, at) => card !== shown[at])) this.questions?.replaceChildren(...cards);
  }

  /** A card is made once: what is typed in it stays. @param {Ask} ask */
  card(ask) {
    const made = askNotice(ask, (allowed, result) => {
      this.asks.delete(ask.request);
      this.cards.delete(ask.request);
      const focused = this.root.activeElement;
      this.redraw();
      // Whoever answers by keyboard goes on here, and not from the top of the page.
      if (focused && !focused.isConnected) {
        const next = /** @type {HTMLElement | null | undefined} */ (this.questions?.querySelector("button"));
        (next ?? this.box)?.focus({ preventScroll: true });
      }
      this.emit("answer", { view: this.view, request: ask.request, allowed, result });
    });
    this.cards.set(ask.request, made);
    return made;
  }
}

/** @param {Json} args */
function argumentsText(args) {
  const list = Object.entries(args).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const text = `(${list.join(", ")})`;
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}

customElements.define("view-turn", ViewTurn);
