import { STATUS_CODES } from 'node:http'
import { AppError } from '#lib/errors.ts'
import { type StorageFailure, findStorageFailure } from '#lib/storage-failure.ts'
import { currentRequestId } from './log/request-id.ts'

/** A problem+json answer (RFC 9457). `detail` is Spanish and may be shown as it is. */
export function problem(
  status: number,
  detail: string,
  errors?: Record<string, string>,
  headers?: HeadersInit,
): Response {
  const body = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    ...(errors && { errors }),
    // An extension member (RFC 9457 §3.2): what to say to the operator, whose log names it too.
    ...(status >= 500 && { requestId: currentRequestId() }),
  }
  const response = new Response(JSON.stringify(body), { status, headers })
  response.headers.set('Content-Type', 'application/problem+json; charset=utf-8')
  response.headers.set('Cache-Control', 'no-store')
  return response
}

/** What the person reads while the disk keeps nothing, and when trying again makes sense, seconds. */
const STORAGE_PROBLEMS: Record<StorageFailure, { status: number; detail: string; seconds: number }> = {
  full: { status: 507, detail: 'Ahora mismo no nos queda sitio para guardar nada. Inténtalo más tarde.', seconds: 600 },
  refused: { status: 503, detail: 'Ahora mismo no podemos guardar nada. Inténtalo dentro de un rato.', seconds: 300 },
  busy: { status: 503, detail: 'Hay mucho movimiento ahora mismo. Inténtalo de nuevo.', seconds: 5 },
}

/** What was thrown, as the answer to an API call. A disk that keeps nothing is 507 or 503; anything else is our fault: logged, 500, no detail leaked. */
export function toProblem(error: unknown): Response {
  if (error instanceof AppError) {
    const headers = new Headers()
    if (error.retryAfter !== undefined) headers.set('Retry-After', String(Math.ceil(error.retryAfter)))
    // The rest of that body is still coming, and nobody waits for it any longer.
    if (error.status === 408) headers.set('Connection', 'close')
    return problem(error.status, error.message, error.errors, headers)
  }
  const trouble = findStorageFailure(error)
  if (trouble) {
    // One line: a full disk says the same thousands of times.
    console.error(`perrario · no se pudo guardar (${(error as { code: string }).code})`)
    const { status, detail, seconds } = STORAGE_PROBLEMS[trouble]
    return problem(status, detail, undefined, { 'Retry-After': String(seconds) })
  }
  console.error(error)
  return problem(500, 'Error inesperado. Intenta de nuevo.')
}
