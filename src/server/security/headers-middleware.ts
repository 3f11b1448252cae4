import type { APIContext } from 'astro'
import { defineMiddleware } from 'astro:middleware'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import speculation from './speculation.rules?url'
import { CLEAR_PREFETCHED, documentHeaders } from './security-headers.ts'

let documentHeaderEntries: [string, string][] | undefined

/** Pages with secrets of an account: no browser stores them, not even for Back. */
const NO_STORE_PATHS = new Set<string>([paths.admin, paths.account, paths.signInCode])
/**
 * Pages whose address may contain a secret: nobody keeps them, and no other site sees their address. Not `no-referrer`, under which browsers
 * send a form's Origin as `null`, which the origin check refuses.
 */
const SECRET_PATHS =
  /^\/(?:baja|deshacer|login\/enlace|me-falta|mensajes\/confirmar|no-he-sido-yo|perfil\/\d+|recuperar)$/

export const securityHeaders = defineMiddleware(async (context, next) => {
  const response = await next()
  if (context.isPrerendered) return response
  for (const [name, value] of (documentHeaderEntries ??= Object.entries(documentHeaders(getEnv()))))
    if (!response.headers.has(name)) response.headers.set(name, value)
  // Astro's own policy names every file of the build (integrations/content-policy.ts).
  const isPage = response.headers.get('Content-Type')?.startsWith('text/html')
  const policy = isPage ? context.locals.policy : undefined
  // Other answers have the policy of pipeline.ts.
  if (policy) response.headers.set('Content-Security-Policy', policy)
  else response.headers.delete('Content-Security-Policy')
  const { pathname } = context.url
  const isSecret = SECRET_PATHS.test(pathname)
  if (isSecret) response.headers.set('Referrer-Policy', 'same-origin')
  if (isSecret || NO_STORE_PATHS.has(pathname)) response.headers.set('Cache-Control', 'no-store')
  // Revalidated each time: a visitor's page has an ETag, and only the browser may store a member's page.
  if (!response.headers.has('Cache-Control'))
    response.headers.set('Cache-Control', context.locals.user ? 'private, no-cache' : 'no-cache')
  setSpeculationHeaders(context, response)
  return response
})

/**
 * Names the speculation rules in a header, so that no page needs an inline script. They cover links to pages that a GET only
 * shows. Every call that changes something clears the prefetched pages.
 */
function setSpeculationHeaders({ request, url }: APIContext, response: Response): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // Browsers log an error where a call without credentials is answered with Clear-Site-Data.
  const hasCredentials = url.pathname.startsWith('/api/auth/') || request.headers.has('Cookie')
  if (!isRead && hasCredentials) response.headers.set('Clear-Site-Data', CLEAR_PREFETCHED)
  else if (response.headers.get('Content-Type')?.startsWith('text/html'))
    response.headers.set('Speculation-Rules', `"${speculation}"`)
}
