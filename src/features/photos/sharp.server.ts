import { availableParallelism } from 'node:os'
import sharp from 'sharp'
import { Room } from './room.ts'

// One thread per picture and as many pictures as cores: the same work with a fraction of the memory. libvips' operation
// cache would keep buffers of pictures that nobody asks for twice.
sharp.concurrency(1)
sharp.cache(false)

const CORES = availableParallelism()
/** So many may wait for a render, about three seconds' work. */
export const LINE_MAX = 64 * CORES

interface Pictures {
  room: Room
  /** Renders under way, by file. */
  flights: Map<string, Promise<Buffer | null>>
  /** Renders drawn since the start. */
  drawn: number
}

export const pictures: Pictures = { room: new Room(CORES), flights: new Map(), drawn: 0 }

export { sharp }
