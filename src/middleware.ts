import { defineMiddleware, sequence } from 'astro:middleware'
import { servicesOfRequest } from '#app/current.ts'
import { findUser } from '#features/auth/session.http.ts'
import { checkSender, paceCalls, recoverErrors } from '#server/guard.ts'
import { securityHeaders } from '#server/headers.ts'
import { serverTiming } from '#server/timing.ts'
import { views } from '#server/views.ts'

/** Hands the program's services to what answers. */
const giveServices = defineMiddleware(({ isPrerendered, locals }, next) => {
  if (!isPrerendered) Object.assign(locals, servicesOfRequest())
  return next()
})

/** Tells the page cache what the page is about, where it asked. */
const tellKept = defineMiddleware(async (context, next) => {
  const response = await next()
  const { keep } = context.locals
  if (!keep) return response
  // Astro renders the page of an error without a cache.
  const cache = context.cache as typeof context.cache | undefined
  if (cache) keep(cache.options)
  return response
})

/** What every request goes through once it is Astro's, in this order. Rights are not here: each deed checks its own. */
export const onRequest = sequence(
  giveServices,
  serverTiming,
  securityHeaders,
  recoverErrors,
  checkSender,
  findUser,
  paceCalls,
  tellKept,
  views,
)
