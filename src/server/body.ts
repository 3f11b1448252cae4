import { AppError } from '#lib/errors.ts'
import { siteOf } from '#lib/network.ts'
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
/** The same of one network, with all its /64 of an IPv6 site: one upload at its largest and some ordinary ones. */
const HELD_MOST_OF_ONE = 64 * 1024 * 1024
let held = 0
/**
 * What comes is copied into pages: a piece of one byte, kept as it came, takes two hundred. The first is small, and each
 * later one as large as all before it, so that thousands of bodies that have only begun take no room from others.
 */
const FIRST_PAGE_BYTES = 4 * 1024
const PAGE_BYTES = 64 * 1024
/** Reading a piece takes time, however short: on average they are at least so long, with some to spare for small bodies. */
const CHUNK_MIN_BYTES = 256
const CHUNKS_SPARE = 2000
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

/** A body on its way. */
interface Arriving {
  /** When each of its pages was begun, ms on the clock that no one sets. */
  times: number[]
  network: string | undefined
  pages: Uint8Array[]
  /** What is free of the last page. */
  room: number
  /** What the pages take, as it is counted. */
  bytes: number
  refused: AppError | undefined
}
/** All of them, the oldest first. */
const arriving = new Set<Arriving>()

function refuse(body: Arriving, error: AppError): void {
  body.refused = error
  hold(-body.bytes, body.network)
  body.bytes = 0
  body.pages = []
}

/** Copies `chunk` behind what is there. */
function append(body: Arriving, chunk: Uint8Array): void {
  for (let from = 0; from < chunk.length;) {
    if (body.room === 0) {
      body.room = Math.min(PAGE_BYTES, body.bytes || FIRST_PAGE_BYTES)
      body.pages.push(new Uint8Array(body.room))
      body.times.push(performance.now())
      body.bytes += body.room
      hold(body.room, body.network)
    }
    const part = chunk.subarray(from, from + body.room)
    const page = body.pages.at(-1)!
    page.set(part, page.length - body.room)
    body.room -= part.length
    from += part.length
  }
}

const shareOf = ({ network, bytes }: Arriving): number => (network === undefined ? bytes : heldOf.get(network)!)

/** So long a body may show how fast it comes, ms. */
const LATELY = 5000

const sentLately = ({ pages, times }: Arriving, now: number): number =>
  pages.reduce((bytes, page, index) => (times[index]! > now - LATELY ? bytes + page.length : bytes), 0)

/**
 * Who gives way: of those that come slower than the worst connection, whoever sent least lately, since an upload that is begun and
 * left costs its sender nothing; where all come well, the oldest of the network with most.
 */
function whoGivesWay(bodies: readonly Arriving[]): Arriving {
  const now = performance.now()
  const dawdling = bodies.filter(
    (body) => body.times[0]! < now - LATELY && sentLately(body, now) < (PACE * LATELY) / 1000,
  )
  const [slowest = bodies.reduce((most, each) => (shareOf(each) > shareOf(most) ? each : most))] = dawdling.toSorted(
    (a, b) => sentLately(a, now) - sentLately(b, now) || shareOf(b) - shareOf(a),
  )
  return slowest
}

/**
 * Makes room for what has just come: one network's own share is its own doing; of the whole, bodies give way one by one. Uploads that
 * some begin and never end would otherwise keep everybody else's out.
 */
function makeRoom(body: Arriving): void {
  if (body.network !== undefined && shareOf(body) > HELD_MOST_OF_ONE)
    refuse(body, new AppError(429, TOO_MANY_OF_ONE, { retryAfter: RETRY_SECONDS }))
  const isOver = () => held > HELD_MOST
  while (isOver()) {
    const kept = [...arriving].filter(({ bytes }) => bytes > 0)
    if (kept.length === 0) return
    refuse(whoGivesWay(kept), new AppError(503, TOO_MANY, { retryAfter: RETRY_SECONDS }))
  }
}

/** How long a body of at most `limit` bytes may take, ms. */
const timeFor = (limit: number): number => Math.min(getEnv().requestSeconds * 1000, PATIENCE + (limit / PACE) * 1000)

/**
 * The body as bytes, refused past `limit` while it streams in, so that a lie in Content-Length costs nothing, and given up
 * where it takes longer than so much needs.
 * @throws AppError 413, also for a body in countless small pieces; 400 for one that breaks off; 408 for one that dawdles; 503 while too much is on its way
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
 * @param from the network that sends it; left out, only what everybody sends is bounded
 * @throws AppError also 429 while too much of this network is on its way
 */
export async function takeBody(request: Request, limit: number, from?: string): Promise<TakenBody> {
  const network = from && siteOf(from)
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new AppError(413, TOO_LARGE)
  if (!request.body) return { bytes: new Uint8Array(), release: () => {} }
  const reader = (request.body as ReadableStream<Uint8Array>).getReader()
  const body: Arriving = { network, times: [], pages: [], room: 0, bytes: 0, refused: undefined }
  arriving.add(body)
  let size = 0
  let chunks = 0
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
  try {
    for (;;) {
      const { value, done } = await next()
      if (done) break
      size += value.length
      if (size > limit || ++chunks > CHUNKS_SPARE + limit / CHUNK_MIN_BYTES) throw new AppError(413, TOO_LARGE)
      // The rest is read and thrown away: who is cut off while sending never learns why.
      if (body.refused) continue
      append(body, value)
      makeRoom(body)
    }
    if (body.refused) throw body.refused
  } catch (error) {
    hold(-body.bytes, network)
    // Who hangs up while sending is told nothing, and is no fault of ours that a log should hold.
    if (!(error instanceof AppError)) throw new AppError(400, CUT)
    if (error.status === 413) void reader.cancel().catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
    arriving.delete(body)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const page of body.pages) {
    all.set(page.subarray(0, size - at), at)
    at += page.length
  }
  hold(size - body.bytes, network)
  body.pages = []
  let isReleased = false
  const release = () => {
    if (isReleased) return
    isReleased = true
    hold(-size, network)
  }
  return { bytes: all, release }
}
