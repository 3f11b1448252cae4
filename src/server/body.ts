import { AppError } from '#lib/errors.ts'
import { getEnv } from './env.ts'

const TOO_LARGE = 'La petición es demasiado grande.'
const TOO_SLOW = 'La petición ha tardado demasiado en llegar.'
const CUT = 'La petición ha llegado a medias.'
const TOO_MANY = 'Están llegando demasiadas fotos a la vez. Inténtalo dentro de un momento.'
const TOO_MANY_OF_ONE =
  'Estás enviando demasiadas fotos a la vez. Espera a que terminen las primeras e inténtalo de nuevo.'

/** A body gets this long, and beyond it what a bad mobile connection needs for the rest, ms and bytes a second. */
const PATIENCE = 20_000
const PACE = 20_000
/** Bytes of bodies on their way or at work, of everybody: what is sent drop by drop stays in memory until it is whole. */
const HELD_MOST = 128 * 1024 * 1024
/** The same of one network: one upload at its largest and some ordinary ones. */
const HELD_MOST_OF_ONE = 64 * 1024 * 1024
let held = 0
const RETRY_SECONDS = 5
const heldOf = new Map<string, number>()

/** Counts `bytes` (negative: gives them back). */
function hold(bytes: number, network: string | undefined): void {
  held += bytes
  if (network === undefined) return
  const own = (heldOf.get(network) ?? 0) + bytes
  if (own > 0) heldOf.set(network, own)
  else heldOf.delete(network)
}

const sizeOf = (chunks: readonly Uint8Array[]): number => chunks.reduce((sum, chunk) => sum + chunk.length, 0)

/** How long a body of at most `limit` bytes may take, ms. */
const timeFor = (limit: number): number => Math.min(getEnv().requestSeconds * 1000, PATIENCE + (limit / PACE) * 1000)

/**
 * The body as bytes, refused past `limit` while it streams in, so that a lie in Content-Length costs nothing, and given up
 * where it takes longer than so much needs.
 * @throws AppError 413; 400 for one that breaks off; 408 for one that dawdles; 503 while too much is on its way
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, release } = await takeBody(request, limit)
  release()
  return bytes
}

/** A body whose bytes count among those that are held until they are released. */
export interface TakenBody {
  bytes: Uint8Array<ArrayBuffer>
  release: () => void
}

/**
 * `readBody` for what is kept while something long is done with it.
 * @param network who sends it; left out, only what everybody sends is bounded
 * @throws AppError also 429 while too much of this network is on its way
 */
export async function takeBody(request: Request, limit: number, network?: string): Promise<TakenBody> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new AppError(413, TOO_LARGE)
  if (!request.body) return { bytes: new Uint8Array(), release: () => {} }
  const reader = (request.body as ReadableStream<Uint8Array>).getReader()
  let chunks: Uint8Array[] = []
  let size = 0
  let refused: AppError | undefined
  let isLate = false
  let wake = () => {}
  const timer = setTimeout(() => {
    isLate = true
    wake()
  }, timeFor(limit))
  // Not Promise.race: whatever it was given is held until the last of its promises settles, all pieces of a body too.
  const next = () =>
    new Promise<ReadableStreamReadResult<Uint8Array>>((done, fail) => {
      wake = () => fail(new AppError(408, TOO_SLOW))
      if (isLate) wake()
      else reader.read().then(done, fail)
    })
  const giveUp = () => {
    hold(-sizeOf(chunks), network)
    chunks = []
  }
  try {
    for (;;) {
      const { value, done } = await next()
      if (done) break
      size += value.length
      if (size > limit) throw new AppError(413, TOO_LARGE)
      // The rest is read and thrown away: who is cut off while sending never learns why.
      if (refused) continue
      hold(value.length, network)
      chunks.push(value)
      refused = refusalOf(network)
      if (refused) giveUp()
    }
    if (refused) throw refused
  } catch (error) {
    giveUp()
    // Who hangs up while sending is told nothing, and is no fault of ours that a log should hold.
    if (!(error instanceof AppError)) throw new AppError(400, CUT)
    if (error.status === 413) void reader.cancel().catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  chunks = []
  let isReleased = false
  const release = () => {
    if (isReleased) return
    isReleased = true
    hold(-size, network)
  }
  return { bytes: all, release }
}

/** Whether too much is held: one network's own share is its own doing, the whole is nobody's. */
function refusalOf(network: string | undefined): AppError | undefined {
  if (network !== undefined && heldOf.get(network)! > HELD_MOST_OF_ONE)
    return new AppError(429, TOO_MANY_OF_ONE, { retryAfter: RETRY_SECONDS })
  return held > HELD_MOST ? new AppError(503, TOO_MANY, { retryAfter: RETRY_SECONDS }) : undefined
}
