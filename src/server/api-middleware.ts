import { defineMiddleware } from 'astro:middleware'
import { AppError } from '#lib/errors.ts'
import { limitMemberCall } from './limits/api-limits.ts'
import { getEnv } from './env.ts'
import { claimRequest, RepeatedRequest, settleRequest } from './idempotency.ts'
import { assertSameOrigin } from './security/origin.ts'
import { problem, toUnavailablePage, toProblem } from './problem.ts'

/** Refuses mutations sent by other origins before anything else looks at them. */
export const refuseCrossOrigin = defineMiddleware((context, next) => {
  if (!context.isPrerendered) assertSameOrigin(context.request, getEnv().siteUrl)
  return next()
})

/** Counts the calls of a member, once the session is known. Those of a network count before Astro (app/pipeline.ts). */
export const limitMemberCalls = defineMiddleware(async ({ isPrerendered, locals, request }, next) => {
  if (!isPrerendered) await limitMemberCall(request.method, locals.user?.id, getEnv().rendersPerMinute)
  return next()
})

/** Keeps the answer of a POST with an idempotency key, for a repetition. */
export const keepAnswers = defineMiddleware(async (context, next) => {
  if (context.isPrerendered || context.request.method !== 'POST') return next()
  const { headers } = context.request
  try {
    if (!Number(headers.get('content-length')) && !headers.has('transfer-encoding')) await claimRequest(context, '')
    const response = await next()
    await settleRequest(context, response)
    return response
  } catch (error) {
    if (error instanceof RepeatedRequest) return error.answer
    await settleRequest(context)
    throw error
  }
})

const UNKNOWN_ENDPOINT = 'No existe esta dirección de la API.'

/**
 * Turns errors of later steps into answers, so that no request ends in a bare 500. Also turns Astro's 404 page into
 * problem+json where an API route does not know the method or no route matches (`[...rest]` matches no line break).
 */
export const recoverErrors = defineMiddleware(async (context, next) => {
  const isApi = context.url.pathname.startsWith('/api/')
  try {
    const response = await next()
    const isUnknownEndpoint =
      isApi && response.status === 404 && !/json/.test(response.headers.get('content-type') ?? '')
    return isUnknownEndpoint ? problem(404, UNKNOWN_ENDPOINT) : response
  } catch (error) {
    if (error instanceof AppError || isApi) return toProblem(error)
    const page = toUnavailablePage(error)
    if (page) return page
    throw error
  }
})
