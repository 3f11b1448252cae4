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
import type { ChangeFeed } from './page-cache/change-feed.ts'
import { shareWrite, WRITTEN_HEADER, writtenCookie } from './page-cache/written-position.ts'

export interface LikeHandlerOptions {
  db: Db
  env: Pick<Env, 'siteUrl' | 'rendersPerMinute'>
  /** The member whose session a Cookie header opens (page-cache/page-cache.ts); undefined leaves the request to the endpoint. */
  findMember: (cookies: string | undefined) => string | undefined | Promise<string | undefined>
  /** The changes of all nodes on PostgreSQL. */
  changes: ChangeFeed | undefined
}

/** `DELETE` and `PUT /api/dogs/{id}/like`, in the one spelling that the site's own pages send. */
const LIKE_PATH = /^\/api\/dogs\/([^/?]+)\/like$/
const ACTIONS: Readonly<Record<string, typeof like>> = { PUT: like, DELETE: unlike }

/**
 * Answers a member's likes without Astro: its Request, middleware and Response take longer than the like (docs/adr/0189). What is not the
 * usual case is left to `next`, the endpoint (features/likes/likes.http.ts): other spellings, a body, another origin, and a session that is
 * unknown, over or to be renewed.
 */
export function createLikeHandler({ db, env, findMember, changes }: LikeHandlerOptions) {
  const isHttps = env.siteUrl?.startsWith('https:') ?? false
  /** Headers that tell the sender which write the next answer has to show. */
  async function shareWritten(changes: ChangeFeed, before: string): Promise<Record<string, string>> {
    const position = await shareWrite(changes, before)
    return position === undefined ? {} : { [WRITTEN_HEADER]: position, 'Set-Cookie': writtenCookie(position, isHttps) }
  }

  async function answer(res: ServerResponse, act: () => Promise<object>): Promise<void> {
    const start = performance.now()
    const before = changes?.position()
    const { status, headers, text } = await respond(act)
    const written = changes && before !== undefined ? await shareWritten(changes, before) : {}
    if (res.destroyed) return
    const body = Buffer.from(text)
    res.writeHead(status, {
      ...headers,
      ...written,
      'Content-Length': body.length,
      Vary: 'Accept-Encoding',
      [SESSION_HEADER]: 'member',
      'Clear-Site-Data': CLEAR_PREFETCHED,
      'Server-Timing': `total;dur=${(performance.now() - start).toFixed(1)}`,
    })
    res.end(body)
  }

  return (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const { method = '', url = '', headers } = req
    const act = ACTIONS[method]
    const dogId = act && LIKE_PATH.exec(url)?.[1]
    if (!act || !isUuid(dogId) || hasBody(req)) return next()
    const sender = { origin: headers.origin, fetchSite: headers['sec-fetch-site'], host: headers.host }
    if (!isSentFromSite(sender, env.siteUrl)) return next()
    const answerMember = (userId: string | undefined) =>
      userId === undefined
        ? next()
        : void answer(res, async () => {
            await limitMemberCall(method, userId, env.rendersPerMinute)
            await limit('like', userId, LIKES_PER_MINUTE, MINUTE_SECONDS)
            if (act === like) await assertDiskSpace()
            return act(db, { id: userId }, dogId)
          })
    const found = findMember(headers.cookie)
    if (found instanceof Promise) void found.then(answerMember, () => next())
    else answerMember(found)
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** The answer of an endpoint: 200 with what `act` returns, or the problem+json of its error. */
async function respond(act: () => Promise<object>): Promise<{ status: number; headers: object; text: string }> {
  try {
    return { status: 200, headers: JSON_HEADERS, text: JSON.stringify(await act()) }
  } catch (error) {
    const problem = toProblem(error)
    return { status: problem.status, headers: Object.fromEntries(problem.headers), text: await problem.text() }
  }
}
