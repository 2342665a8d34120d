/**
 * @param {string} type
 * @param {(entry: any) => void} take
 */
export function observe(type, take) {
  try {
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  } catch {
    // A browser without that kind of entry tells less.
  }
}
