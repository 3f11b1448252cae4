/** Phones up to this width, in px (docs/product.md §3.2). */
export const PHONE_WIDTH_PX = 768

/** The on-screen keyboard is open when the window is lower than this share of its outer height (docs/product.md §3.7). */
export const KEYBOARD_HEIGHT_RATIO = 0.8
export const isKeyboardVisible = (height: number, outerHeight: number): boolean =>
  height < outerHeight * KEYBOARD_HEIGHT_RATIO

/** Delays after the keyboard opens, ms: the page scrolls to its top, then to the focused field (docs/product.md §3.7). */
export const KEYBOARD_TOP_DELAY_MS = 100
export const KEYBOARD_FOCUS_DELAY_MS = 300
