import { paths } from '#lib/paths.ts'

/** What a request is to the worker. `untouched` goes to the network as if there were no worker. */
export type Route = 'untouched' | 'page' | 'photo' | 'piece' | 'drawing' | 'data' | 'share'

interface RoutedRequest {
  url: string
  method: string
  /** The request's mode: `navigate` for pages. */
  mode: string
}

/** Never looked at: the live stream and every call, the admin's pages, pieces of pages, the worker itself, what robots read. */
const UNTOUCHED_PATTERN = /^\/(api|admin|fragments)(\/|$)|^\/(sw\.js|healthz)$|\.(atom|txt|xml)$/
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

/** Calls that sign somebody in or out: whatever pages were kept go. */
export const changesSession = (url: string): boolean =>
  /^\/api\/auth\/(code|link|sign-out|dev|\w+\/callback)$/.test(new URL(url).pathname)

const SESSION_END_PATHS: readonly string[] = [paths.api.signOut, paths.api.accountSessions, paths.api.account]

/** Calls after which this device belongs to nobody: notices on it end too. */
export const endsSession = ({ url, method }: Pick<RoutedRequest, 'url' | 'method'>): boolean =>
  method !== 'GET' && SESSION_END_PATHS.includes(new URL(url).pathname)

/** True where an answer says itself that nobody may keep it. */
export const isCacheable = (headers: Headers): boolean => !/no-store|private/.test(headers.get('cache-control') ?? '')
