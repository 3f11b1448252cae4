import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http'
import { isForeignKeyError, isInvalidValueError } from '#db/dialect/errors.ts'
import { AppError } from '#lib/errors.ts'
import { PROBLEM_TYPE, problemJson } from '#lib/http/problem-json.ts'
import { DISK_FULL_TEXT, type StorageFailure, findStorageFailure } from '#lib/storage-failure.ts'
import { reportDatabaseUnavailable } from './database-outage.ts'
import { currentRequestId } from './log/request-id.ts'
import { errorCode } from '#lib/error-code.ts'

/** The sentence of a 405. */
export const INVALID_METHOD = 'Ese método no se admite.'

const titleOf = (status: number): string => STATUS_CODES[status] ?? 'Error'

/** Sends problem+json in the steps before Astro. `detail` is Spanish and may be displayed unchanged. */
export function sendProblem(res: ServerResponse, status: number, detail: string, headers: OutgoingHttpHeaders): void {
  res.writeHead(status, { 'Content-Type': PROBLEM_TYPE, ...headers })
  res.end(problemJson({ title: titleOf(status), status, detail }))
}

/** A problem+json answer (RFC 9457). `detail` is Spanish and may be displayed unchanged. */
export function problem(
  status: number,
  detail: string,
  errors?: Record<string, string>,
  headers: HeadersInit = {},
  extensions: Readonly<Record<string, unknown>> = {},
): Response {
  const body = problemJson({
    ...extensions,
    title: titleOf(status),
    status,
    detail,
    ...(errors && { errors }),
    // A person can report it to the operator, whose log has the same id.
    ...(status >= 500 && { requestId: currentRequestId() }),
  })
  const response = new Response(body, { status, headers })
  response.headers.set('Content-Type', PROBLEM_TYPE)
  response.headers.set('Cache-Control', 'no-store')
  return response
}

/** The answer when nothing can be stored, or read; `seconds` until a retry makes sense. */
const STORAGE_PROBLEMS: Record<StorageFailure, { status: number; detail: string; seconds: number }> = {
  full: { status: 507, detail: DISK_FULL_TEXT, seconds: 600 },
  refused: { status: 503, detail: 'Ahora mismo no podemos guardar nada. Inténtalo dentro de un rato.', seconds: 300 },
  busy: { status: 503, detail: 'Hay mucho movimiento ahora mismo. Inténtalo de nuevo.', seconds: 5 },
  unavailable: {
    status: 503,
    detail: 'Ahora mismo no podemos responder. Inténtalo de nuevo en un momento.',
    seconds: 5,
  },
}

/** The page where PostgreSQL does not answer; null for any other error, of which Astro makes the error page. */
export function toUnavailablePage(error: unknown): Response | null {
  if (findStorageFailure(error) !== 'unavailable') return null
  reportDatabaseUnavailable(error)
  const { status, detail, seconds } = STORAGE_PROBLEMS.unavailable
  return new Response(`<!doctype html><html lang="es"><title>Perrario</title><p>${detail}</p></html>`, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': String(seconds),
    },
  })
}

/** For a write that is refused before the disk is full. */
export const diskFullError = (): AppError =>
  new AppError(STORAGE_PROBLEMS.full.status, STORAGE_PROBLEMS.full.detail, {
    retryAfter: STORAGE_PROBLEMS.full.seconds,
  })

/**
 * Turns an error into the answer to an API call. A disk that stores nothing is 507 or 503. Any other error is a bug: it is logged
 * and answered with a 500 without details.
 */
export function toProblem(error: unknown): Response {
  if (error instanceof AppError) {
    const headers = new Headers()
    if (error.retryAfter !== undefined) headers.set('Retry-After', String(Math.ceil(error.retryAfter)))
    // The rest of that body is still arriving and will not be read.
    if (error.status === 408) headers.set('Connection', 'close')
    return problem(error.status, error.message, error.errors, headers, error.extensions)
  }
  // The dog or member that a row refers to was deleted during the request.
  if (isForeignKeyError(error)) {
    console.warn('perrario · una fila a la que se refiere la petición se acaba de borrar')
    return problem(410, 'Lo que querías cambiar se acaba de eliminar.')
  }
  if (isInvalidValueError(error)) {
    console.warn(
      `perrario · la base de datos no admite un dato (${errorCode(error)}, petición ${currentRequestId() ?? 'ninguna'})`,
    )
    return problem(400, 'La petición tiene un dato que no se puede guardar.')
  }
  const failure = findStorageFailure(error)
  if (failure) {
    if (failure === 'unavailable') reportDatabaseUnavailable(error)
    else console.error('perrario · no se pudo guardar:', error)
    const { status, detail, seconds } = STORAGE_PROBLEMS[failure]
    return problem(status, detail, undefined, { 'Retry-After': String(seconds) })
  }
  console.error(error)
  return problem(500, 'Error inesperado. Intenta de nuevo.')
}
