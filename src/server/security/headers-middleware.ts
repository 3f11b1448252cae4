import type { APIContext } from 'astro'
import { defineMiddleware } from 'astro:middleware'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import speculation from './speculation.rules?url'
import { documentHeaders } from './security-headers.ts'

let documentHeaderEntries: [string, string][] | undefined

/** Pages that show what lets somebody into an account or out of it: no browser keeps them, not for the way back either. */
const NO_STORE_PATHS = new Set<string>([paths.admin, paths.account, paths.signInCode, '/login/enlace'])

export const securityHeaders = defineMiddleware(async (context, next) => {
  const response = await next()
  if (context.isPrerendered) return response
  for (const [name, value] of (documentHeaderEntries ??= Object.entries(documentHeaders(getEnv()))))
    if (!response.headers.has(name)) response.headers.set(name, value)
  // Astro's own names every file of the build (integrations/content-policy.ts).
  const isPage = response.headers.get('Content-Type')?.startsWith('text/html')
  const policy = isPage ? context.locals.policy : undefined
  // What is no page has the one of requests.ts.
  if (policy) response.headers.set('Content-Security-Policy', policy)
  else response.headers.delete('Content-Security-Policy')
  if (NO_STORE_PATHS.has(context.url.pathname)) response.headers.set('Cache-Control', 'no-store')
  // Asked for again each time: a visitor's page has a version to compare, a member's is kept by no one but the browser.
  if (!response.headers.has('Cache-Control'))
    response.headers.set('Cache-Control', context.locals.user ? 'private, no-cache' : 'no-cache')
  setSpeculationHeaders(context, response)
  return response
})

/**
 * Which links a browser may fetch ahead, named in a header so that no page needs an inline script: those to pages that a GET
 * only shows. What it holds ahead goes with every call that changes something.
 */
function setSpeculationHeaders({ request, url }: APIContext, response: Response): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // A call without credentials may not be answered so: the browser logs that as an error.
  const isOurs = url.pathname.startsWith('/api/auth/') || request.headers.has('Cookie')
  if (!isRead && isOurs) response.headers.set('Clear-Site-Data', '"prefetchCache"')
  else if (response.headers.get('Content-Type')?.startsWith('text/html'))
    response.headers.set('Speculation-Rules', `"${speculation}"`)
}
