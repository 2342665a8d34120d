import { observe } from "./observe.js";

/** @typedef {import("./report.js").Probe} Probe */

/**
 * Reports that something can be seen: the first contentful paint, and, once the result is there,
 * a text or a replaced box of at least one by one pixel inside the frame's viewport.
 *
 * @param {Probe} probe
 */
export function watchPaint({ parent, listen, later, report }) {
  const NODES_MAX = 5000;
  const LOOK_FOR = 6000;
  const LOOK_EVERY = 100;
  const RESULT = "ui/notifications/tool-result";
  const REPLACED = "img,svg,canvas,video,object,embed,iframe,input,button,select,textarea,meter,progress";
  let hasResult = false;

  /** @param {DOMRect} box */
  function isInViewport(box) {
    const width = Math.min(box.right, innerWidth) - Math.max(box.left, 0);
    const height = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0);
    return width >= 1 && height >= 1;
  }

  /** @param {Element | null} element */
  function isShown(element) {
    return element?.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) ?? true;
  }

  /** @param {Node} node */
  function isVisible(node) {
    if (node instanceof Text) {
      if (!node.data.trim() || !isShown(node.parentElement)) return false;
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].some(isInViewport);
    }
    if (!(node instanceof Element) || !isShown(node)) return false;
    if (node instanceof HTMLImageElement && node.naturalWidth === 0) return false;
    // The text of a shadow tree is not reached by the walker.
    const hasContent = node.matches(REPLACED) || Boolean(node.shadowRoot?.textContent?.trim());
    return hasContent && isInViewport(node.getBoundingClientRect());
  }

  /** @returns {string | null} what can be seen */
  function find() {
    if (!document.body) return null;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let seen = 0; seen < NODES_MAX; seen += 1) {
      const node = walker.nextNode();
      if (!node) return null;
      if (isVisible(node)) return node.nodeName.toLowerCase();
    }
    return null;
  }

  /** @param {number} until */
  function look(until) {
    const what = find();
    if (what) report("painted", { by: what, result: true });
    else if (performance.now() < until) later(() => look(until), LOOK_EVERY);
  }

  listen("message", (event) => {
    if (event.source !== parent || hasResult || event.data?.method !== RESULT) return;
    hasResult = true;
    // After the View has had its turn.
    later(() => look(performance.now() + LOOK_FOR), 0);
  });
  observe("paint", (entry) => {
    if (entry.name === "first-contentful-paint") {
      report("painted", { by: entry.name, result: hasResult });
    }
  });
}
