/** @typedef {import("./report.js").Probe} Probe */

/**
 * Reports storage that the View reaches for and its opaque origin refuses.
 *
 * @param {Probe} probe
 */
export function watchStorage({ report, place }) {
  /**
   * @param {string} api
   * @param {string | undefined} stack
   */
  function refused(api, stack) {
    report("storage", { api, ...place(stack) });
  }

  /**
   * @param {object} owner
   * @param {string} name
   */
  function watchGetter(owner, name) {
    const property = Object.getOwnPropertyDescriptor(owner, name);
    const get = property?.get;
    if (!get || !property.configurable) return;
    Object.defineProperty(owner, name, {
      ...property,
      get: function reported() {
        try {
          return get.call(this);
        } catch (error) {
          refused(name, new Error().stack);
          throw error;
        }
      },
    });
  }

  watchGetter(window, "localStorage");
  watchGetter(window, "sessionStorage");
  watchGetter(Document.prototype, "cookie");
  if (typeof IDBFactory !== "function") return;
  const open = IDBFactory.prototype.open;
  /** @param {Parameters<IDBFactory["open"]>} args */
  IDBFactory.prototype.open = function reported(...args) {
    try {
      return open.apply(this, args);
    } catch (error) {
      refused("indexedDB", new Error().stack);
      throw error;
    }
  };
}
