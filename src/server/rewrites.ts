import { defineMiddleware } from 'astro:middleware'
import { getOwn } from '#lib/identifiers.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'

const LIST_PATHS: string[] = [paths.home, paths.dogs]
/** The page of `paths.following`. */
export const FOLLOWING_PAGE = '/perros/siguiendo'
/** Tabs of the home route that lead to other pages (pages/index.astro). */
const LINKED_TABS = ['profile', 'community', 'breeds']

/** The page of a mail's last link. */
const UNSUBSCRIBING = '/baja'
/** Where pages are that were merged into others. */
const MOVED: Record<string, string> = {
  '/admin/avistamientos': lostPaths.adminSightings,
  '/admin/encontrados': lostPaths.adminFound,
  '/admin/mensajes': lostPaths.adminMessages,
  '/comunidad/semana': '/insignias#semana',
  '/mensajes/baja': UNSUBSCRIBING,
  '/perdidos/avisos': '/perfil/avisos#perdidos',
  '/perdidos/avisos/baja': UNSUBSCRIBING,
  '/perfil/codigos': '/perfil/seguridad#recuperacion',
  '/perfil/decisiones': '/perfil/seguridad#decisiones',
  '/perfil/zona': '/perfil/avisos#mi-zona',
}

/** Answers 301 to the old address of a page that is now part of another one. Only a mail's link keeps its parameters. */
export const redirectMoved = defineMiddleware(({ isPrerendered, redirect, url }, next) => {
  const moved = isPrerendered ? undefined : getOwn(MOVED, url.pathname)
  return moved === undefined ? next() : redirect(moved === UNSUBSCRIBING ? moved + url.search : moved, 301)
})

/**
 * Rewrites the list's address with `view=map` to the map's page, and the home route's with `tab=mine` to the member's album
 * and with `tab=following` to what they follow (docs/product.md §2.1). They are pages of their own because a page loads the styles of
 * everything that it might show.
 */
export const rewriteViews = defineMiddleware(({ url, isPrerendered }, next) => {
  if (isPrerendered || !LIST_PATHS.includes(url.pathname)) return next()
  const tab = url.pathname === paths.home ? url.searchParams.get('tab') : null
  if (tab === 'mine') return next(paths.mine + url.search)
  if (tab === 'following') return next(FOLLOWING_PAGE + url.search)
  if (url.searchParams.get('view') !== 'map' || LINKED_TABS.includes(tab ?? '')) return next()
  return next(paths.dogsMap + url.search)
})
