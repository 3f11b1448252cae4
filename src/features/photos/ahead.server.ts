import { photoName } from './photos.ts'
import { type Format, type Render, renderPhoto } from './render.server.ts'

/** What a list asks of every photo at once, in the formats that browsers name. */
const OF_ALL: [Render, Format][] = (['avif', 'webp'] as const).flatMap((format) =>
  ([1, 2] as const).map((scale): [Render, Format] => [{ box: 'card', scale }, format]),
)
/** A dog's page opens on its cover. */
const OF_COVER: [Render, Format][] = [[{ box: 'carousel', scale: 1 }, 'avif']]
/** Photos that may wait; those of a larger wave are rendered when somebody looks at them. */
const AHEAD_MAX = 200

interface Task {
  dataDir: string
  name: string
  isCover: boolean
}
const tasks: Task[] = []
let working: Promise<void> | null = null

/**
 * Has the renders of new photos made before anybody asks for them, one after another and only while nobody waits for a
 * picture. Returns at once; what is there already costs nothing.
 * @param images in order, the cover first
 */
export function renderAhead(dataDir: string, images: readonly { url: string }[]): void {
  const added = images.flatMap(({ url }, index): Task[] => {
    const name = photoName(url)
    return name ? [{ dataDir, name, isCover: index === 0 }] : []
  })
  tasks.push(...added.slice(0, AHEAD_MAX - tasks.length))
  void begin()
}

function begin(): Promise<void> {
  working ??= work().then(() => {
    working = null
    return tasks.length > 0 ? begin() : undefined
  })
  return working
}

/** Resolves when nothing is left to be made ahead, for tests. */
export const aheadDone = (): Promise<void> => working ?? Promise.resolve()

async function work(): Promise<void> {
  for (let task = tasks.shift(); task; task = tasks.shift()) {
    const { dataDir, name, isCover } = task
    for (const [render, format] of isCover ? [...OF_ALL, ...OF_COVER] : OF_ALL) {
      const picture = await renderPhoto(dataDir, name, render, format, 'ahead').catch(() => null)
      // The photo is gone again, or broken, which was logged.
      if (!picture) break
    }
  }
}
