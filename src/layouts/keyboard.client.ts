import { KEYBOARD_FOCUS_DELAY, KEYBOARD_TOP_DELAY, keyboardVisible, PHONE_WIDTH } from './nav.ts'

// Hides the bottom bar while the on-screen keyboard is up, and brings the field being typed in into view (docs/product.md §3.7).
// Where the keyboard shrinks the window (Android, asked for by `interactive-widget` in Head.astro) that is all; where it
// is laid over the page (iOS) only the visual viewport tells, and dialogs learn from `--keyboard` how much it covers.

const root = document.documentElement
const view = window.visualViewport

/** The window's height without what a keyboard covers; pinching in does not count. */
const windowHeight = () => (view ? Math.min(innerHeight, view.height * view.scale) : innerHeight)

let visible = false
/** Where the page stood when a dialog's field called the keyboard: behind a dialog nobody asked it to move. */
let pageBefore: number | undefined

function update() {
  const height = windowHeight()
  const now = innerWidth <= PHONE_WIDTH && keyboardVisible(height, outerHeight)
  root.style.setProperty('--keyboard', now ? `${Math.max(0, Math.round(innerHeight - height))}px` : '0px')
  if (now === visible) return
  visible = now
  root.toggleAttribute('data-keyboard', visible)
  if (!visible) {
    if (pageBefore !== undefined) scrollTo({ top: pageBefore, behavior: 'instant' })
    pageBefore = undefined
    return
  }
  const field = document.activeElement
  if (!(field instanceof HTMLElement) || !field.matches('input, textarea, select, [contenteditable]')) return
  if (field.closest('dialog')) pageBefore = scrollY
  setTimeout(() => scrollTo({ top: 0, behavior: 'smooth' }), KEYBOARD_TOP_DELAY)
  setTimeout(() => field.scrollIntoView({ block: 'center', behavior: 'smooth' }), KEYBOARD_FOCUS_DELAY)
}

addEventListener('resize', update)
view?.addEventListener('resize', update)
