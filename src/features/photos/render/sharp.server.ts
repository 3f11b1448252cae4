import { availableParallelism } from 'node:os'
import sharp from 'sharp'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

// One thread per picture and as many pictures as cores: the same work with a fraction of the memory. libvips' operation
// cache would keep buffers of pictures that nobody asks for twice.
sharp.concurrency(1)
sharp.cache(false)

const CORES = availableParallelism()
/** So many may wait for a render, about three seconds' work. */
export const MAX_WAITING_RENDERS = 64 * CORES

interface RenderState {
  limiter: ConcurrencyLimiter
  /** Renders under way, by file. */
  inFlight: Map<string, Promise<Buffer | null>>
  /** Renders drawn since the start. */
  renderedCount: number
}

export const renderState: RenderState = {
  limiter: new ConcurrencyLimiter(CORES),
  inFlight: new Map(),
  renderedCount: 0,
}

export { sharp }
