// @ts-check
/**
 * One mounted View: the outer frame on the sandbox's origin, its messages in order, and a limit on
 * how much a View may say.
 *
 * A message counts only when it comes from the frame's own window and from its origin. What the
 * View posts to other windows, or in the name of others, never gets here.
 */

/** @typedef {import("./protocol.js").Mount} Mount */
/** @typedef {import("./protocol.js").Reserve} Reserve */
/** @typedef {import("./protocol.js").SandboxReport} SandboxReport */

const MESSAGE_MAX = 4 * 2 ** 20;
const BURST = 1000;
const RATE = 200;
const BYTES_BURST = 32 * 2 ** 20;
const BYTES_RATE = 8 * 2 ** 20;

/** Refills with time, up to `burst`; spending may go below zero once. */
class Allowance {
  /** @param {number} burst @param {number} rate per second */
  constructor(burst, rate) {
    this.burst = burst;
    this.rate = rate;
    this.left = burst;
    this.at = performance.now();
  }

  get open() {
    const now = performance.now();
    this.left = Math.min(this.burst, this.left + ((now - this.at) / 1000) * this.rate);
    this.at = now;
    return this.left > 0;
  }
}

export class Frame {
  /**
   * @param {Mount | Reserve} mount
   * @param {object} hooks
   * @param {(text: string, message: any) => boolean} hooks.posted takes a View's message and its
   *   JSON inside a `posted` envelope; false when it cannot be taken now
   * @param {(report: SandboxReport) => void} hooks.reported
   * @param {(count: number, reason: string) => void} hooks.dropped
   */
  constructor(mount, hooks) {
    this.mount = mount;
    this.hooks = hooks;
    /** What a frame in reserve said; only its proxy page is there to speak. @type {MessageEvent[]} */
    this.kept = [];
    this.idle = mount.type === "reserve";
    this.origin = new URL(mount.url).origin;
    this.messages = new Allowance(BURST, RATE);
    this.bytes = new Allowance(BYTES_BURST, BYTES_RATE);
    /** How many messages were dropped for which reason, since it was last told. @type {Map<string, number>} */
    this.lost = new Map();

    const element = document.createElement("iframe");
    element.title = `View of ${mount.view}`;
    element.setAttribute("sandbox", outerTokens(mount.sandbox));
    if (mount.allow) element.setAttribute("allow", mount.allow);
    // Hidden but laid out: a View may measure itself before the handshake is over.
    element.style.visibility = "hidden";
    element.src = mount.url;
    this.element = element;
  }

  /** Lets a frame in reserve begin. */
  begin() {
    this.idle = false;
    for (const event of this.kept.splice(0)) this.take(event);
  }

  /** @param {unknown} message */
  post(message) {
    this.element.contentWindow?.postMessage(message, this.origin);
  }

  /**
   * Takes an event of the page's window; false when it is not of this frame.
   *
   * @param {MessageEvent} event
   */
  take(event) {
    if (event.source !== this.element.contentWindow) return false;
    if (event.origin !== this.origin) return true;
    if (this.idle) {
      this.kept = [event];
      return true;
    }
    if (!this.messages.open) return this.drop("it sends too many");
    if (!this.bytes.open) return this.drop("it sends too much");
    this.messages.left -= 1;
    const data = event.data;
    if (data?.channel === this.mount.channel) {
      this.hooks.reported(data);
      return true;
    }
    let text;
    try {
      const { view, frame } = this.mount;
      text = JSON.stringify({ type: "posted", view, frame, message: data ?? null });
    } catch {
      return this.drop("it is no JSON");
    }
    this.bytes.left -= text.length;
    if (text.length > MESSAGE_MAX) return this.drop(`it is larger than ${MESSAGE_MAX} characters`);
    if (!this.hooks.posted(text, data)) return this.drop("too much waits to be sent");
    return true;
  }

  /** @param {string} reason */
  drop(reason) {
    if (this.lost.size === 0) {
      setTimeout(() => {
        for (const [why, count] of this.lost) this.hooks.dropped(count, why);
        this.lost.clear();
      }, 500);
    }
    this.lost.set(reason, (this.lost.get(reason) ?? 0) + 1);
    return true;
  }
}

/**
 * The inner frame can have no right that the outer one lacks; the outer one never gets the right
 * to take the page away.
 *
 * @param {string} inner
 */
function outerTokens(inner) {
  const tokens = new Set(["allow-scripts", "allow-same-origin", ...inner.split(/\s+/)]);
  const kept = [...tokens].filter((token) => token && !token.startsWith("allow-top-navigation"));
  return kept.join(" ");
}
