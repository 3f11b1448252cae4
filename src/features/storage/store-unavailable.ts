import { AppError } from '#lib/errors.ts'

/** Seconds after which trying again makes sense. */
export const STORE_RETRY_SECONDS = 30

const STORE_UNAVAILABLE_TEXT = 'Ahora mismo no llegamos a donde se guardan las fotos. Inténtalo dentro de un rato.'

/** The store of photos does not answer, or refuses this site: nothing was stored or read. The log has the reason. */
export class StoreUnavailableError extends AppError {
  /** Why, for the operator. */
  readonly reason: string
  /** Whether a request was sent, which the store may have carried out all the same. */
  readonly isSent: boolean

  constructor(reason: string, { isSent }: { isSent: boolean }) {
    super(503, STORE_UNAVAILABLE_TEXT, { retryAfter: STORE_RETRY_SECONDS })
    this.reason = reason
    this.isSent = isSent
  }
}
