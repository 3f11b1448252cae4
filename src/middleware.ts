import { defineMiddleware, sequence } from 'astro:middleware'
import { isDatabaseOpen, startDatabase } from '#server/db.ts'
import { checkSender, paceCalls, recoverErrors } from '#server/guard.ts'
import { securityHeaders } from '#server/headers.ts'
import { findUser } from '#server/session.ts'
import { serverTiming } from '#server/timing.ts'
import { views } from '#server/views.ts'

/** The development server has no scripts/serve.ts before it: the first request opens the database. */
const openDatabase = defineMiddleware(async (context, next) => {
  if (!context.isPrerendered && !isDatabaseOpen()) await startDatabase()
  return next()
})

/** What every request goes through, in this order. Rights are not here: each deed checks its own. */
export const onRequest = sequence(
  serverTiming,
  securityHeaders,
  recoverErrors,
  openDatabase,
  checkSender,
  findUser,
  paceCalls,
  views,
)
