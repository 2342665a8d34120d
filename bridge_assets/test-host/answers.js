/** What a host answers when the test says nothing else. */

/** @typedef {Record<string, any>} Params */

/** An error that this host answers with, or that the View answered with. */
export class RpcError extends Error {
  /** @param {string} message @param {number} [code] @param {unknown} [data] */
  constructor(message, code = -32000, data) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }
}

/**
 * @param {() => Params} context The host context now.
 * @returns {Record<string, object | ((params: Params) => unknown)>}
 */
export const defaultAnswers = (context) => ({
  "ui/request-display-mode": (/** @type {Params} */ { mode }) => {
    const { availableDisplayModes = [mode], displayMode = "inline" } = context();
    return { mode: availableDisplayModes.includes(mode) ? mode : displayMode };
  },
  "tools/call": { content: [] },
  "tools/list": { tools: [] },
  "resources/list": { resources: [] },
  "resources/templates/list": { resourceTemplates: [] },
  "resources/read": (/** @type {Params} */ { uri }) => ({ contents: [{ uri, text: "" }] }),
  "ui/open-link": {},
  "ui/message": {},
  "ui/update-model-context": {},
  "ui/download-file": {},
  ping: {},
});
