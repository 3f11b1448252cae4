import { availableParallelism } from 'node:os'
import type sharp from 'sharp'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

/** Thrown where a render cannot be made now: too many requests wait for one already, or the library cannot be loaded. */
export class RenderQueueFull extends Error {}

let loading: Promise<typeof sharp> | undefined
let isMissing = false

/** The library. With libvips it takes 10 MB, which a process has to have from its first picture on. @throws RenderQueueFull */
export const loadSharp = async (): Promise<typeof sharp> => {
  if (isMissing) throw new RenderQueueFull()
  return (loading ??= import('sharp').then(configure))
}

/** From now on nothing loads the library: on a processor that it is not built for that may end the process. */
export const markSharpMissing = (value = true): void => void (isMissing = value)
export const isSharpMissing = (): boolean => isMissing

/**
 * One thread per picture and as many pictures as cores: the same throughput with a fraction of the memory. libvips' operation cache
 * would keep buffers of pictures that are rendered once.
 */
function configure({ default: library }: { default: typeof sharp }): typeof sharp {
  library.concurrency(1)
  library.cache(false)
  return library
}

/** Pictures that are rendered at once. */
export const CORES = availableParallelism()
/** Requests that may wait for a render, about three seconds' work. */
export const MAX_WAITING_RENDERS = 64 * CORES

interface RenderState {
  limiter: ConcurrencyLimiter
  /** Running renders by file and priority. */
  inFlight: Map<string, Promise<Buffer | null>>
  /** Renders created since the start. */
  renderedCount: number
}

export const renderState: RenderState = {
  limiter: new ConcurrencyLimiter(CORES),
  inFlight: new Map(),
  renderedCount: 0,
}
