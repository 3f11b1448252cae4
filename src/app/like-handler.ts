import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Db } from '#db/client.ts'
import { LIKES_PER_MINUTE } from '#features/likes/likes.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { SESSION_HEADER } from '#lib/offline.ts'
import { isUuid } from '#lib/identifiers.ts'
import { MINUTE_SECONDS } from '#lib/time.ts'
import { assertDiskSpace } from '#server/disk-space.ts'
import { JSON_HEADERS } from '#server/endpoint.ts'
import type { Env } from '#server/env.ts'
import { limitMemberCall } from '#server/limits/api-limits.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { toProblem } from '#server/problem.ts'
import { isSentFromSite } from '#server/security/origin.ts'
import { CLEAR_PREFETCHED } from '#server/security/security-headers.ts'

export interface LikeHandlerOptions {
  db: Db
  env: Pick<Env, 'siteUrl' | 'rendersPerMinute'>
  /** The member whose session a Cookie header opens, where that is remembered (page-cache/page-cache.ts). */
  recallMember: (cookies: string | undefined) => string | undefined
}

/** `DELETE` and `PUT /api/dogs/{id}/like`, in the one spelling that the site's own pages send. */
const LIKE_PATH = /^\/api\/dogs\/([^/?]+)\/like$/
const ACTIONS: Readonly<Record<string, typeof like>> = { PUT: like, DELETE: unlike }

/**
 * Answers a member's likes without Astro: its Request, middleware and Response take longer than the like (docs/adr/0189). What is not the
 * usual case is left to `next`, the endpoint (features/likes/likes.http.ts): other spellings, a body, another origin, a session that is not
 * remembered, is over or is to be prolonged, and all of PostgreSQL.
 */
export function createLikeHandler({ db, env, recallMember }: LikeHandlerOptions) {
  return (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const { method = '', url = '', headers } = req
    const act = ACTIONS[method]
    const dogId = act && LIKE_PATH.exec(url)?.[1]
    if (!act || !isUuid(dogId) || hasBody(req)) return next()
    const sender = { origin: headers.origin, fetchSite: headers['sec-fetch-site'], host: headers.host }
    if (!isSentFromSite(sender, env.siteUrl)) return next()
    const userId = recallMember(headers.cookie)
    if (userId === undefined) return next()
    void answer(res, async () => {
      await limitMemberCall(method, userId, env.rendersPerMinute)
      await limit('like', userId, LIKES_PER_MINUTE, MINUTE_SECONDS)
      if (act === like) await assertDiskSpace()
      return act(db, { id: userId }, dogId)
    })
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Sends what `act` returns, or why it failed, with the headers of an endpoint's answer. */
async function answer(res: ServerResponse, act: () => Promise<object>): Promise<void> {
  const start = performance.now()
  let status = 200
  let headers: Readonly<Record<string, string>> = JSON_HEADERS
  let text: string
  try {
    text = JSON.stringify(await act())
  } catch (error) {
    const problem = toProblem(error)
    status = problem.status
    headers = Object.fromEntries(problem.headers)
    text = await problem.text()
  }
  if (res.destroyed) return
  const body = Buffer.from(text)
  res.writeHead(status, {
    ...headers,
    'Content-Length': body.length,
    Vary: 'Accept-Encoding',
    [SESSION_HEADER]: 'member',
    'Clear-Site-Data': CLEAR_PREFETCHED,
    'Server-Timing': `total;dur=${(performance.now() - start).toFixed(1)}`,
  })
  res.end(body)
}
