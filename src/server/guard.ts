import { defineMiddleware } from 'astro:middleware'
import { AppError } from '#lib/errors.ts'
import { getEnv } from './env.ts'
import { checkOrigin } from './origin.ts'
import { problem, problemOf } from './problem.ts'
import { limit } from './rate.ts'

const MINUTE = 60
/** Of one network and of one member, beside what each call counts for itself. A room full of people stays far below. */
const WRITES_OF_AN_IP = 3000
const WRITES_OF_A_MEMBER = 2000

/** Refuses mutations sent by other origins before anything else looks at them. */
export const checkSender = defineMiddleware((context, next) => {
  if (!context.isPrerendered) checkOrigin(context.request, getEnv().siteUrl)
  return next()
})

/**
 * The limit of every call, whatever others it has of its own: no route is left without one. Where the operator does not limit
 * pages (RENDERS_PER_MINUTE=0), calls are not limited either.
 */
export const paceCalls = defineMiddleware(async ({ isPrerendered, locals, request, url }, next) => {
  const perMinute = isPrerendered ? 0 : getEnv().rendersPerMinute
  if (perMinute === 0) return next()
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead) {
    await limit('writes of an ip', locals.ip, WRITES_OF_AN_IP, MINUTE)
    if (locals.user) await limit('writes of a member', locals.user.id, WRITES_OF_A_MEMBER, MINUTE)
  } else if (url.pathname.startsWith('/api/')) await limit('reads of an ip', locals.ip, perMinute * 2, MINUTE)
  return next()
})

const UNKNOWN = 'No existe esta dirección de la API.'

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
    return isLost ? problem(404, UNKNOWN) : response
  } catch (error) {
    if (error instanceof AppError || isApi) return problemOf(error)
    throw error
  }
})
