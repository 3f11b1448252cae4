import type { IncomingMessage, ServerResponse } from 'node:http'
import { log } from './log/log.ts'
import { tidy } from './log/tidy.ts'

/** What a request was for, as figures count it: a handful of kinds, whatever people ask for. */
export type Kind = 'page' | 'api' | 'photo' | 'file' | 'stream'

/** One request from its beginning to its end. Whoever takes it says what it is. */
export interface Watched {
  kind: Kind
  id: string
}

export interface WatchSettings {
  /** A line for every request that is not answered from the kept pages. */
  logRequests: boolean
  /** Longer than this is worth a line, ms. */
  slowAfter: number
  /** Told of every request that ended; undefined where nobody counts. */
  count?: ((kind: Kind, method: string, status: number, seconds: number) => void) | undefined
}

/** Characters of a path that a line tells. */
const PATH_MAX = 200

/** The path alone, cut: a query may hold a token, and nothing of what is asked for may fill the log. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return tidy(end < 0 ? url : url.slice(0, end), PATH_MAX)
}

export type Watch = (req: IncomingMessage, res: ServerResponse, id: string) => Watched

/**
 * Follows requests to their end: a line for each that failed (5xx) or took long, for every one where the operator wants
 * that, and a count. Live streams last as long as their page is open, which is not slow.
 */
export function openWatch({ logRequests, slowAfter, count }: WatchSettings): Watch {
  return (req, res, id) => {
    const watched: Watched = { kind: 'file', id }
    const start = performance.now()
    res.once('close', () => {
      const ms = performance.now() - start
      const { kind } = watched
      const { statusCode: status } = res
      count?.(kind, req.method!, status, ms / 1000)
      const isSlow = ms > slowAfter && kind !== 'stream'
      if (!logRequests && status < 500 && !isSlow) return
      const level = status >= 500 ? 'error' : isSlow ? 'warn' : 'info'
      const path = pathOf(req.url!)
      const what = `${req.method} ${path} ${status}${isSlow ? ' · lenta' : ''}${res.writableEnded ? '' : ' · cortada'}`
      const fields = { req: id, kind, method: req.method, path, status, ms: Math.round(ms) }
      log().write(level, what, fields)
    })
    return watched
  }
}
