// @ts-check
/** Making elements: text goes in as text, never as markup. */

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {{ [name: string]: unknown }} Props
 */

/**
 * Returns an element. A prop that starts with `on` is a listener, `true` an empty attribute;
 * `null`, `undefined` and `false` leave it out; `value` and `checked` are set as properties.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name === "value" || name === "checked") {
      Object.assign(element, { [name]: value });
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...nodes(children));
  return element;
}

/** @param {Child[]} children */
export function nodes(children) {
  return children.filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/** @param {string} css */
export function sheet(css) {
  const made = new CSSStyleSheet();
  made.replaceSync(css);
  return made;
}

const COMMON = sheet(`
  :host { display: block; }
  :host([hidden]) { display: none; }
  * { box-sizing: border-box; }
  h2 { font-size: 11px; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); margin: 14px 14px 6px; font-weight: 600; }
  code, pre { font: 12px/1.5 var(--mono); }
  .chip { font-size: 11px; background: var(--chip); color: var(--soft); border-radius: 20px; padding: 1px 7px; white-space: nowrap; }
  .chip:empty { display: none; }
  .grow { flex: 1; }
  .row { display: flex; gap: 8px; flex-wrap: wrap; }
  button { font: 500 13px var(--sans); padding: 6px 12px; border-radius: 8px; border: 1px solid var(--line); background: transparent; color: var(--ink); cursor: pointer; }
  button:hover:enabled { background: var(--chip); }
  button:disabled { opacity: .5; cursor: default; }
  button.main { font-weight: 600; border-color: var(--accent); background: var(--accent); color: var(--panel); }
  button.main:hover:enabled { background: color-mix(in srgb, var(--accent) 88%, var(--ink)); }
  button.link { border: 0; padding: 0; background: none; color: var(--accent); font-weight: 400; }
  button.link:hover:enabled { background: none; text-decoration: underline; }
  input, select, textarea { font: 13px var(--sans); padding: 5px 8px; border: 1px solid var(--line); border-radius: 7px; background: var(--bg); color: var(--ink); min-width: 0; }
  textarea { font: 12px/1.5 var(--mono); resize: vertical; }
  input[type="checkbox"] { flex: none; width: 14px; height: 14px; margin: 0; accent-color: var(--accent); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
  ::placeholder { color: var(--soft); opacity: 1; }
`);

/** A visible part of the page: an element with an open shadow root and its own styles. */
export class Part extends HTMLElement {
  /** @type {CSSStyleSheet} */
  static css = sheet("");

  constructor() {
    super();
    this.root = this.attachShadow({ mode: "open" });
    const own = /** @type {typeof Part} */ (this.constructor).css;
    this.root.adoptedStyleSheets = [COMMON, own];
  }

  /**
   * Replaces everything in the part; what had the focus has it again when it is still there.
   *
   * @param {...Child} children
   */
  draw(...children) {
    const last = this.root.activeElement;
    const path = last ? pathOf(last) : [];
    this.root.replaceChildren(...nodes(children));
    if (!last) return;
    const now = path.reduce((/** @type {ParentNode | undefined} */ at, index) => at?.children[index], this.root);
    if (!(now instanceof HTMLElement) || nameOf(now) !== nameOf(last)) return;
    now.focus({ preventScroll: true });
    if (now instanceof HTMLInputElement && last instanceof HTMLInputElement && now.value === last.value && last.selectionStart !== null) {
      now.setSelectionRange(last.selectionStart, last.selectionEnd);
    }
  }

  /**
   * Tells the page that the user wants something.
   *
   * @param {string} name
   * @param {unknown} [detail]
   */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/**
 * A text with quotes in it whose quoted parts keep to themselves: words written from right to left
 * do not turn the punctuation around them.
 *
 * @param {string} text
 * @returns {Child[]}
 */
export function isolated(text) {
  return text.split(/("(?:[^"\\]|\\.)*"?)/).map((part) => (part.startsWith('"') ? h("bdi", null, part) : part));
}

/** The way to an element: its place in each parent below the shadow root. @param {Element} element */
function pathOf(element) {
  const path = [];
  for (let at = element; at.parentNode; at = /** @type {Element} */ (at.parentNode)) {
    path.unshift([...at.parentNode.children].indexOf(at));
    if (at.parentNode instanceof ShadowRoot) break;
  }
  return path;
}

/** What tells a control from another one in its place. @param {Element} element */
function nameOf(element) {
  return [element.localName, element.getAttribute("name"), element.getAttribute("aria-label"), element.localName === "button" && element.textContent].join();
}

/** A button that copies a text and says so. @param {string} text @param {string} [label] */
export function copyButton(text, label = "copy") {
  const button = h("button", { type: "button", class: "link" }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      // A browser without permission, or a forwarded page without TLS.
      button.textContent = "not allowed to copy";
    }
  });
  return button;
}
