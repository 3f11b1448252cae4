/** Spanish sentences about invalid fields, by the field's name. */
export type FieldErrors = Record<string, string>

interface ErrorExtra {
  errors?: FieldErrors
  retryAfter?: number
  extensions?: Readonly<Record<string, unknown>>
}

/**
 * An error of the client that has a status of its own. Features throw it; `src/server/problem.ts` turns it into problem+json
 * (API), pages into a message.
 */
export class AppError extends Error {
  readonly status: number
  readonly errors: FieldErrors | undefined
  /** Seconds after which trying again makes sense; sent as `Retry-After`. */
  readonly retryAfter: number | undefined
  /** Members that the problem has beside the usual ones (RFC 9457 §3.2). */
  readonly extensions: Readonly<Record<string, unknown>> | undefined

  constructor(status: number, detail: string, extra: ErrorExtra = {}) {
    super(detail)
    this.name = 'AppError'
    this.status = status
    this.errors = extra.errors
    this.retryAfter = extra.retryAfter
    this.extensions = extra.extensions
  }
}

export const unauthenticated = (detail = 'Inicia sesión para continuar.') => new AppError(401, detail)
/** The member was signed in and is not any more: what they sent is neither stored as a visitor's nor lost in their browser. */
export const sessionEnded = () => unauthenticated('Tu sesión ha terminado. Inicia sesión para continuar.')
export const forbidden = (detail = 'No tienes permiso para hacer esto.') => new AppError(403, detail)
export const notFound = (detail = 'No lo hemos encontrado.') => new AppError(404, detail)
/** Invalid input. `detail` is the first sentence to show; `errors` has one per field. */
export const invalid = (detail: string, errors?: FieldErrors) => new AppError(422, detail, errors ? { errors } : {})
