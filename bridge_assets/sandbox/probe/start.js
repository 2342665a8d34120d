import { watchConsole } from "./console.js";
import { watchErrors } from "./error.js";
import { watchListeners } from "./listener.js";
import { watchNetwork } from "./network.js";
import { watchPaint } from "./paint.js";
import { openProbe } from "./report.js";
import { watchStorage } from "./storage.js";

/** @param {string} channel */
export function startProbe(channel) {
  document.currentScript?.remove();
  const probe = openProbe(channel);
  watchErrors(probe);
  watchConsole(probe);
  watchStorage(probe);
  watchNetwork(probe);
  watchPaint(probe);
  watchListeners(probe);
  probe.listen("DOMContentLoaded", () => probe.report("loaded", { by: "probe" }));
}
