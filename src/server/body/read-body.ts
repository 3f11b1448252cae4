import { AppError } from '#lib/errors.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { type IncomingBody, MIN_BYTES_PER_SECOND, type BodyBudget, budgetFor } from './body-budget.ts'
import { startProcessing, type BodyProcessing } from './body-processing.ts'
import { getEnv } from '#server/env.ts'

const TOO_LARGE = 'La petición es demasiado grande.'
const TOO_SLOW = 'La petición ha tardado demasiado en llegar.'
const INCOMPLETE = 'La petición ha llegado a medias.'

/** A body gets this long, and beyond it what a bad mobile connection needs for the rest, ms and bytes a second. */
const READ_TIMEOUT_BASE_MS = 20_000
/**
 * What comes is copied into pages: a piece of one byte, kept as it came, takes two hundred. The first is small, and each
 * later one as large as all before it, so that thousands of bodies that have only begun take no room from others.
 */
const FIRST_PAGE_BYTES = 4 * 1024
const PAGE_BYTES = 64 * 1024
/** Reading a piece takes time, however short: on average they are at least so long, with some to spare for small bodies. */
const CHUNK_MIN_BYTES = 256
const SPARE_CHUNKS = 2000

/** Copies `chunk` behind what is there. */
function appendChunk(pot: BodyBudget, body: IncomingBody, chunk: Uint8Array): void {
  for (let from = 0; from < chunk.length;) {
    if (body.pageSpace === 0) {
      body.pageSpace = Math.min(PAGE_BYTES, body.bytes || FIRST_PAGE_BYTES)
      body.pages.push(new Uint8Array(body.pageSpace))
      body.times.push(performance.now())
      body.bytes += body.pageSpace
      pot.reserve(body.pageSpace, body.network)
    }
    const part = chunk.subarray(from, from + body.pageSpace)
    const page = body.pages.at(-1)!
    page.set(part, page.length - body.pageSpace)
    body.pageSpace -= part.length
    from += part.length
  }
}

/** How long a body of at most `limit` bytes may take, ms. */
const readTimeoutMs = (limit: number): number =>
  Math.min(getEnv().requestSeconds * 1000, READ_TIMEOUT_BASE_MS + (limit / MIN_BYTES_PER_SECOND) * 1000)

/**
 * The body as bytes, refused past `limit` while it streams in, so that a lie in Content-Length costs nothing, and given up
 * where it takes longer than so much needs.
 * @param from the network that sends it; left out, only what everybody sends is bounded
 * @throws AppError 413, also for a body in countless small pieces; 400 for one that breaks off; 408 for one that dawdles; 429 while
 * too much of this network is on its way, 503 while too much of everybody is
 */
export async function readBody(request: Request, limit: number, from?: string): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, release } = await receiveBody(request, limit, from && toSitePrefix(from))
  release()
  return bytes
}

/** A body whose bytes count among those that are held until they are released. */
export interface BufferedBody {
  bytes: Uint8Array<ArrayBuffer>
  release: () => void
}

/** One that something long is done with. */
export interface BodyInProcessing extends BufferedBody {
  processing: BodyProcessing
}

/**
 * `readBody` for what is kept while something long is done with it.
 * @throws AppError also 429 or 503 where too much is at work already
 */
export async function readBodyForProcessing(request: Request, limit: number, from?: string): Promise<BodyInProcessing> {
  const network = from && toSitePrefix(from)
  const { bytes, release } = await receiveBody(request, limit, network)
  try {
    const work = startProcessing(bytes.length, network)
    const leave = () => {
      work.release()
      release()
    }
    return { bytes, processing: work, release: leave }
  } catch (error) {
    release()
    throw error
  }
}

async function receiveBody(request: Request, limit: number, network: string | undefined): Promise<BufferedBody> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new AppError(413, TOO_LARGE)
  if (!request.body) return { bytes: new Uint8Array(), release: () => {} }
  const reader = (request.body as ReadableStream<Uint8Array>).getReader()
  const body: IncomingBody = { network, times: [], pages: [], pageSpace: 0, bytes: 0, refused: undefined }
  const pot = budgetFor(limit)
  pot.arriving.add(body)
  let size = 0
  let chunks = 0
  let isLate = false
  let wake = () => {}
  const timer = setTimeout(() => {
    isLate = true
    wake()
  }, readTimeoutMs(limit))
  // Not Promise.race: whatever it was given is held until the last of its promises settles, all pieces of a body too.
  const next = () =>
    new Promise<ReadableStreamReadResult<Uint8Array>>((done, fail) => {
      wake = () => fail(new AppError(408, TOO_SLOW))
      if (isLate) wake()
      else reader.read().then(done, fail)
    })
  try {
    for (;;) {
      const { value, done } = await next()
      if (done) break
      size += value.length
      if (size > limit || ++chunks > SPARE_CHUNKS + limit / CHUNK_MIN_BYTES) throw new AppError(413, TOO_LARGE)
      // The rest is read and thrown away: who is cut off while sending never learns why.
      if (body.refused) continue
      appendChunk(pot, body, value)
      pot.evictToFit(body)
    }
    if (body.refused) throw body.refused
  } catch (error) {
    pot.reserve(-body.bytes, network)
    // Who hangs up while sending is told nothing, and is no fault of ours that a log should hold.
    if (!(error instanceof AppError)) throw new AppError(400, INCOMPLETE)
    if (error.status === 413) void reader.cancel().catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
    pot.arriving.delete(body)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const page of body.pages) {
    all.set(page.subarray(0, size - at), at)
    at += page.length
  }
  pot.reserve(size - body.bytes, network)
  body.pages = []
  let isReleased = false
  const release = () => {
    if (isReleased) return
    isReleased = true
    pot.reserve(-size, network)
  }
  return { bytes: all, release }
}
