/** Reports of the content's size to the host: at most one a frame, and never an answer to itself. */

/** How far down the boxes of an element reach, in pixels of the viewport. @returns {number} */
const reach = (/** @type {Element} */ element) => {
  const { top, bottom } = element.getBoundingClientRect();
  const { overflowY, position } = getComputedStyle(element);
  // Fixed boxes hang on the viewport: counting them would keep the frame as high as it is.
  if (position == "fixed") return 0;
  if (overflowY != "visible") return bottom;
  return Math.max(bottom, top + element.scrollHeight, ...[...element.children].map(reach));
};

/** The height that shows everything, whatever the height of the frame is now. */
const measure = () => {
  const root = document.documentElement;
  // While something overflows, the browser knows; its answer is never less than the viewport.
  if (root.scrollHeight > root.clientHeight) return root.scrollHeight;
  const reaches = [...document.body.children].map(reach);
  // Page and body that are as high as the frame say nothing of the content. What is inside them and
  // fills them does: without them it would have no height at all.
  const auto = new CSSStyleSheet();
  auto.replaceSync("html,body{height:auto!important}");
  const { adoptedStyleSheets } = document;
  adoptedStyleSheets.push(auto);
  const { bottom } = root.getBoundingClientRect();
  adoptedStyleSheets.pop();
  return Math.ceil(Math.max(bottom, ...reaches));
};

/**
 * @param {(size: { width: number, height: number }) => void} report
 * @param {() => boolean} paused While true nothing is measured.
 * @returns {() => void} Measure again: something may have changed.
 */
export const watchSize = (report, paused) => {
  // As reported, and as last measured.
  let width = 0;
  let height = 0;
  let content = 0;
  let viewport = 0;
  /** Something in the page may have changed the content since. */
  let changed = true;
  let echoes = 0;
  /** @type {HTMLElement | undefined} */
  let watched;
  /** Of the check that is due; 0 when none is. @type {any} */
  let timer = 0;

  const check = () => {
    if (!timer) return;
    clearTimeout(timer);
    timer = 0;
    const { body } = document;
    // Zero makes the next measurement a report, whatever it is.
    if (paused() || !body || !innerWidth) return (height = 0);
    if (body != watched) sizes.observe((watched = body));
    const now = measure();
    const resized = innerHeight != viewport;
    const differs = now != content;
    // `100vh` and `height: 100%` follow the frame. When the content moved together with the frame and
    // with nothing else, a report would move both again, for ever. On a page that never rests
    // (an endless animation) the two cannot be told apart, so it may follow eight times in a row.
    if (differs) echoes = resized ? echoes + 1 : 0;
    const echo = resized && (echoes > 8 || !(changed || document.getAnimations().length));
    viewport = innerHeight;
    content = now;
    changed = false;
    // Borders and rounding make a frame that is a few pixels smaller than what was asked for.
    if (now && (!height || innerWidth != width || (differs && !echo && (now > height || now < height - 3))))
      report({ width: (width = innerWidth), height: (height = now) });
  };

  const schedule = () => {
    if (timer) return;
    requestAnimationFrame(check);
    // A frame that is hidden or off-screen is not drawn, yet must be able to grow.
    timer = setTimeout(check, 100);
  };
  const touch = () => {
    changed = true;
    schedule();
  };

  const sizes = new ResizeObserver(schedule);
  const root = document.documentElement;
  sizes.observe(root);
  new MutationObserver(touch).observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  for (const cause of ["load", "transitionend", "animationend"]) addEventListener(cause, touch, true);
  addEventListener("resize", schedule);
  schedule();
  return touch;
};
