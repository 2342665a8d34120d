// @ts-check
/** Inputs that the user keeps under a name, in this browser, by server and tool. */

/** @typedef {import("./protocol.js").Json} Json */
/** @typedef {{ name: string, args: Json }} Saved */

const EACH_MAX = 50;

/** @param {string} server @param {string} tool */
function keyOf(server, tool) {
  return `saved ${server} ${tool}`;
}

/** @param {string} server @param {string} tool @returns {Saved[]} */
export function savedInputs(server, tool) {
  try {
    const found = JSON.parse(localStorage.getItem(keyOf(server, tool)) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one?.name === "string" && typeof one.args === "object") : [];
  } catch {
    return [];
  }
}

/** Keeps an input; one of the same name is replaced. @param {string} server @param {string} tool @param {Saved} input */
export function saveInput(server, tool, input) {
  const others = savedInputs(server, tool).filter((one) => one.name !== input.name);
  write(server, tool, [...others, input].slice(-EACH_MAX));
}

/** @param {string} server @param {string} tool @param {string} name */
export function forgetInput(server, tool, name) {
  write(server, tool, savedInputs(server, tool).filter((one) => one.name !== name));
}

/** @param {string} server @param {string} tool @param {Saved[]} inputs */
function write(server, tool, inputs) {
  try {
    localStorage.setItem(keyOf(server, tool), JSON.stringify(inputs));
  } catch (error) {
    console.warn("the input is not saved", error);
  }
}
