import type { CacheProvider } from 'astro'
import type { PageStore } from './store.ts'

let activeStore: PageStore | undefined

/** Names the store that `Astro.cache.invalidate` empties; undefined where pages are not kept (PAGE_CACHE=off, development). */
export const setActiveStore = (store: PageStore | undefined): void => void (activeStore = store)

/**
 * Astro's route cache over the program's own (page-cache.ts), which answers before Astro builds a Request. Pages say
 * `Astro.cache.set({ tags })`; src/middleware.ts hands that to whoever had the page rendered, so no header is sent.
 */
export default function provider(): CacheProvider {
  return {
    name: 'perrario',
    setHeaders: () => new Headers(),
    async invalidate({ tags, path }): Promise<void> {
      for (const tag of [tags ?? []].flat()) activeStore?.invalidate(tag)
      if (path !== undefined) activeStore?.evict(path)
    },
  }
}
