import { forbidden } from '#lib/errors.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Mutations that do not rely on the cookie, so that another origin may send them: Apple's form_post callback and one-click
 * unsubscribe (docs/product.md §23.3). The share target, which the operating system sends, changes nothing.
 */
const CROSS_ORIGIN_PATHS = [
  '/api/auth/apple/callback',
  '/api/digest/unsubscribe',
  `${lostPaths.api.lostAlerts}/unsubscribe`,
  '/api/message-mails/unsubscribe',
  paths.share,
]

const crossOriginError = () => forbidden('La petición viene de otro sitio.')

/**
 * Refuses a mutation from a page of another origin. Browsers always send its Origin or Sec-Fetch-Site; a program that sends neither
 * has no member's cookie, so it passes.
 * @param siteUrl the public origin; undefined compares with the Host header
 * @throws AppError 403
 */
export function assertSameOrigin(request: Request, siteUrl: string | undefined): void {
  if (SAFE_METHODS.has(request.method) || CROSS_ORIGIN_PATHS.includes(new URL(request.url).pathname)) return
  const origin = request.headers.get('origin')
  if (origin !== null) {
    const isSameOrigin = siteUrl ? origin === siteUrl : URL.parse(origin)?.host === request.headers.get('host')
    if (!isSameOrigin) throw crossOriginError()
    return
  }
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw crossOriginError()
}
