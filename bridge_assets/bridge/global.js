/** The bridge as the global `mcpapps`, for classic scripts; loading it again changes nothing. */

import {
  BridgeError,
  CapabilityError,
  connect,
  FileError,
  HostError,
  selectFile,
  selectFiles,
  TimeoutError,
  ToolCancelled,
  ToolError,
} from "./index.js";

/** @type {any} */ (globalThis).mcpapps ??= {
  BridgeError,
  CapabilityError,
  connect,
  FileError,
  HostError,
  selectFile,
  selectFiles,
  TimeoutError,
  ToolCancelled,
  ToolError,
};
