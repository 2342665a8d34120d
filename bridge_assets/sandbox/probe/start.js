import { watchConsole } from "./console.js";
import { watchErrors } from "./error.js";
import { watchListeners } from "./listener.js";
import { watchNetwork } from "./network.js";
import { watchPaint } from "./paint.js";
import { openProbe } from "./report.js";
import { watchStorage } from "./storage.js";

/**
 * @param {string} channel the secret under which the proxy accepts the reports
 * @param {string[]} declared origins the View may connect to
 */
export function startProbe(channel, declared) {
  document.currentScript?.remove();
  const probe = openProbe(channel);
  watchErrors(probe);
  watchConsole(probe);
  watchStorage(probe);
  watchNetwork(probe, declared);
  watchPaint(probe);
  watchListeners(probe);
  probe.listen("DOMContentLoaded", () => probe.report("loaded", { by: "probe" }));
}
