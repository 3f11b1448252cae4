import { KEYBOARD_FOCUS_DELAY_MS, KEYBOARD_TOP_DELAY_MS, isKeyboardVisible, PHONE_WIDTH_PX } from './nav.ts'

// Hides the bottom bar while the on-screen keyboard is up, and brings the field being typed in into view (docs/product.md §3.7).
// Where the keyboard shrinks the window (Android, asked for by `interactive-widget` in Head.astro) that is all; where it
// is laid over the page (iOS) only the visual viewport tells, and dialogs learn from `--keyboard` how much it covers.

const root = document.documentElement
const viewport = window.visualViewport

/** The window's height without what a keyboard covers; pinching in does not count. */
const windowHeight = () => (viewport ? Math.min(innerHeight, viewport.height * viewport.scale) : innerHeight)

let isVisible = false
/** Where the page stood when a dialog's field called the keyboard: behind a dialog nobody asked it to move. */
let scrollBeforeKeyboard: number | undefined

function updateKeyboard() {
  const height = windowHeight()
  const now = innerWidth <= PHONE_WIDTH_PX && isKeyboardVisible(height, outerHeight)
  root.style.setProperty('--keyboard', now ? `${Math.max(0, Math.round(innerHeight - height))}px` : '0px')
  if (now === isVisible) return
  isVisible = now
  root.toggleAttribute('data-keyboard', isVisible)
  if (!isVisible) {
    if (scrollBeforeKeyboard !== undefined) scrollTo({ top: scrollBeforeKeyboard, behavior: 'instant' })
    scrollBeforeKeyboard = undefined
    return
  }
  const field = document.activeElement
  if (!(field instanceof HTMLElement) || !field.matches('input, textarea, select, [contenteditable]')) return
  if (field.closest('dialog')) scrollBeforeKeyboard = scrollY
  setTimeout(() => scrollTo({ top: 0, behavior: 'smooth' }), KEYBOARD_TOP_DELAY_MS)
  setTimeout(() => field.scrollIntoView({ block: 'center', behavior: 'smooth' }), KEYBOARD_FOCUS_DELAY_MS)
}

addEventListener('resize', updateKeyboard)
viewport?.addEventListener('resize', updateKeyboard)
