/** Nothing waits longer than this for the first photos; card.css has the same value. */
const FIRST_PAINT_TIMEOUT_MS = 4000

/** Resolves when the photo can be painted, or has failed to load. */
const whenDecoded = (photo: HTMLImageElement) => photo.decode().catch(() => {})
const nextFrame = () => new Promise((done) => requestAnimationFrame(done))

async function whenEagerPhotosPainted(within: ParentNode): Promise<void> {
  await Promise.all([...within.querySelectorAll<HTMLImageElement>('img:not([loading=lazy])')].map(whenDecoded))
  // The next frame paints them; the one after it shows them.
  await nextFrame()
  await nextFrame()
}

/** Resolves when the photos of `within` that do not load lazily are on screen, or after FIRST_PAINT_TIMEOUT_MS. */
export const whenFirstPhotosPainted = (within: ParentNode): Promise<unknown> =>
  Promise.race([whenEagerPhotosPainted(within), new Promise((done) => setTimeout(done, FIRST_PAINT_TIMEOUT_MS))])
