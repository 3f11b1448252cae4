import { stripVTControlCharacters } from 'node:util'
import { paths } from '#lib/paths.ts'
import { log } from './log.ts'

/** Lines of unknown addresses in one minute: visitors choose how many they ask for. The others are counted in the next line. */
const LINES_PER_MINUTE = 10
const MINUTE_MS = 60_000
/** Path segments that a line shows. */
const MAX_SEGMENTS = 6

/** The first segments that our own links have. */
const ROUTE_SEGMENTS = new Set(
  Object.values(paths).flatMap((path) => (typeof path === 'string' ? path.split(/[/?#]/)[1]! : [])),
)

/**
 * An address as the log shows it: `/razas/…/…`. A segment that is not the name of a route was typed by somebody, and may be
 * anything.
 */
export function maskPath(path: string): string {
  const [first = '', ...rest] = path.split('/', MAX_SEGMENTS + 2).slice(1)
  const masked = [ROUTE_SEGMENTS.has(first) ? first : '…', ...rest.map(() => '…')]
  return `/${masked.slice(0, MAX_SEGMENTS).join('/')}`
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

/** Lines that Astro writes of a request that no route takes: each holds the address as it was typed. */
const ROUTER_LINES = /^[\d:]{8} \[(?:WARN|ERROR)\] (?:\[router\] (?:No API Route|\/)|Error: Invalid URL encoding)/

/** Characters in which such a line is recognised: the address behind them may be as long as a request. */
const PREFIX_CHARS = 200

/**
 * Whether `console` was given such a line. They are not logged: whoever asks for odd addresses would write the log, with
 * words of theirs. `perrario_http_requests_total` counts them by status.
 */
export const isRouterLine = ([first]: readonly unknown[]): boolean =>
  typeof first === 'string' && ROUTER_LINES.test(stripVTControlCharacters(first.slice(0, PREFIX_CHARS)))
