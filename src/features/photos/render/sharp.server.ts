import { availableParallelism } from 'node:os'
import sharp from 'sharp'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

// One thread per picture and as many pictures as cores: the same throughput with a fraction of the memory. libvips' operation
// cache would keep buffers of pictures that are rendered once.
sharp.concurrency(1)
sharp.cache(false)

const CORES = availableParallelism()
/** Requests that may wait for a render, about three seconds' work. */
export const MAX_WAITING_RENDERS = 64 * CORES

interface RenderState {
  limiter: ConcurrencyLimiter
  /** Running renders by file. */
  inFlight: Map<string, Promise<Buffer | null>>
  /** Renders created since the start. */
  renderedCount: number
}

export const renderState: RenderState = {
  limiter: new ConcurrencyLimiter(CORES),
  inFlight: new Map(),
  renderedCount: 0,
}

export { sharp }
