import { inBackground } from '#lib/background.client.ts'
import { NEXT_PAGE_TOAST_KEY } from '#ui/toast/next-page-key.ts'

// Code that no page needs at its first paint.

/** What waits for the first interaction comes without one after this time, ms. */
const INTERACTION_TIMEOUT_MS = 6000

const INTERACTION_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const

/** Resolves at the first pointer, key or focus on the page, or after INTERACTION_TIMEOUT_MS. */
export const firstInteraction = new Promise<void>((done) => {
  const end = () => done()
  for (const name of INTERACTION_EVENTS) addEventListener(name, end, { once: true, passive: true })
  setTimeout(end, INTERACTION_TIMEOUT_MS)
})

// The dog form's frame, which is shown at the tap, comes once the page is loaded.
const loadFormFrame = () => inBackground(import('#features/dogs/form/loading-frame.client.ts'))
if (document.readyState === 'complete') loadFormFrame()
else addEventListener('load', loadFormFrame, { once: true })

// Toasts come with the first interaction: their live regions must exist before a message is added. They come at once where
// the page before left a message to show here, and what Back closes where one that was open has left its entry.
const loadRest = () => inBackground(import('./first-interaction.client.ts'))
const hasToast = (): boolean => {
  try {
    return sessionStorage.getItem(NEXT_PAGE_TOAST_KEY) !== null
  } catch {
    // Storage is blocked: no page leaves a message.
    return false
  }
}
if (hasToast() || history.state?.layerOver) loadRest()
else void firstInteraction.then(loadRest)
