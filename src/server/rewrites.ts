import { defineMiddleware } from 'astro:middleware'
import { paths } from '#lib/paths.ts'

const LIST_PATHS: string[] = [paths.home, paths.dogs]
/** Tabs of the home route that lead to other pages (pages/index.astro). */
const LINKED_TABS = ['profile', 'community', 'breeds']

/**
 * The map is the list's address with `view=map`, and the own album the home route's with `tab=mine` (docs/product.md §2.1), but pages of
 * their own here: a page's styles are those of everything it might show, and the list carries nothing of either.
 */
export const rewriteViews = defineMiddleware(({ url, isPrerendered }, next) => {
  if (isPrerendered || !LIST_PATHS.includes(url.pathname)) return next()
  const tab = url.pathname === paths.home ? url.searchParams.get('tab') : null
  if (tab === 'mine') return next(paths.mine + url.search)
  if (url.searchParams.get('view') !== 'map' || LINKED_TABS.includes(tab ?? '')) return next()
  return next(paths.dogsMap + url.search)
})
