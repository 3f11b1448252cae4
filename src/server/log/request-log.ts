import type { IncomingMessage, ServerResponse } from 'node:http'
import { log } from './log.ts'
import { redact } from './redact.ts'

/** What a request was for, as figures count it: a handful of kinds, whatever people ask for. */
export type RequestKind = 'page' | 'api' | 'photo' | 'file' | 'stream'

/** One request from its beginning to its end. Whoever takes it says what it is. */
export interface RequestLogEntry {
  kind: RequestKind
  id: string
}

export interface RequestLogSettings {
  /** A line for every request that is not answered from the kept pages. */
  logRequests: boolean
  /** Longer than this is worth a line, ms. */
  slowAfterMs: number
  /** Told of every request that ended; undefined where nobody counts. */
  count?: ((kind: RequestKind, method: string, status: number, seconds: number) => void) | undefined
}

/** Characters of a path that a line tells. */
const LOGGED_PATH_MAX_CHARS = 200

/** The path alone, cut: a query may hold a token, and nothing of what is asked for may fill the log. */
export function toLoggedPath(url: string): string {
  const end = url.search(/[?#]/)
  return redact(end < 0 ? url : url.slice(0, end), LOGGED_PATH_MAX_CHARS)
}

export type RequestLog = (req: IncomingMessage, res: ServerResponse, id: string) => RequestLogEntry

/**
 * Follows requests to their end: a line for each that failed (5xx) or took long, for every one where the operator wants
 * that, and a count. Live streams last as long as their page is open, which is not slow.
 */
export function openRequestLog({ logRequests, slowAfterMs, count }: RequestLogSettings): RequestLog {
  return (req, res, id) => {
    const watched: RequestLogEntry = { kind: 'file', id }
    const start = performance.now()
    res.once('close', () => {
      const ms = performance.now() - start
      const { kind } = watched
      const { statusCode: status } = res
      count?.(kind, req.method!, status, ms / 1000)
      const isSlow = ms > slowAfterMs && kind !== 'stream'
      if (!logRequests && status < 500 && !isSlow) return
      const level = status >= 500 ? 'error' : isSlow ? 'warn' : 'info'
      const path = toLoggedPath(req.url!)
      const what = `${req.method} ${path} ${status}${isSlow ? ' · lenta' : ''}${res.writableEnded ? '' : ' · cortada'}`
      const fields = { req: id, kind, method: req.method, path, status, ms: Math.round(ms) }
      log().write(level, what, fields)
    })
    return watched
  }
}
