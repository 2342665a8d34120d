/** Values that nobody can be late for: a promise one can settle, and a stream that remembers. */

/**
 * @template T
 * @typedef {object} Deferred
 * @property {Promise<T>} _promise An unread rejection never surfaces.
 * @property {(value: T) => void} _resolve
 * @property {(reason: unknown) => void} _reject
 */

/**
 * Mark a promise as read, so that its rejection is never "unhandled".
 * @template T
 * @param {Promise<T>} promise
 */
export const quiet = (promise) => {
  promise.catch(() => {});
  return promise;
};

/** Whatever the page's own code throws is shown and stops nothing else. */
export const attempt = async (/** @type {() => unknown} */ run) => {
  try {
    await run();
  } catch (error) {
    console.error(error);
  }
};

/**
 * @template T
 * @returns {Deferred<T>}
 */
export const deferred = () => {
  const self = /** @type {any} */ ({});
  self._promise = quiet(
    new Promise((resolve, reject) => {
      self._resolve = resolve;
      self._reject = reject;
    }),
  );
  return self;
};

/**
 * A linked list of promises: a reader who comes late starts at the oldest value still kept, and one
 * who is slow misses nothing.
 * @template T
 * @param {number} keep How many values a late reader gets.
 */
export const createStream = (keep) => {
  /** @typedef {Deferred<[T] | void> & { _next?: any }} Node */
  /** @type {Node} */
  let head = deferred();
  let tail = head;
  return {
    /** @param {T} value */
    _push(value) {
      const filled = tail;
      tail = filled._next = deferred();
      filled._resolve([value]);
      if (--keep < 0) head = head._next;
    },
    _end() {
      tail._resolve();
    },
    /** @returns {AsyncGenerator<T, void, undefined>} */
    async *[Symbol.asyncIterator]() {
      for (let node = head, item; (item = await node._promise); node = node._next) yield item[0];
    },
  };
};
