import { defineMiddleware, sequence } from 'astro:middleware'
import { getRequestServices } from './app/request-services.ts'
import { refuseWrongMethod } from './app/wrong-method.ts'
import { ISLAND_STYLE } from './layouts/critical-css.ts'
import { readFrame } from './features/account/session-info.http.ts'
import { findUser } from './features/auth/sessions/session.http.ts'
import { takeOverRiddles } from './features/riddle/take-over.http.ts'
import { keepAnswers, limitMemberCalls, refuseCrossOrigin, recoverErrors } from './server/api-middleware.ts'
import { securityHeaders } from './server/security/headers-middleware.ts'
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

/** Takes the style of islands out of the body of a page: it is part of the page's first style. */
const moveIslandStyle = defineMiddleware(async (_, next) => {
  const response = await next()
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/html')) return response
  return new Response((await response.text()).replace(ISLAND_STYLE, ''), response)
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
