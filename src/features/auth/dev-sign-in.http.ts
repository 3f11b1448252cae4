import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod/mini'
import { forbidden } from '#lib/errors.ts'
import { endpoint } from '#server/endpoint.ts'
import { closeSession, openSession } from './sessions/session.http.ts'
import { ensureUserNow } from './users.server.ts'
import { noSessionAnswer, openedSessionAnswer } from './answers.ts'

// Only integrations/dev-toggle.ts routes here, in development.

const LOOPBACK = /^(::1|127\.\d+\.\d+\.\d+|::ffff:127\.\d+\.\d+\.\d+)$/
const FAKE_USER_EMAIL = 'dev@perrario.test'
/** Milliseconds that imitate a real sign-in (docs/product.md §10.8). */
const SIGN_IN_DELAY_MS = 1000
const SIGN_OUT_DELAY_MS = 500

/** POST /api/auth/dev: signs the fake user in, or the current user out. From this machine only. @throws AppError 403 */
export const POST = endpoint({ 200: z.union([openedSessionAnswer, noSessionAnswer]) }, async (context) => {
  if (!LOOPBACK.test(context.locals.network)) throw forbidden()
  if (context.locals.user) {
    await wait(SIGN_OUT_DELAY_MS)
    await closeSession(context)
    return { user: null, expiresAt: null }
  }
  await wait(SIGN_IN_DELAY_MS)
  const account = await ensureUserNow(context.locals.db, FAKE_USER_EMAIL)
  return openSession(context, account, { method: 'dev', length: 'dev' })
})
