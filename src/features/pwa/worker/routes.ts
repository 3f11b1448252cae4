import { paths } from '#lib/paths.ts'

/** How the worker handles a request. `untouched` ones go to the network as if there were no worker. */
export type Route = 'untouched' | 'page' | 'photo' | 'piece' | 'drawing' | 'data' | 'share'

interface RoutedRequest {
  url: string
  method: string
  /** The request's mode: `navigate` for pages. */
  mode: string
}

/** Never handled: the API and its stream, the admin's pages, fragments, the worker itself, files for crawlers. */
const UNTOUCHED_PATTERN = /^\/(api|admin|fragments)(\/|$)|^\/sw\.js$|^\/healthz(\/|$)|\.(atom|txt|xml)$/
const DATA_PATHS: readonly string[] = [paths.api.breedNames, new URL(paths.api.places(''), 'http://x').pathname]
const DRAWING_PATTERN = /^\/(retratos|dibujos|mapa)\/|^\/[\w-]+\.(svg|png|webmanifest)$/

/** @param origin the worker's own origin */
export function routeOf({ url, method, mode }: RoutedRequest, origin: string): Route {
  const address = new URL(url)
  const { pathname } = address
  if (address.origin !== origin) return 'untouched'
  if (method === 'POST' && pathname === paths.share) return 'share'
  if (method !== 'GET') return 'untouched'
  if (DATA_PATHS.includes(pathname)) return 'data'
  if (UNTOUCHED_PATTERN.test(pathname)) return 'untouched'
  if (mode === 'navigate') return 'page'
  if (/^\/(_ipx|photos)\//.test(pathname)) return 'photo'
  if (pathname.startsWith('/_astro/')) return 'piece'
  return DRAWING_PATTERN.test(pathname) ? 'drawing' : 'untouched'
}

/** Whether a request signs in or out; the cached pages are then deleted. */
export const changesSession = (url: string): boolean =>
  /^\/api\/auth\/(code|link|sign-out|dev|\w+\/callback)$/.test(new URL(url).pathname)

const SESSION_END_PATHS: readonly string[] = [paths.api.signOut, paths.api.accountSessions, paths.api.account]

/** Whether a request ends this device's session; its push subscription then ends, too. */
export const endsSession = ({ url, method }: Pick<RoutedRequest, 'url' | 'method'>): boolean =>
  method !== 'GET' && SESSION_END_PATHS.includes(new URL(url).pathname)

/** Whether a response may be cached by its own Cache-Control. */
export const isCacheable = (headers: Headers): boolean => !/no-store|private/.test(headers.get('cache-control') ?? '')
