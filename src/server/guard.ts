import { defineMiddleware } from 'astro:middleware'
import { AppError } from '#lib/errors.ts'
import { getEnv } from './env.ts'
import { checkOrigin } from './origin.ts'
import { problemOf } from './problem.ts'

/** Refuses mutations sent by other origins before anything else looks at them. */
export const checkSender = defineMiddleware((context, next) => {
  if (!context.isPrerendered) checkOrigin(context.request, getEnv().siteUrl)
  return next()
})

/** What a step after this one throws becomes the answer, so that no request ends in a bare 500. */
export const recoverErrors = defineMiddleware(async (context, next) => {
  try {
    return await next()
  } catch (error) {
    if (error instanceof AppError || context.url.pathname.startsWith('/api/')) return problemOf(error)
    throw error
  }
})
