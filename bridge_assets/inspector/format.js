// @ts-check
/** Values in few characters. */

/** @param {number} bytes */
export function bytes(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const EXCERPT_MAX = 100;

/**
 * A line of a document with a mark under a column, cut to what can be read; null without the line.
 *
 * @param {string} html
 * @param {number} line from 1
 * @param {number} column from 1
 */
export function excerpt(html, line, column) {
  const text = html.split("\n", line)[line - 1]?.trimEnd();
  if (!text) return null;
  const at = Math.min(Math.max(column - 1, 0), text.length - 1);
  const from = Math.max(at < EXCERPT_MAX ? Math.min(text.search(/\S/), at) : at - EXCERPT_MAX / 2, 0);
  return `${text.slice(from, from + EXCERPT_MAX)}\n${" ".repeat(at - from)}^`;
}
