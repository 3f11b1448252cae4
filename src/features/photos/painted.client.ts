/** However slow its photos are, nothing waits longer for them, milliseconds; card.css knows it too. */
const PATIENCE = 4000

/** Resolves when the photo can be painted, or never will be. */
const seen = (photo: HTMLImageElement) => photo.decode().catch(() => {})
const frame = () => new Promise((done) => requestAnimationFrame(done))

async function painted(within: ParentNode): Promise<void> {
  await Promise.all([...within.querySelectorAll<HTMLImageElement>('img[loading=eager]')].map(seen))
  // The next frame paints them; in the one after it they are on the screen.
  await frame()
  await frame()
}

/** Resolves when the first photos within (those that do not load lazily) are on the screen, after four seconds at the latest. */
export const firstPainted = (within: ParentNode): Promise<unknown> =>
  Promise.race([painted(within), new Promise((done) => setTimeout(done, PATIENCE))])
