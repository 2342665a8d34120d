// @ts-check
/** Keys of the page, while nobody is typing. */

/** @typedef {{ [action: string]: () => void }} Actions */

/**
 * @param {{ reload: () => void, call: () => void, theme: () => void, filter: () => void, escape: () => void, help: () => void }} actions
 * @param {() => boolean} isElsewhere whether a dialog has the keys
 */
export function bindKeys(actions, isElsewhere) {
  /** @type {Actions} */
  const keys = {
    r: actions.reload,
    c: actions.call,
    t: actions.theme,
    "/": actions.filter,
    "?": actions.help,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere()) return;
    const target = event.composedPath()[0];
    if (event.key === "Escape") {
      // In a search field it takes the words away.
      if (!(target instanceof HTMLInputElement && target.value)) actions.escape();
      return;
    }
    if (target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select")) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
