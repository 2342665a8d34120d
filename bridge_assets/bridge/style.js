/** The host's look: theme, style variables and fonts, applied to this document. */

/** @import { HostContext } from "./protocol.js" */

/** @type {HTMLStyleElement} */
let sheet;
/** The variables that were applied last. @type {object} */
let applied = {};

/** @param {HostContext} context */
export const applyStyles = ({ theme, styles: { variables = {}, css } = {} }) => {
  const { dataset, style } = document.documentElement;
  if (theme) dataset.theme = style.colorScheme = theme;
  // A variable that the host no longer sends falls back to the page's own.
  for (const name in { ...applied, ...variables }) style.setProperty(name, variables[name] ?? null);
  applied = variables;

  const fonts = css?.fonts ?? "";
  sheet ??= document.head.appendChild(document.createElement("style"));
  if (sheet.textContent != fonts) sheet.textContent = fonts;
};
