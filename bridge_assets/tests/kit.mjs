/** What the tests share: the bridge under test (sources, or the build when MCPAPPS_BRIDGE names it) and a host for it. */

import { createHost } from "../test-host/index.js";

export const bridge = await import(process.env.MCPAPPS_BRIDGE ?? "../bridge/index.js");

/** A View and its host; `host` are the host's options, the rest are the View's. */
export const pair = ({ host: hostOptions = {}, ...options } = {}) => {
  const host = createHost({ strict: true, ...hostOptions });
  const view = bridge.connect({ name: "clock", version: "1.2.0", target: host.target, source: host.source, ...options });
  return { host, view };
};

/** After every message that is under way now has been handled. */
export const settled = async () => {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** All values of an async iterable. */
export const collect = async (iterable) => {
  const values = [];
  for await (const value of iterable) values.push(value);
  return values;
};

/** Silence and count what is written to one console method. */
export const quietly = (t, method) => t.mock.method(console, method, () => {}).mock;
