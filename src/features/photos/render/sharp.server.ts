import { availableParallelism } from 'node:os'
import type sharp from 'sharp'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

let loading: Promise<typeof sharp> | undefined

/** The library. With libvips it takes 10 MB, which a process has to have from its first picture on. */
export const loadSharp = (): Promise<typeof sharp> => (loading ??= import('sharp').then(configure))

/**
 * One thread per picture and as many pictures as cores: the same throughput with a fraction of the memory. libvips' operation cache
 * would keep buffers of pictures that are rendered once.
 */
function configure({ default: library }: { default: typeof sharp }): typeof sharp {
  library.concurrency(1)
  library.cache(false)
  return library
}

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
