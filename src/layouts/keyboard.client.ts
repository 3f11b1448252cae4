import { KEYBOARD_FOCUS_DELAY, KEYBOARD_TOP_DELAY, keyboardVisible, PHONE_WIDTH } from './nav.ts'

// Hides the bottom bar while the on-screen keyboard is up, and brings the field being typed in into view (spec.md §4).

/** The window's height: browsers that lay the keyboard over the page shrink only the visual viewport. */
function windowHeight(): number {
  const view = window.visualViewport
  return view ? Math.min(innerHeight, view.height * view.scale) : innerHeight
}

let visible = false

function update() {
  const now = innerWidth <= PHONE_WIDTH && keyboardVisible(windowHeight(), outerHeight)
  if (now === visible) return
  visible = now
  document.documentElement.toggleAttribute('data-keyboard', visible)
  if (!visible) return
  const field = document.activeElement
  if (!(field instanceof HTMLElement) || !field.matches('input, textarea, select, [contenteditable]')) return
  setTimeout(() => scrollTo({ top: 0, behavior: 'smooth' }), KEYBOARD_TOP_DELAY)
  setTimeout(() => field.scrollIntoView({ block: 'center', behavior: 'smooth' }), KEYBOARD_FOCUS_DELAY)
}

addEventListener('resize', update)
window.visualViewport?.addEventListener('resize', update)
