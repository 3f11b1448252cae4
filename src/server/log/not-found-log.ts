import { stripVTControlCharacters } from 'node:util'
import { paths } from '#lib/paths.ts'
import { log } from './log.ts'
import { MINUTE_MS } from '#lib/time.ts'

/** Lines for unknown addresses in one minute: clients choose how many they request. The next line counts the others. */
const LINES_PER_MINUTE = 10
/** Path segments that a line shows. */
const MAX_LOGGED_SEGMENTS = 6

/** The first segments that our own links have. */
const ROUTE_SEGMENTS = new Set(
  Object.values(paths).flatMap((path) => (typeof path === 'string' ? (path.split(/[/?#]/)[1] ?? []) : [])),
)

/**
 * An address as the log shows it: `/razas/…/…`. A segment that is not the name of a route may hold anything that a person
 * typed.
 */
export function maskPath(path: string): string {
  const [first = '', ...rest] = path.split('/', MAX_LOGGED_SEGMENTS + 2).slice(1)
  const masked = [ROUTE_SEGMENTS.has(first) ? first : '…', ...rest.map(() => '…')]
  return `/${masked.slice(0, MAX_LOGGED_SEGMENTS).join('/')}`
}

let minuteStart = -Infinity
let written = 0
let unwritten = 0

/** Logs an address that no route takes, at most `LINES_PER_MINUTE` times a minute. `path`: as `maskPath` gives it. */
export function logNotFound(path: string, now = performance.now()): void {
  if (now - minuteStart >= MINUTE_MS) {
    minuteStart = now
    written = 0
  }
  if (written >= LINES_PER_MINUTE) return void unwritten++
  written++
  const others = unwritten > 0 ? ` · ${unwritten} más sin línea` : ''
  unwritten = 0
  log().write('warn', `404 "${path}"${others}`, { status: 404, path })
}

/** Lines that Astro logs for a request without a route: each contains the address as it was requested. */
const ROUTER_LINES = /^[\d:]{8} \[(?:WARN|ERROR)\] (?:\[router\] (?:No API Route|\/)|Error: Invalid URL encoding)/

/** Characters by which such a line is recognised: the address after them may be as long as a request. */
const PREFIX_CHARS = 200

/**
 * Whether the arguments of a `console` call are such a line. It is not logged, since its text comes from the client;
 * `logNotFound` and `perrario_http_requests_total` cover the request.
 */
export const isRouterLine = ([first]: readonly unknown[]): boolean =>
  typeof first === 'string' && ROUTER_LINES.test(stripVTControlCharacters(first.slice(0, PREFIX_CHARS)))
