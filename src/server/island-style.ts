import { defineMiddleware } from 'astro:middleware'
import { ISLAND_STYLE } from '#lib/critical-css.ts'

/** Takes the style of islands out of the body of a page: it is part of the page's first style. */
export const moveIslandStyle = defineMiddleware(async (_, next) => {
  const response = await next()
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/html')) return response
  return new Response((await response.text()).replace(ISLAND_STYLE, ''), response)
})
