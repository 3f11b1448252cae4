import { defineMiddleware } from 'astro:middleware'
import { INVALID_METHOD, problem } from '#server/problem.ts'

/** The routes of the API, by the address of their file, loaded when one is asked in a wrong way. */
const routes = import.meta.glob<Record<string, unknown>>('../pages/api/**/*.ts')
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The methods of the route with this pattern (`/api/dogs/[id]`); none for one that takes all. */
async function methodsOf(pattern: string): Promise<readonly string[]> {
  const load = routes[`../pages${pattern}.ts`] ?? routes[`../pages${pattern}/index.ts`]
  const route = (await load?.()) ?? {}
  // Astro answers HEAD by GET.
  return METHODS.filter((method) => method in route || (method === 'HEAD' && 'GET' in route))
}

/** Answers 405 with `Allow` (RFC 9110, 15.5.6) where an API route does not take the method: Astro answers an empty 404. */
export const refuseWrongMethod = defineMiddleware(async (context, next) => {
  const response = await next()
  const { routePattern, request } = context
  if (response.status !== 404 || response.body !== null || !routePattern.startsWith('/api/')) return response
  const methods = await methodsOf(routePattern)
  if (methods.length === 0 || methods.includes(request.method)) return response
  return problem(405, INVALID_METHOD, undefined, { Allow: methods.join(', ') })
})
