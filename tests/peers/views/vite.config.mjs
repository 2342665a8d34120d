// The other way to make one file of these Views, for the measurements.
import path from "node:path";
import { viteSingleFile } from "vite-plugin-singlefile";

const bridge = path.resolve(import.meta.dirname, "../../../bridge_assets/dist/bridge.mjs");

export default {
  plugins: [viteSingleFile()],
  resolve: { alias: { "mcpapps:bridge": bridge } },
  esbuild: { jsx: "automatic" },
  logLevel: "error",
};
