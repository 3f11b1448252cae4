/** Which field was wrong and the Spanish sentence for it. */
export type FieldErrors = Record<string, string>

/**
 * Something the person or their program did that we answer with a status of its own: thrown by features, turned
 * into problem+json (API) or a message (page) at the edge by `src/server/problem.ts`.
 */
export class AppError extends Error {
  readonly status: number
  readonly errors: FieldErrors | undefined
  /** Seconds after which trying again makes sense; sent as `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor(status: number, detail: string, extra: { errors?: FieldErrors; retryAfter?: number } = {}) {
    super(detail)
    this.name = 'AppError'
    this.status = status
    this.errors = extra.errors
    this.retryAfter = extra.retryAfter
  }
}

export const unauthenticated = (detail = 'Inicia sesión para continuar.') => new AppError(401, detail)
/** The member was signed in and is not any more: what they sent is neither stored as a visitor's nor lost in their browser. */
export const sessionEnded = () => unauthenticated('Tu sesión ha terminado. Inicia sesión para continuar.')
export const forbidden = (detail = 'No tienes permiso para hacer esto.') => new AppError(403, detail)
export const notFound = (detail = 'No lo hemos encontrado.') => new AppError(404, detail)
/** Bad input. `detail` is the first sentence to show; `errors` holds one per field. */
export const invalid = (detail: string, errors?: FieldErrors) => new AppError(422, detail, errors ? { errors } : {})
