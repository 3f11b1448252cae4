import { AppError } from '#lib/errors.ts'

// How much of bodies may be in memory at once, and who gives way.

const MIB = 1024 * 1024
export const RETRY_AFTER_SECONDS = 5
/** What the worst mobile connection sends, bytes a second. */
export const MIN_BYTES_PER_SECOND = 20_000
/** So long a body may show how fast it comes, ms. */
const RATE_WINDOW_MS = 5000

/** A body on its way. */
export interface IncomingBody {
  /** When each of its pages was begun, ms on the clock that no one sets. */
  times: number[]
  network: string | undefined
  pages: Uint8Array[]
  /** What is free of the last page. */
  pageSpace: number
  /** What the pages take, as it is counted. */
  bytes: number
  refused: AppError | undefined
}

interface BudgetLimits {
  /** Bytes of everybody, on their way or at work: what is sent drop by drop stays in memory until it is whole. */
  maxBytes: number
  /** The same of one network, with all its /64 of an IPv6 site. */
  maxBytesPerNetwork: number
  overloadMessage: string
  networkOverloadMessage: string
}

/** Bodies that share a bound. */
export class BodyBudget {
  readonly #bounds: BudgetLimits
  #held = 0
  readonly #heldOf = new Map<string, number>()
  /** Those on their way, the oldest first. */
  readonly arriving = new Set<IncomingBody>()

  constructor(bounds: BudgetLimits) {
    this.#bounds = bounds
  }

  /** Counts `bytes` (negative: gives them back). */
  reserve(bytes: number, network: string | undefined): void {
    this.#held += bytes
    if (network === undefined) return
    const own = (this.#heldOf.get(network) ?? 0) + bytes
    if (own > 0) this.#heldOf.set(network, own)
    else this.#heldOf.delete(network)
  }

  /**
   * Makes room for what has just come: one network's own share is its own doing; of the whole, bodies give way one by one. Uploads
   * that some begin and never end would otherwise keep everybody else's out.
   */
  evictToFit(body: IncomingBody): void {
    const { maxBytes, maxBytesPerNetwork, overloadMessage, networkOverloadMessage } = this.#bounds
    if (body.network !== undefined && this.#shareOf(body) > maxBytesPerNetwork)
      this.#refuse(body, new AppError(429, networkOverloadMessage, { retryAfter: RETRY_AFTER_SECONDS }))
    while (this.#held > maxBytes) {
      const kept = [...this.arriving].filter(({ bytes }) => bytes > 0)
      if (kept.length === 0) return
      this.#refuse(this.#whoGivesWay(kept), new AppError(503, overloadMessage, { retryAfter: RETRY_AFTER_SECONDS }))
    }
  }

  #refuse(body: IncomingBody, error: AppError): void {
    body.refused = error
    this.reserve(-body.bytes, body.network)
    body.bytes = 0
    body.pages = []
  }

  #shareOf({ network, bytes }: IncomingBody): number {
    return network === undefined ? bytes : this.#heldOf.get(network)!
  }

  /**
   * Who gives way: of those that come slower than the worst connection, whoever sent least lately, since an upload that is begun
   * and left costs its sender nothing; where all come well, the oldest of the network with most.
   */
  #whoGivesWay(bodies: readonly IncomingBody[]): IncomingBody {
    const now = performance.now()
    const dawdling = bodies.filter(
      (body) =>
        body.times[0]! < now - RATE_WINDOW_MS &&
        countRecentBytes(body, now) < (MIN_BYTES_PER_SECOND * RATE_WINDOW_MS) / 1000,
    )
    const [slowest = bodies.reduce((most, each) => (this.#shareOf(each) > this.#shareOf(most) ? each : most))] =
      dawdling.toSorted(
        (a, b) => countRecentBytes(a, now) - countRecentBytes(b, now) || this.#shareOf(b) - this.#shareOf(a),
      )
    return slowest
  }
}

const countRecentBytes = ({ pages, times }: IncomingBody, now: number): number =>
  pages.reduce((bytes, page, index) => (times[index]! > now - RATE_WINDOW_MS ? bytes + page.length : bytes), 0)

export const TOO_MANY_PHOTOS = 'Están llegando demasiadas fotos a la vez. Inténtalo dentro de un momento.'
export const TOO_MANY_PHOTOS_OF_NETWORK =
  'Estás enviando demasiadas fotos a la vez. Espera a que terminen las primeras e inténtalo de nuevo.'

/** Of one network: one upload at its largest and some ordinary ones. */
const largeBodies = new BodyBudget({
  maxBytes: 128 * MIB,
  maxBytesPerNetwork: 64 * MIB,
  overloadMessage: TOO_MANY_PHOTOS,
  networkOverloadMessage: TOO_MANY_PHOTOS_OF_NETWORK,
})

const SMALL_BODY_MAX_BYTES = 64 * 1024
/** Apart, so that no number of photos keeps a sign-in out; of one network, a thousand forms that have only begun. */
const smallBodies = new BodyBudget({
  maxBytes: 16 * MIB,
  maxBytesPerNetwork: 4 * MIB,
  overloadMessage: 'Están llegando demasiadas peticiones a la vez. Inténtalo dentro de un momento.',
  networkOverloadMessage: 'Estás enviando demasiadas peticiones a la vez. Inténtalo dentro de un momento.',
})

/** Where a body counts that may have so many bytes. */
export const budgetFor = (limit: number): BodyBudget => (limit <= SMALL_BODY_MAX_BYTES ? smallBodies : largeBodies)
