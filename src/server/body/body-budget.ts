import { AppError } from '#lib/errors.ts'

// Memory budgets of request bodies, and which body is evicted when one is exhausted.

const MIB = 1024 * 1024
export const RETRY_AFTER_SECONDS = 5
/** The rate of a bad mobile connection, bytes a second. */
export const MIN_BYTES_PER_SECOND = 20_000
/** The time over which a body's rate is measured, ms. */
const RATE_WINDOW_MS = 5000

/** A part of a body in memory. */
interface BodyPage {
  bytes: Uint8Array
  /** When it was begun, ms of the monotonic clock. */
  begunAt: number
}

/** A body on its way. */
export interface IncomingBody {
  network: string | undefined
  pages: BodyPage[]
  /** Free bytes of the last page. */
  pageSpace: number
  /** Bytes of the pages, as the budget counts them. */
  bytes: number
  refused: AppError | undefined
}

interface BudgetLimits {
  /** Bytes of all bodies, arriving or in processing: a slow body stays in memory until it is complete. */
  maxBytes: number
  /** The same for one network; of IPv6 for one site (/48). */
  maxBytesPerNetwork: number
  overloadMessage: string
  networkOverloadMessage: string
}

/** A memory budget that several bodies share. */
export class BodyBudget {
  readonly #limits: BudgetLimits
  #reserved = 0
  readonly #reservedByNetwork = new Map<string, number>()
  /** Bodies that are arriving, oldest first. */
  readonly arriving = new Set<IncomingBody>()

  constructor(limits: BudgetLimits) {
    this.#limits = limits
  }

  /** Reserves `bytes`; a negative number releases them. */
  reserve(bytes: number, network: string | undefined): void {
    this.#reserved += bytes
    if (network === undefined) return
    const ofNetwork = (this.#reservedByNetwork.get(network) ?? 0) + bytes
    if (ofNetwork > 0) this.#reservedByNetwork.set(network, ofNetwork)
    else this.#reservedByNetwork.delete(network)
  }

  /**
   * Evicts bodies until the budget fits again after `body` has grown. A network beyond its own share loses `body`; beyond the
   * total, bodies are evicted one by one. Uploads that never end would otherwise block those of all others.
   */
  evictToFit(body: IncomingBody): void {
    const { maxBytes, maxBytesPerNetwork, overloadMessage, networkOverloadMessage } = this.#limits
    if (body.network !== undefined && this.#shareOf(body) > maxBytesPerNetwork)
      this.#refuse(body, new AppError(429, networkOverloadMessage, { retryAfter: RETRY_AFTER_SECONDS }))
    while (this.#reserved > maxBytes) {
      const candidates = [...this.arriving].filter(({ bytes }) => bytes > 0)
      if (candidates.length === 0) return
      this.#refuse(
        this.#chooseVictim(candidates),
        new AppError(503, overloadMessage, { retryAfter: RETRY_AFTER_SECONDS }),
      )
    }
  }

  #refuse(body: IncomingBody, error: AppError): void {
    body.refused = error
    this.reserve(-body.bytes, body.network)
    body.bytes = 0
    body.pages = []
  }

  #shareOf({ network, bytes }: IncomingBody): number {
    return network === undefined ? bytes : (this.#reservedByNetwork.get(network) ?? 0)
  }

  /**
   * Chooses the body to evict: of those slower than MIN_BYTES_PER_SECOND the one that sent least lately, because an abandoned
   * upload costs its sender nothing. Where all are fast enough, the oldest of the network with the most bytes.
   */
  #chooseVictim(bodies: readonly IncomingBody[]): IncomingBody {
    const now = performance.now()
    const slow = bodies.filter(
      (body) =>
        body.pages.some(({ begunAt }) => begunAt < now - RATE_WINDOW_MS) &&
        countRecentBytes(body, now) < (MIN_BYTES_PER_SECOND * RATE_WINDOW_MS) / 1000,
    )
    const [victim = bodies.reduce((most, each) => (this.#shareOf(each) > this.#shareOf(most) ? each : most))] =
      slow.toSorted(
        (a, b) => countRecentBytes(a, now) - countRecentBytes(b, now) || this.#shareOf(b) - this.#shareOf(a),
      )
    return victim
  }
}

const countRecentBytes = ({ pages }: IncomingBody, now: number): number =>
  pages.reduce((sum, { bytes, begunAt }) => (begunAt > now - RATE_WINDOW_MS ? sum + bytes.length : sum), 0)

export const TOO_MANY_PHOTOS = 'Están llegando demasiadas fotos a la vez. Inténtalo dentro de un momento.'
export const TOO_MANY_PHOTOS_OF_NETWORK =
  'Estás enviando demasiadas fotos a la vez. Espera a que terminen las primeras e inténtalo de nuevo.'

/** For uploads. One network's share is one upload of the largest size and some ordinary ones. */
const largeBodies = new BodyBudget({
  maxBytes: 128 * MIB,
  maxBytesPerNetwork: 64 * MIB,
  overloadMessage: TOO_MANY_PHOTOS,
  networkOverloadMessage: TOO_MANY_PHOTOS_OF_NETWORK,
})

const SMALL_BODY_MAX_BYTES = 64 * 1024
/** For small bodies, so that no number of photos blocks a sign-in. One network's share is a thousand forms that have only begun. */
const smallBodies = new BodyBudget({
  maxBytes: 16 * MIB,
  maxBytesPerNetwork: 4 * MIB,
  overloadMessage: 'Están llegando demasiadas peticiones a la vez. Inténtalo dentro de un momento.',
  networkOverloadMessage: 'Estás enviando demasiadas peticiones a la vez. Inténtalo dentro de un momento.',
})

/** The budget of a body of at most `limit` bytes. */
export const budgetFor = (limit: number): BodyBudget => (limit <= SMALL_BODY_MAX_BYTES ? smallBodies : largeBodies)
