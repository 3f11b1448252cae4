import { AppError } from '#lib/errors.ts'
import { getEnv } from './env.ts'

const TOO_LARGE = 'La petición es demasiado grande.'
const TOO_SLOW = 'La petición ha tardado demasiado en llegar.'
const CUT = 'La petición ha llegado a medias.'
const TOO_MANY = 'Están llegando demasiadas fotos a la vez. Inténtalo dentro de un momento.'

/** A body gets this long, and beyond it what a bad mobile connection needs for the rest, ms and bytes a second. */
const PATIENCE = 20_000
const PACE = 20_000
/** Bytes of bodies on their way at once, of everybody: what is sent drop by drop stays in memory until it is whole. */
const HELD_MOST = 128 * 1024 * 1024
let held = 0

const sizeOf = (chunks: readonly Uint8Array[]): number => chunks.reduce((sum, chunk) => sum + chunk.length, 0)

/** How long a body of at most `limit` bytes may take, ms. */
const timeFor = (limit: number): number => Math.min(getEnv().requestSeconds * 1000, PATIENCE + (limit / PACE) * 1000)

/**
 * The body as bytes, refused past `limit` while it streams in, so that a lie in Content-Length costs nothing, and given up
 * where it takes longer than so much needs.
 * @throws AppError 413; 400 for one that breaks off; 408 for one that dawdles; 503 while too much is on its way
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new AppError(413, TOO_LARGE)
  if (!request.body) return new Uint8Array()
  const reader = (request.body as ReadableStream<Uint8Array>).getReader()
  let chunks: Uint8Array[] = []
  let size = 0
  let isKept = true
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
  const giveUp = (): Uint8Array[] => {
    held -= sizeOf(chunks)
    isKept = false
    return []
  }
  try {
    for (;;) {
      const { value, done } = await next()
      if (done) break
      size += value.length
      if (size > limit) throw new AppError(413, TOO_LARGE)
      if (!isKept) continue
      held += value.length
      chunks.push(value)
      // The rest is read and thrown away: who is cut off while sending never learns why.
      if (held > HELD_MOST) chunks = giveUp()
    }
  } catch (error) {
    // Who hangs up while sending is told nothing, and is no fault of ours that a log should hold.
    if (!(error instanceof AppError)) throw new AppError(400, CUT)
    if (error.status === 413) void reader.cancel().catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
    if (isKept) held -= sizeOf(chunks)
  }
  if (!isKept) throw new AppError(503, TOO_MANY, { retryAfter: 5 })
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
