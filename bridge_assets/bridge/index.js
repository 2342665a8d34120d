/** The View half of MCP Apps: `import { connect } from "mcpapps:bridge"`. */

export { connect } from "./connect.js";
export {
  BridgeError,
  CapabilityError,
  FileError,
  HostError,
  TimeoutError,
  ToolCancelled,
  ToolError,
} from "./errors.js";
export { selectFile, selectFiles } from "./file.js";
