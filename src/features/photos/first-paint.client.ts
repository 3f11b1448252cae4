/** However slow its photos are, nothing waits longer for them, milliseconds; card.css knows it too. */
const FIRST_PAINT_TIMEOUT_MS = 4000

/** Resolves when the photo can be painted, or never will be. */
const whenDecoded = (photo: HTMLImageElement) => photo.decode().catch(() => {})
const nextFrame = () => new Promise((done) => requestAnimationFrame(done))

async function whenEagerPhotosPainted(within: ParentNode): Promise<void> {
  await Promise.all([...within.querySelectorAll<HTMLImageElement>('img[loading=eager]')].map(whenDecoded))
  // The next frame paints them; in the one after it they are on the screen.
  await nextFrame()
  await nextFrame()
}

/** Resolves when the first photos within (those that do not load lazily) are on the screen, after four seconds at the latest. */
export const whenFirstPhotosPainted = (within: ParentNode): Promise<unknown> =>
  Promise.race([whenEagerPhotosPainted(within), new Promise((done) => setTimeout(done, FIRST_PAINT_TIMEOUT_MS))])
