import type { CacheOptions, CacheProvider } from 'astro'
import { openPages } from './shared.ts'

/** How a render's tags and age travel to whoever asked for it (render.ts); they never leave the server. */
export const TAGS_HEADER = 'perrario-tags'
export const AGE_HEADER = 'perrario-max-age'
/** On the requests that render.ts makes. */
export const KEEP_HEADER = 'perrario-keep'

/**
 * Astro's route cache over the server's own page cache (front.ts). Pages say `Astro.cache.set({ tags })`; hits are
 * answered before Astro builds a Request, so nothing is left to do for one that gets here but to hand on the tags.
 */
export default function provider(): CacheProvider {
  return {
    name: 'perrario',
    setHeaders(options: CacheOptions, request: Request): Headers {
      const headers = new Headers()
      if (!request.headers.has(KEEP_HEADER)) return headers
      headers.set(TAGS_HEADER, (options.tags ?? []).join(','))
      if (options.maxAge !== undefined) headers.set(AGE_HEADER, String(options.maxAge))
      return headers
    },
    async invalidate({ tags, path }): Promise<void> {
      const pages = openPages()
      for (const tag of [tags ?? []].flat()) pages?.invalidate(tag)
      if (path !== undefined) pages?.forget(path)
    },
  }
}
