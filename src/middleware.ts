import { defineMiddleware, sequence } from 'astro:middleware'
import { getRequestServices } from './app/request-services.ts'
import { findUser } from './features/auth/sessions/session.http.ts'
import { limitMemberCalls, limitNetworkCalls, refuseCrossOrigin, recoverErrors } from './server/api-middleware.ts'
import { securityHeaders } from './server/security/headers-middleware.ts'
import { serverTiming } from './server/server-timing.ts'
import { rewriteViews } from './server/rewrites.ts'

/** Hands the program's services to what answers. */
const provideServices = defineMiddleware(({ isPrerendered, locals }, next) => {
  if (!isPrerendered) Object.assign(locals, getRequestServices())
  return next()
})

/** Tells the page cache what the page is about, where it asked. */
const reportCacheOptions = defineMiddleware(async (context, next) => {
  const response = await next()
  const { setCacheOptions } = context.locals
  if (!setCacheOptions) return response
  // Astro renders the page of an error without a cache.
  const cache = context.cache as typeof context.cache | undefined
  if (cache) setCacheOptions(cache.options)
  return response
})

/** What every request goes through once it is Astro's, in this order. Rights are not here: each deed checks its own. */
export const onRequest = sequence(
  provideServices,
  serverTiming,
  securityHeaders,
  recoverErrors,
  refuseCrossOrigin,
  limitNetworkCalls,
  findUser,
  limitMemberCalls,
  reportCacheOptions,
  rewriteViews,
)
