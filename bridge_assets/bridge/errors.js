/** The errors of the bridge; each is a `BridgeError`, so that one `catch` can tell them from the page's own. */

/** @import { CallToolResult } from "./protocol.js" */

/**
 * One kind of error. Its name is data, because class names do not survive minification.
 * @param {string} name
 * @param {any} Base
 * @returns {any}
 */
const kind = (name, Base = BridgeError) => {
  class Kind extends Base {
    constructor(/** @type {string} */ message, /** @type {object} */ fields) {
      super(message);
      Object.assign(this, fields);
    }
  }
  Kind.prototype.name = name;
  return Kind;
};

/** @typedef {Error} BridgeError */
/**
 * Whatever went wrong between this View and its host.
 * @type {new (message: string, fields?: object) => BridgeError}
 */
export const BridgeError = kind("BridgeError", Error);

/** @typedef {BridgeError & { code: number, data?: unknown }} HostError */
/**
 * The host answered a request with an error, or declined it with an `isError` result. `code` is the
 * JSON-RPC error code, -32000 for a result, which has none; `data` is the error's data, or the
 * whole result.
 * @type {new (message: string, fields: { code: number, data?: unknown }) => HostError}
 */
export const HostError = kind("HostError");

/** @typedef {BridgeError & { result: CallToolResult }} ToolError */
/**
 * A tool that this View called answered with `isError`; `result` is what it answered.
 * @type {new (message: string, fields: { result: CallToolResult }) => ToolError}
 */
export const ToolError = kind("ToolError");

/** @typedef {BridgeError & { reason?: string }} ToolCancelled */
/**
 * The tool call that this View renders was cancelled; `reason` is the host's, when it gave one.
 * @type {new (message: string, fields: { reason?: string }) => ToolCancelled}
 */
export const ToolCancelled = kind("ToolCancelled");

/** @typedef {BridgeError & { capability: string }} CapabilityError */
/**
 * The host does not advertise the `capability` that a method needs; nothing was sent.
 * @type {new (message: string, fields: { capability: string }) => CapabilityError}
 */
export const CapabilityError = kind("CapabilityError");

/** @typedef {BridgeError & { timeout: number }} TimeoutError */
/**
 * The host did not answer within `timeout` milliseconds.
 * @type {new (message: string, fields: { timeout: number }) => TimeoutError}
 */
export const TimeoutError = kind("TimeoutError");

/**
 * @typedef {object} FileFault
 * @property {"cancelled" | "file_too_large" | "file_type_not_accepted"} reason
 * @property {number} [size] Bytes.
 * @property {number} [maxSize] Bytes.
 * @property {string} [mediaType]
 * @property {string[]} [accept]
 */
/** @typedef {BridgeError & FileFault} FileError */
/**
 * The user chose no file, or one that the page cannot take.
 * @type {new (message: string, fields: FileFault) => FileError}
 */
export const FileError = kind("FileError");
