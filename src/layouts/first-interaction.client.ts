/** What nobody needs to see a page waits for somebody to be there, or for this long, milliseconds. */
const INTERACTION_TIMEOUT_MS = 6000

const INTERACTION_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const

/** The first pointer, key or focus on the page, or the end of patience. */
export const firstInteraction = new Promise<void>((done) => {
  const end = () => done()
  for (const name of INTERACTION_EVENTS) addEventListener(name, end, { once: true, passive: true })
  setTimeout(end, INTERACTION_TIMEOUT_MS)
})
