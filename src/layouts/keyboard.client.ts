import { KEYBOARD_FOCUS_DELAY_MS, KEYBOARD_TOP_DELAY_MS, isKeyboardVisible, PHONE_WIDTH_PX } from './keyboard.ts'

// Hides the bottom bar while the on-screen keyboard is open, and scrolls the focused field into view (docs/product.md §3.7). On
// Android the keyboard shrinks the window (`interactive-widget` in Head.astro). On iOS it covers the page: only the visual viewport
// shows that, and `--keyboard` tells dialogs the covered height.

const root = document.documentElement
const viewport = window.visualViewport

/** The window's height without what a keyboard covers; pinch zoom does not count. */
const windowHeight = () => (viewport ? Math.min(innerHeight, viewport.height * viewport.scale) : innerHeight)

let isVisible = false
/** Scroll position when a dialog's field opened the keyboard: the page behind a dialog must not move. */
let scrollBeforeKeyboard: number | undefined

function updateKeyboard() {
  const height = windowHeight()
  const isOpen = innerWidth <= PHONE_WIDTH_PX && isKeyboardVisible(height, outerHeight)
  root.style.setProperty('--keyboard', isOpen ? `${Math.max(0, Math.round(innerHeight - height))}px` : '0px')
  if (isOpen === isVisible) return
  isVisible = isOpen
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
