import { photoName } from '#features/photos/photos.ts'
import { type Format, type Render, renderPhoto } from './render.server.ts'

/** What a list asks of every photo at once, in the formats that browsers name. */
const CARD_RENDERS: [Render, Format][] = (['avif', 'webp'] as const).flatMap((format) =>
  ([1, 2] as const).map((scale): [Render, Format] => [{ box: 'card', scale }, format]),
)
/** A dog's page opens on its cover. */
const COVER_RENDERS: [Render, Format][] = [[{ box: 'carousel', scale: 1 }, 'avif']]
/** Photos that may wait; those of a larger wave are rendered when somebody looks at them. */
const MAX_QUEUED_PHOTOS = 200

interface PrerenderTask {
  dataDir: string
  name: string
  isCover: boolean
}
const tasks: PrerenderTask[] = []
let running: Promise<void> | null = null

/**
 * Has the renders of new photos made before anybody asks for them, one after another and only while nobody waits for a
 * picture. Returns at once; what is there already costs nothing.
 * @param images in order, the cover first
 */
export function prerenderPhotos(dataDir: string, images: readonly { url: string }[]): void {
  const added = images.flatMap(({ url }, index): PrerenderTask[] => {
    const name = photoName(url)
    return name ? [{ dataDir, name, isCover: index === 0 }] : []
  })
  tasks.push(...added.slice(0, MAX_QUEUED_PHOTOS - tasks.length))
  void startRunning()
}

function startRunning(): Promise<void> {
  running ??= runQueue().then(() => {
    running = null
    return tasks.length > 0 ? startRunning() : undefined
  })
  return running
}

/** Resolves when nothing is left to be made ahead, for tests. */
export const whenPrerendered = (): Promise<void> => running ?? Promise.resolve()

async function runQueue(): Promise<void> {
  for (let task = tasks.shift(); task; task = tasks.shift()) {
    const { dataDir, name, isCover } = task
    for (const [render, format] of isCover ? [...CARD_RENDERS, ...COVER_RENDERS] : CARD_RENDERS) {
      const picture = await renderPhoto(dataDir, name, render, format, 'ahead').catch(() => null)
      // The photo is gone again, or broken, which was logged.
      if (!picture) break
    }
  }
}
