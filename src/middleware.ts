import { defineMiddleware, sequence } from 'astro:middleware'
import { shareWrite, WRITTEN_COOKIE, WRITTEN_HEADER, writtenCookieOptions } from './app/page-cache/written-position.ts'
import { getRequestServices } from './app/request-services.ts'
import { refuseWrongMethod } from './app/wrong-method.ts'
import { readFrame } from './features/account/session-info.http.ts'
import { findUser } from './features/auth/sessions/session.http.ts'
import { takeOverRiddles } from './features/riddle/take-over.http.ts'
import { keepAnswers, limitMemberCalls, refuseCrossOrigin, recoverErrors } from './server/api-middleware.ts'
import { securityHeaders } from './server/security/headers-middleware.ts'
import { isHttpsSite } from './server/env.ts'
import { redirectMoved, rewriteViews } from './server/rewrites.ts'

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

/** Reports a page's cache options to the page cache that requested it. */
const reportCacheOptions = defineMiddleware(async (context, next) => {
  const response = await next()
  const { setCacheOptions } = context.locals
  if (!setCacheOptions) return response
  // Astro renders the page of an error without a cache.
  const cache = context.cache as typeof context.cache | undefined
  if (cache) setCacheOptions(cache.options)
  return response
})

/**
 * On PostgreSQL: reads the write of this request before its answer is sent, so that this node shows it, wakes the other nodes, and tells
 * the sender what a node must have read to answer them.
 */
const shareWrites = defineMiddleware(async ({ cookies, isPrerendered, locals, request }, next) => {
  if (isPrerendered || !locals.changes || request.method === 'GET' || request.method === 'HEAD') return next()
  const before = locals.changes.position()
  const response = await next()
  const position = await shareWrite(locals.changes, before)
  if (position === undefined) return response
  cookies.set(WRITTEN_COOKIE, position, writtenCookieOptions(isHttpsSite()))
  response.headers.set(WRITTEN_HEADER, position)
  return response
})

/** The middleware of every Astro request, in this order. Rights are not checked here: each action checks its own. */
export const onRequest = sequence(
  provideServices,
  shareWrites,
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
  reportCacheOptions,
  redirectMoved,
  rewriteViews,
)
