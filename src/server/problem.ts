import { STATUS_CODES } from 'node:http'
import { AppError } from '#lib/errors.ts'

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
  }
  const response = new Response(JSON.stringify(body), { status, headers })
  response.headers.set('Content-Type', 'application/problem+json; charset=utf-8')
  response.headers.set('Cache-Control', 'no-store')
  return response
}

/** What was thrown, as the answer to an API call. Anything but an AppError is our fault: logged, 500, no detail leaked. */
export function problemOf(error: unknown): Response {
  if (error instanceof AppError) {
    const headers = error.retryAfter === undefined ? undefined : { 'Retry-After': String(Math.ceil(error.retryAfter)) }
    return problem(error.status, error.message, error.errors, headers)
  }
  console.error(error)
  return problem(500, 'Error inesperado. Intenta de nuevo.')
}
