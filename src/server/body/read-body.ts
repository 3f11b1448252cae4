import { AppError } from '#lib/errors.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { CHUNK_MIN_BYTES } from '#server/connections/limited-request.ts'
import { FairPool, type Hold, type Overload } from '#server/fair-pool.ts'

const TOO_LARGE = 'La petición es demasiado grande.'
const INCOMPLETE = 'La petición ha llegado a medias.'
const RETRY_AFTER_SECONDS = 5

const MIB = 1024 * 1024
const SMALL_BODY_MAX_BYTES = 64 * 1024
/** A body of at most n bytes may have n / CHUNK_MIN_BYTES + SPARE_CHUNKS chunks. */
const SPARE_CHUNKS = 2000
/** What a body grows by: at first little, so that thousands that have only begun take little memory. */
const FIRST_GROWTH_BYTES = 4 * 1024
const GROWTH_BYTES = 64 * 1024

/** The memory of bodies that arrive or are processed, and what a refused sender reads. */
interface BodyPool {
  pool: FairPool
  texts: Record<Overload, string>
}

/** For uploads. One network's share is one upload of the largest size and some ordinary ones. */
const largeBodies: BodyPool = {
  pool: new FairPool({ max: 128 * MIB, maxPerOwner: 64 * MIB, ownerGives: 'itself' }),
  texts: {
    owner: 'Estás enviando demasiadas fotos a la vez. Espera a que terminen las primeras e inténtalo de nuevo.',
    all: 'Están llegando demasiadas fotos a la vez. Inténtalo dentro de un momento.',
  },
}

/** For small bodies, so that no number of photos blocks a sign-in. One network's share is a thousand forms that have only begun. */
const smallBodies: BodyPool = {
  pool: new FairPool({ max: 16 * MIB, maxPerOwner: 4 * MIB, ownerGives: 'itself' }),
  texts: {
    owner: 'Estás enviando demasiadas peticiones a la vez. Inténtalo dentro de un momento.',
    all: 'Están llegando demasiadas peticiones a la vez. Inténtalo dentro de un momento.',
  },
}

/** A complete body whose bytes count towards the memory of all bodies until `release`. */
export interface HeldBody {
  bytes: Uint8Array<ArrayBuffer>
  /** Aborted, with the AppError as its reason, where the body gives way to others before `start`. */
  signal: AbortSignal
  /** From now on it gives way to none: decoded pictures are not discarded. */
  start: () => void
  release: () => void
}

/**
 * Reads the body. It is refused past `limit` bytes while it arrives, so that a wrong Content-Length costs nothing. Node's own
 * `requestTimeout` (REQUEST_SECONDS) bounds its time.
 * @param from the network that sends it; without it only the memory of all networks bounds it
 * @throws AppError 413, also for a body in too many small chunks; 400 for one that breaks off; 429 where this network holds too much
 *   memory, 503 where all together do
 */
export async function readBody(request: Request, limit: number, from?: string): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, release } = await holdBody(request, limit, from)
  release()
  return bytes
}

/** `readBody` for a body that stays in memory while it is processed. */
export async function holdBody(request: Request, limit: number, from?: string): Promise<HeldBody> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new AppError(413, TOO_LARGE)
  const { pool, texts } = limit <= SMALL_BODY_MAX_BYTES ? smallBodies : largeBodies
  const stop = new AbortController()
  const body = { buffer: new ArrayBuffer(0, { maxByteLength: limit }), signal: stop.signal }
  const hold = pool.hold(from && toSitePrefix(from), (why) => {
    body.buffer = new ArrayBuffer(0)
    stop.abort(new AppError(why === 'owner' ? 429 : 503, texts[why], { retryAfter: RETRY_AFTER_SECONDS }))
  })
  try {
    const bytes = request.body ? await receive(request.body, limit, body, hold) : new Uint8Array()
    return { bytes, signal: stop.signal, start: () => hold.pin(true), release: hold.release }
  } catch (error) {
    hold.release()
    throw error
  }
}

async function receive(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  body: { buffer: ArrayBuffer; signal: AbortSignal },
  hold: Hold,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader()
  let size = 0
  for (let chunks = 1; ; chunks++) {
    // A client that disconnects while sending is no error of ours: it is not logged.
    const { value, done } = await reader.read().catch(() => {
      throw new AppError(400, INCOMPLETE)
    })
    if (done) break
    if (size + value.length > limit || chunks > SPARE_CHUNKS + limit / CHUNK_MIN_BYTES) {
      void reader.cancel().catch(() => {})
      throw new AppError(413, TOO_LARGE)
    }
    const end = size + value.length
    if (end > body.buffer.byteLength) {
      const growth = Math.min(GROWTH_BYTES, body.buffer.byteLength || FIRST_GROWTH_BYTES)
      const length = Math.min(limit, Math.max(end, body.buffer.byteLength + growth))
      hold.resize(length)
      if (!body.signal.aborted) body.buffer.resize(length)
    }
    // The rest of a refused one is read and discarded: a client whose connection is cut never sees the reason.
    if (!body.signal.aborted) new Uint8Array(body.buffer).set(value, size)
    size = end
  }
  body.signal.throwIfAborted()
  hold.resize(size)
  return new Uint8Array(body.buffer.transferToFixedLength(size))
}
