import type { IncomingMessage, ServerResponse } from 'node:http'
import { RESERVED_SEGMENTS } from '#lib/http/reserved-segments.ts'
import { log } from './log.ts'
import { redact } from './redact.ts'

/** What a request was for, as metrics count it: few kinds, whatever clients request. */
export type RequestKind = 'page' | 'api' | 'photo' | 'file' | 'stream' | 'health'

/** A request under way. The step that answers it sets its kind. */
export interface RequestLogEntry {
  kind: RequestKind
  id: string
}

export interface RequestLogSettings {
  /** Whether every request is logged that the page cache does not answer. */
  logRequests: boolean
  /** Requests that take longer are logged, ms. */
  slowAfterMs: number
  /** Counts every request that ended; undefined without metrics. */
  count?: ((kind: RequestKind, method: string, status: number, seconds: number) => void) | undefined
}

/** Characters of a path that a line shows. */
const LOGGED_PATH_MAX_CHARS = 200

/** A dog's page: `/{breed}/{slug}`. */
const DOG_PATH = /^\/([^/]+)\/[^/]+$/
/** First segments of files, which no page has. */
const FILE_SEGMENTS = new Set(['_astro', '_ipx', 'photos'])

/**
 * The path of `url`, redacted and truncated: a query may hold a secret, a dog's address its name, and no long address may fill the log.
 */
export function toLoggedPath(url: string): string {
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  const [, breed] = DOG_PATH.exec(path) ?? []
  const isDog = breed !== undefined && !RESERVED_SEGMENTS.has(breed) && !FILE_SEGMENTS.has(breed)
  return redact(isDog ? `/${breed}/…` : path, LOGGED_PATH_MAX_CHARS)
}

export type RequestLog = (req: IncomingMessage, res: ServerResponse, id: string) => RequestLogEntry

/**
 * Logs and counts requests when they end: a line for each that failed (5xx) or was slow, or for every one where the operator
 * sets that. A `/healthz` that says 503 is no failure. Live streams last as long as their page is open and never count as slow.
 */
export function openRequestLog({ logRequests, slowAfterMs, count }: RequestLogSettings): RequestLog {
  const entries = new WeakMap<IncomingMessage, RequestLogEntry>()
  return (req, res, id) => {
    // A page that turns out to be another one for its reader goes on to Astro.
    const known = entries.get(req)
    if (known) return known
    const entry: RequestLogEntry = { kind: 'file', id }
    entries.set(req, entry)
    const start = performance.now()
    res.once('close', () => {
      const ms = performance.now() - start
      const { kind } = entry
      const { statusCode: status } = res
      count?.(kind, req.method ?? '', status, ms / 1000)
      const isSlow = ms > slowAfterMs && kind !== 'stream'
      // A balancer asks every second, and the log has the reason once.
      const isUnready = status === 503 && req.url === '/healthz'
      if (!logRequests && (isUnready || (status < 500 && !isSlow))) return
      const level = status >= 500 ? 'error' : isSlow ? 'warn' : 'info'
      const path = toLoggedPath(req.url ?? '')
      const message = `${req.method} ${path} ${status}${isSlow ? ' · lenta' : ''}${res.writableEnded ? '' : ' · cortada'}`
      const fields = { req: id, kind, method: req.method, path, status, ms: Math.round(ms) }
      log().write(level, message, fields)
    })
    return entry
  }
}
