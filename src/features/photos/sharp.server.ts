import { availableParallelism } from 'node:os'
import sharp from 'sharp'

// One thread per picture and as many pictures as cores: the same work with a fraction of the memory. libvips' operation
// cache would keep buffers of pictures that nobody asks for twice.
sharp.concurrency(1)
sharp.cache(false)

const CORES = availableParallelism()
/** Above this many pixels a picture runs alone: what cannot be read in strips (WebP, progressive JPEG) sits whole in memory. */
const HEAVY = 16_000_000

let running = 0
const waiting: { weight: number; start: () => void }[] = []

function next(): void {
  const first = waiting[0]
  if (!first || running + first.weight > CORES) return
  waiting.shift()
  running += first.weight
  first.start()
  next()
}

/** Runs `work` when there is room, first come first served: at most one picture per core, a huge one by itself. */
export async function withRoom<T>(pixels: number, work: () => Promise<T>): Promise<T> {
  const weight = pixels > HEAVY ? CORES : 1
  await new Promise<void>((start) => {
    waiting.push({ weight, start })
    next()
  })
  try {
    return await work()
  } finally {
    running -= weight
    next()
  }
}

export { sharp }
