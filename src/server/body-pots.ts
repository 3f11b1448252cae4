import { AppError } from '#lib/errors.ts'

// How much of bodies may be in memory at once, and who gives way.

const MB = 1024 * 1024
export const RETRY_SECONDS = 5
/** What the worst mobile connection sends, bytes a second. */
export const PACE = 20_000
/** So long a body may show how fast it comes, ms. */
const LATELY = 5000

/** A body on its way. */
export interface Arriving {
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

interface Bounds {
  /** Bytes of everybody, on their way or at work: what is sent drop by drop stays in memory until it is whole. */
  most: number
  /** The same of one network, with all its /64 of an IPv6 site. */
  mostOfOne: number
  tooMany: string
  tooManyOfOne: string
}

/** Bodies that share a bound. */
export class Pot {
  readonly #bounds: Bounds
  #held = 0
  readonly #heldOf = new Map<string, number>()
  /** Those on their way, the oldest first. */
  readonly arriving = new Set<Arriving>()

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Counts `bytes` (negative: gives them back). */
  hold(bytes: number, network: string | undefined): void {
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
  makeRoom(body: Arriving): void {
    const { most, mostOfOne, tooMany, tooManyOfOne } = this.#bounds
    if (body.network !== undefined && this.#shareOf(body) > mostOfOne)
      this.#refuse(body, new AppError(429, tooManyOfOne, { retryAfter: RETRY_SECONDS }))
    while (this.#held > most) {
      const kept = [...this.arriving].filter(({ bytes }) => bytes > 0)
      if (kept.length === 0) return
      this.#refuse(this.#whoGivesWay(kept), new AppError(503, tooMany, { retryAfter: RETRY_SECONDS }))
    }
  }

  #refuse(body: Arriving, error: AppError): void {
    body.refused = error
    this.hold(-body.bytes, body.network)
    body.bytes = 0
    body.pages = []
  }

  #shareOf({ network, bytes }: Arriving): number {
    return network === undefined ? bytes : this.#heldOf.get(network)!
  }

  /**
   * Who gives way: of those that come slower than the worst connection, whoever sent least lately, since an upload that is begun
   * and left costs its sender nothing; where all come well, the oldest of the network with most.
   */
  #whoGivesWay(bodies: readonly Arriving[]): Arriving {
    const now = performance.now()
    const dawdling = bodies.filter(
      (body) => body.times[0]! < now - LATELY && sentLately(body, now) < (PACE * LATELY) / 1000,
    )
    const [slowest = bodies.reduce((most, each) => (this.#shareOf(each) > this.#shareOf(most) ? each : most))] =
      dawdling.toSorted((a, b) => sentLately(a, now) - sentLately(b, now) || this.#shareOf(b) - this.#shareOf(a))
    return slowest
  }
}

const sentLately = ({ pages, times }: Arriving, now: number): number =>
  pages.reduce((bytes, page, index) => (times[index]! > now - LATELY ? bytes + page.length : bytes), 0)

export const PHOTOS_OF_ALL = 'Están llegando demasiadas fotos a la vez. Inténtalo dentro de un momento.'
export const PHOTOS_OF_ONE =
  'Estás enviando demasiadas fotos a la vez. Espera a que terminen las primeras e inténtalo de nuevo.'

/** Of one network: one upload at its largest and some ordinary ones. */
const large = new Pot({ most: 128 * MB, mostOfOne: 64 * MB, tooMany: PHOTOS_OF_ALL, tooManyOfOne: PHOTOS_OF_ONE })

const SMALL_BYTES = 64 * 1024
/** Apart, so that no number of photos keeps a sign-in out; of one network, a thousand forms that have only begun. */
const small = new Pot({
  most: 16 * MB,
  mostOfOne: 4 * MB,
  tooMany: 'Están llegando demasiadas peticiones a la vez. Inténtalo dentro de un momento.',
  tooManyOfOne: 'Estás enviando demasiadas peticiones a la vez. Inténtalo dentro de un momento.',
})

/** Where a body counts that may have so many bytes. */
export const potFor = (limit: number): Pot => (limit <= SMALL_BYTES ? small : large)
