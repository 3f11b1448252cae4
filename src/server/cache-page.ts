import type { APIContext } from 'astro'

/**
 * Caches the page for its other readers until something that it has read is written (src/app/page-cache), for an hour at most, until midnight in Madrid, or until
 * `until` (ms), when what it shows changes by the clock alone. Call it in the page's frontmatter.
 */
export const cachePage = ({ locals }: Pick<APIContext, 'locals'>, until?: number): void => locals.cachePage?.(until)
