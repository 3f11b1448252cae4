import { AppError } from '#lib/errors.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { type IncomingBody, MIN_BYTES_PER_SECOND, type BodyBudget, budgetFor } from './body-budget.ts'
import { startProcessing, type BodyProcessing } from './body-processing.ts'
import { CHUNK_MIN_BYTES } from '#server/connections/limited-request.ts'
import { getEnv } from '#server/env.ts'

const TOO_LARGE = 'La petición es demasiado grande.'
const TOO_SLOW = 'La petición ha tardado demasiado en llegar.'
const INCOMPLETE = 'La petición ha llegado a medias.'

/** Time that every body has, ms. A large one has in addition what it takes at MIN_BYTES_PER_SECOND. */
const READ_TIMEOUT_BASE_MS = 20_000
/**
 * Chunks are copied into pages, because a stored chunk of one byte takes two hundred bytes. The first page is small and each later
 * one as large as all before it, so that thousands of bodies that have only begun take little memory.
 */
const FIRST_PAGE_BYTES = 4 * 1024
const PAGE_BYTES = 64 * 1024
/** A body of at most n bytes may have n / CHUNK_MIN_BYTES + SPARE_CHUNKS chunks. */
const SPARE_CHUNKS = 2000

/** Appends `chunk` to the body's pages. */
function appendChunk(budget: BodyBudget, body: IncomingBody, chunk: Uint8Array): void {
  for (let from = 0; from < chunk.length;) {
    if (body.pageSpace === 0) {
      body.pageSpace = Math.min(PAGE_BYTES, body.bytes || FIRST_PAGE_BYTES)
      body.pages.push({ bytes: new Uint8Array(body.pageSpace), begunAt: performance.now() })
      body.bytes += body.pageSpace
      budget.reserve(body.pageSpace, body.network)
    }
    const part = chunk.subarray(from, from + body.pageSpace)
    const { bytes } = body.pages.at(-1)!
    bytes.set(part, bytes.length - body.pageSpace)
    body.pageSpace -= part.length
    from += part.length
  }
}

/** How long a body of at most `limit` bytes may take, ms. */
const readTimeoutMs = (limit: number): number =>
  Math.min(getEnv().requestSeconds * 1000, READ_TIMEOUT_BASE_MS + (limit / MIN_BYTES_PER_SECOND) * 1000)

/**
 * Reads the body. It is refused past `limit` bytes while it arrives, so that a wrong Content-Length costs nothing, and after the
 * time that so many bytes may take.
 * @param from the network that sends it; without it only the budget of all networks applies
 * @throws AppError 413, also for a body in too many small chunks; 400 for one that breaks off; 408 for one that is too slow; 429 where
 * this network's budget is exhausted, 503 where the budget of all is
 */
export async function readBody(request: Request, limit: number, from?: string): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, release } = await receiveBody(request, limit, from && toSitePrefix(from))
  release()
  return bytes
}

/** A body whose bytes count towards the memory budget until `release`. */
export interface BufferedBody {
  bytes: Uint8Array<ArrayBuffer>
  release: () => void
}

/** A body in long processing. */
export interface BodyInProcessing extends BufferedBody {
  processing: BodyProcessing
}

/**
 * `readBody` for a body that stays in memory while it is processed.
 * @throws AppError also 429 or 503 where too many bytes are in processing already
 */
export async function readBodyForProcessing(request: Request, limit: number, from?: string): Promise<BodyInProcessing> {
  const network = from && toSitePrefix(from)
  const { bytes, release } = await receiveBody(request, limit, network)
  try {
    const processing = startProcessing(bytes.length, network)
    const releaseBoth = () => {
      processing.release()
      release()
    }
    return { bytes, processing, release: releaseBoth }
  } catch (error) {
    release()
    throw error
  }
}

async function receiveBody(request: Request, limit: number, network: string | undefined): Promise<BufferedBody> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new AppError(413, TOO_LARGE)
  if (!request.body) return { bytes: new Uint8Array(), release: () => {} }
  const reader = (request.body as ReadableStream<Uint8Array>).getReader()
  const body: IncomingBody = { network, pages: [], pageSpace: 0, bytes: 0, refused: undefined }
  const budget = budgetFor(limit)
  budget.arriving.add(body)
  let size = 0
  let chunks = 0
  let isLate = false
  let wake = () => {}
  const timer = setTimeout(() => {
    isLate = true
    wake()
  }, readTimeoutMs(limit))
  // Not Promise.race: it would retain every chunk of the body until the timer's promise settles.
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
      // The rest is read and discarded: a client whose connection is cut never sees the reason.
      if (body.refused) continue
      appendChunk(budget, body, value)
      budget.evictToFit(body)
    }
    if (body.refused) throw body.refused
  } catch (error) {
    budget.reserve(-body.bytes, network)
    // A client that disconnects while sending is no error of ours: it is not logged.
    if (!(error instanceof AppError)) throw new AppError(400, INCOMPLETE)
    if (error.status === 413) void reader.cancel().catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
    budget.arriving.delete(body)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const { bytes: page } of body.pages) {
    all.set(page.subarray(0, size - at), at)
    at += page.length
  }
  budget.reserve(size - body.bytes, network)
  body.pages = []
  let isReleased = false
  const release = () => {
    if (isReleased) return
    isReleased = true
    budget.reserve(-size, network)
  }
  return { bytes: all, release }
}
