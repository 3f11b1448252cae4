import { defineMiddleware } from 'astro:middleware'

/** Puts the time spent on the answer in `Server-Timing`, where any browser shows it. Streaming pages: time to first byte. */
export const serverTiming = defineMiddleware(async (context, next) => {
  if (context.isPrerendered) return next()
  const start = performance.now()
  const response = await next()
  response.headers.append('Server-Timing', `total;dur=${(performance.now() - start).toFixed(1)}`)
  return response
})
