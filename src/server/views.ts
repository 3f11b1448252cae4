import { defineMiddleware } from 'astro:middleware'
import { paths } from '#lib/paths.ts'

const LISTS: string[] = [paths.home, paths.dogs]
/** Tabs of the home route that are pages of their own (pages/index.astro). */
const TABS = ['mine', 'profile', 'community', 'breeds']

/**
 * The map is the list's address with `view=map` (spec.md §2), but a page of its own here: a page's styles are those of
 * everything it might show, and pages without a map carry nothing of it.
 */
export const mapView = defineMiddleware(({ url, isPrerendered }, next) => {
  if (isPrerendered || !LISTS.includes(url.pathname) || url.searchParams.get('view') !== 'map') return next()
  return TABS.includes(url.searchParams.get('tab') ?? '') ? next() : next(paths.dogsMap + url.search)
})
