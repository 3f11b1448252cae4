import type { ClientDirective } from 'astro'

const SIGNS = ['pointerover', 'touchstart', 'focusin', 'keydown'] as const

/** However slow its photos are, an island waits no longer for them, milliseconds. */
const PATIENCE = 4000

/** Resolves when the photo can be painted, or never will be. */
const seen = (photo: HTMLImageElement) => photo.decode().catch(() => {})
const frame = () => new Promise((done) => requestAnimationFrame(done))

/**
 * `client:settled`: the island wakes when its first photos (those that do not load lazily) are painted and the browser has
 * nothing else to do, so that its code does not come in their way; at the first pointer, focus or key on it at once.
 */
const settled: ClientDirective = (load, _options, island) => {
  let waking: Promise<void> | undefined
  const wake = () => {
    waking ??= load().then((hydrate) => hydrate())
    for (const name of SIGNS) island.removeEventListener(name, wake)
  }
  for (const name of SIGNS) island.addEventListener(name, wake, { passive: true })
  // Safari has no requestIdleCallback.
  const whenIdle = () => ('requestIdleCallback' in window ? requestIdleCallback(wake) : setTimeout(wake, 200))
  const photos = [...island.querySelectorAll<HTMLImageElement>('img[loading=eager]')]
  const painted = async () => {
    await Promise.all(photos.map(seen))
    // The next frame paints them; in the one after it they are on the screen.
    await frame()
    await frame()
  }
  const patience = new Promise((done) => setTimeout(done, PATIENCE))
  void Promise.race([painted(), patience]).then(whenIdle)
}

export default settled
