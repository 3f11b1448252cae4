import { photoName } from '#features/photos/photos.ts'
import { hasRenderSpace } from './render-cache.server.ts'
import { type Format, type Render, renderPhoto } from './render.server.ts'

/** The renders that a list requests of every photo, in the formats that browsers name. */
const CARD_RENDERS: [Render, Format][] = (['avif', 'webp'] as const).flatMap((format) =>
  ([1, 2] as const).map((scale): [Render, Format] => [{ box: 'card', scale }, format]),
)
/** The render that a dog's page shows first. */
const COVER_RENDERS: [Render, Format][] = [[{ box: 'carousel', scale: 1 }, 'avif']]
/** Photos beyond this many are rendered on request. */
const MAX_QUEUED_PHOTOS = 200

interface PrerenderTask {
  dataDir: string
  name: string
  isCover: boolean
}
const tasks: PrerenderTask[] = []
let running: Promise<void> | null = null

/**
 * Renders new photos before they are requested, one after another and only while no request waits for a render. Returns at
 * once; existing renders cost only a read.
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

/** Resolves when the queue is empty, for tests. */
export const whenPrerendered = (): Promise<void> => running ?? Promise.resolve()

async function runQueue(): Promise<void> {
  for (let task = tasks.shift(); task; task = tasks.shift()) {
    const { dataDir, name, isCover } = task
    // It could not be stored.
    if (!(await hasRenderSpace(dataDir))) continue
    for (const [render, format] of isCover ? [...CARD_RENDERS, ...COVER_RENDERS] : CARD_RENDERS) {
      const picture = await renderPhoto(dataDir, name, render, format, { priority: 'prerender' }).catch(() => null)
      // The photo was deleted meanwhile, or is damaged, which was logged.
      if (!picture) break
    }
  }
}
