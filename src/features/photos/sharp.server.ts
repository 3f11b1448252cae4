import { availableParallelism } from 'node:os'
import sharp from 'sharp'
import { Room } from './room.ts'

// One thread per picture and as many pictures as cores: the same work with a fraction of the memory. libvips' operation
// cache would keep buffers of pictures that nobody asks for twice.
sharp.concurrency(1)
sharp.cache(false)

const CORES = availableParallelism()
/** Above this many pixels a picture runs alone: what cannot be read in strips (WebP, progressive JPEG) sits whole in memory. */
const HEAVY = 16_000_000
/** So many may wait for a render, about three seconds' work. */
export const LINE_MAX = 64 * CORES

interface Pictures {
  room: Room
  /** Renders under way, by file. */
  flights: Map<string, Promise<Buffer | null>>
  /** Renders drawn since the start. */
  drawn: number
}

/** On globalThis: the sources answer for photos, Astro's bundle takes uploads, and both use the same cores. */
const shared = globalThis as { [key: symbol]: Pictures | undefined }
export const pictures = (shared[Symbol.for('perrario.pictures')] ??= {
  room: new Room(CORES),
  flights: new Map(),
  drawn: 0,
})

/** Runs `work` when there is room, first come first served: at most one picture per core, a huge one by itself. */
export const withRoom = <T>(pixels: number, work: () => Promise<T>): Promise<T> =>
  pictures.room.run(work, { weight: pixels > HEAVY ? CORES : 1 })

export { sharp }
