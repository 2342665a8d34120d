// @ts-check
/** Making JSON of a text that ends in the middle, as a host does while a model still writes. */

/**
 * Returns the object that the beginning of its JSON already tells, or null before its first brace.
 *
 * What is open is closed; a key without a value, and a word or an escape that is not finished, is
 * left out.
 *
 * @param {string} text
 * @returns {{ [key: string]: any } | null}
 */
export function heal(text) {
  for (let end = text.length; end > 0; end -= 1) {
    const begun = text.slice(0, end);
    try {
      return JSON.parse(begun + closers(begun));
    } catch {
      // One character less.
    }
  }
  return null;
}

/** What closes everything that is open. @param {string} text */
function closers(text) {
  /** @type {string[]} */
  const open = [];
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted) {
      if (character === "\\") at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{") open.push("}");
    else if (character === "[") open.push("]");
    else if (character === "}" || character === "]") open.pop();
  }
  return (quoted ? '"' : "") + open.reverse().join("");
}
