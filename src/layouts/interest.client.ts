/** What nobody needs to see a page waits for somebody to be there, or for this long, milliseconds. */
const PATIENCE = 6000

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const

/** The first pointer, key or focus on the page, or the end of patience. */
export const interest = new Promise<void>((done) => {
  const end = () => done()
  for (const name of SIGNS) addEventListener(name, end, { once: true, passive: true })
  setTimeout(end, PATIENCE)
})
