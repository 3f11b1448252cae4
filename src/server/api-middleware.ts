import { defineMiddleware } from 'astro:middleware'
import { AppError } from '#lib/errors.ts'
import { limitMemberCall, limitNetworkCall } from './limits/api-limits.ts'
import { getEnv } from './env.ts'
import { assertSameOrigin } from './security/origin.ts'
import { problem, toProblem } from './problem.ts'

/** Refuses mutations sent by other origins before anything else looks at them. */
export const refuseCrossOrigin = defineMiddleware((context, next) => {
  if (!context.isPrerendered) assertSameOrigin(context.request, getEnv().siteUrl)
  return next()
})

/** Counts the calls of a network, before anything is looked up for them; what is prerendered is no call. */
export const limitNetworkCalls = defineMiddleware(async (context, next) => {
  const { isPrerendered, locals, request, url } = context
  if (isPrerendered) return next()
  locals.ip ??= context.clientAddress
  await limitNetworkCall({ method: request.method, path: url.pathname, ip: locals.ip }, getEnv().rendersPerMinute)
  return next()
})

/** Counts the calls of a member, once the session is known. */
export const limitMemberCalls = defineMiddleware(async ({ isPrerendered, locals, request }, next) => {
  if (!isPrerendered) await limitMemberCall(request.method, locals.user?.id, getEnv().rendersPerMinute)
  return next()
})

const UNKNOWN_ENDPOINT = 'No existe esta dirección de la API.'

/**
 * What a step after this one throws becomes the answer, so that no request ends in a bare 500. The same where an address
 * of the API does not know the method, or no route takes it (`[...rest]` takes no line's end): Astro answers a program
 * with the page for people who lost their way.
 */
export const recoverErrors = defineMiddleware(async (context, next) => {
  const isApi = context.url.pathname.startsWith('/api/')
  try {
    const response = await next()
    const isLost = isApi && response.status === 404 && !/json/.test(response.headers.get('content-type') ?? '')
    return isLost ? problem(404, UNKNOWN_ENDPOINT) : response
  } catch (error) {
    if (error instanceof AppError || isApi) return toProblem(error)
    throw error
  }
})
