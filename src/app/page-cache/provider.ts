import type { CacheProvider } from 'astro'
import type { PageStore } from './store.ts'

let activeStore: PageStore | undefined

/** Sets the store that `Astro.cache.invalidate` evicts from; undefined without a page cache (PAGE_CACHE=off, development). */
export const setActiveStore = (store: PageStore | undefined): void => void (activeStore = store)

/**
 * Connects Astro's route cache to the program's own (page-cache.ts), which answers before Astro builds a Request. Pages call
 * `Astro.cache.set({ tags })`; src/middleware.ts passes the options to the page cache, so no header is sent.
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
