// @ts-check
/** The WebSocket to the process, reconnecting, with a limit on what may wait to be sent. */

/** @typedef {import("./protocol.js").ToPage} ToPage */
/** @typedef {import("./protocol.js").FromPage} FromPage */

const WAITING_MAX = 16 * 2 ** 20;
const RETRY_FIRST = 250;
const RETRY_MAX = 4000;

export class Socket {
  /**
   * @param {(message: ToPage) => void} onMessage
   * @param {(connected: boolean) => void} onState
   */
  constructor(onMessage, onState) {
    this.onMessage = onMessage;
    this.onState = onState;
    this.retry = RETRY_FIRST;
    /** Under which the process knows this page, once it has said so. */
    this.page = "";
    /** @type {WebSocket | null} */
    this.socket = null;
  }

  connect() {
    // A forwarded page may be served over HTTPS, and then may not use a plain WebSocket.
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket?page=${this.page}`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.retry = RETRY_FIRST;
      this.onState(true);
    });
    socket.addEventListener("message", (event) => this.onMessage(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      this.onState(false);
      setTimeout(() => this.connect(), this.retry);
      this.retry = Math.min(this.retry * 2, RETRY_MAX);
    });
  }

  /** Whether so much waits that a View's message has to be dropped. */
  get full() {
    return (this.socket?.bufferedAmount ?? 0) > WAITING_MAX;
  }

  /** @param {FromPage} message */
  send(message) {
    this.sendText(JSON.stringify(message));
  }

  /** @param {string} text */
  sendText(text) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
  }
}
