import { defineMiddleware, sequence } from 'astro:middleware'
import { getRequestServices } from './app/request-services.ts'
import { refuseWrongMethod } from './app/wrong-method.ts'
import { readFrame } from './features/account/session-info.http.ts'
import { findUser } from './features/auth/sessions/session.http.ts'
import { takeOverRiddles } from './features/riddle/take-over.http.ts'
import { keepAnswers, limitMemberCalls, refuseCrossOrigin, recoverErrors } from './server/api-middleware.ts'
import { securityHeaders } from './server/security/headers-middleware.ts'
import { moveIslandStyle } from './server/island-style.ts'
import { redirectMoved, rewriteViews } from './server/rewrites.ts'
import { sendWritten } from './server/written.http.ts'

/** Puts the program's services into `locals`, and in development the client's address, which the pipeline gives otherwise. */
const provideServices = defineMiddleware((context, next) => {
  const { isPrerendered, locals } = context
  if (isPrerendered) return next()
  Object.assign(locals, getRequestServices())
  locals.network ??= context.clientAddress
  return next()
})

/** Puts the time spent on the answer into `Server-Timing`, where any browser shows it. */
const serverTiming = defineMiddleware(async (context, next) => {
  if (context.isPrerendered) return next()
  const start = performance.now()
  const response = await next()
  response.headers.append('Server-Timing', `total;dur=${(performance.now() - start).toFixed(1)}`)
  return response
})

/** The middleware of every Astro request, in this order. Rights are not checked here: each action checks its own. */
export const onRequest = sequence(
  provideServices,
  sendWritten,
  serverTiming,
  securityHeaders,
  recoverErrors,
  refuseWrongMethod,
  refuseCrossOrigin,
  findUser,
  takeOverRiddles,
  limitMemberCalls,
  keepAnswers,
  readFrame,
  redirectMoved,
  rewriteViews,
  moveIslandStyle,
)
