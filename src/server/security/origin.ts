import { forbidden } from '#lib/errors.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { noticeOrigin } from '#server/operator-warnings.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Mutations that do not rely on the cookie, so that another origin may send them: Apple's form_post callback and one-click
 * unsubscribe (docs/product.md §23.3). The share target, which the operating system sends, changes nothing.
 */
const CROSS_ORIGIN_PATHS = [
  '/api/auth/apple/callback',
  '/api/unsubscribe',
  '/api/digest/unsubscribe',
  `${lostPaths.api.lostAlerts}/unsubscribe`,
  '/api/message-mails/unsubscribe',
  paths.share,
]

const crossOriginError = () => forbidden('La petición viene de otro sitio.')

/** What a request says of the page that sent it: its headers Origin, Sec-Fetch-Site and Host. */
interface Sender {
  origin: string | null | undefined
  fetchSite: string | string[] | null | undefined
  host: string | null | undefined
}

/**
 * Whether a page of this site sent a mutation, or a program: browsers always send Origin or Sec-Fetch-Site; a program that sends neither
 * has no member's cookie.
 * @param siteUrl the public origin; undefined compares with the Host header
 */
export function isSentFromSite({ origin, fetchSite, host }: Sender, siteUrl: string | undefined): boolean {
  if (origin != null) return siteUrl ? origin === siteUrl : URL.parse(origin)?.host === host
  return fetchSite == null || fetchSite === 'same-origin' || fetchSite === 'none'
}

/** Refuses a mutation from a page of another origin. @param siteUrl as `isSentFromSite` @throws AppError 403 */
export function assertSameOrigin(request: Request, siteUrl: string | undefined): void {
  if (SAFE_METHODS.has(request.method) || CROSS_ORIGIN_PATHS.includes(new URL(request.url).pathname)) return
  const { headers } = request
  const sender = { origin: headers.get('origin'), fetchSite: headers.get('sec-fetch-site'), host: headers.get('host') }
  if (isSentFromSite(sender, siteUrl)) return
  const { origin, fetchSite } = sender
  // Its own page sent it, as far as browser and host say: only SITE_URL says otherwise.
  if (siteUrl && origin && (fetchSite === 'same-origin' || isSentFromSite(sender, undefined)))
    noticeOrigin(origin, siteUrl)
  throw crossOriginError()
}
