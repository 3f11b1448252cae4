import type { PageStore } from './store.ts'

/** On globalThis: the sources open the cache, and Astro's bundle, a module graph of its own, empties it. */
const shared = globalThis as { [key: symbol]: PageStore | undefined }
const KEY = Symbol.for('perrario.pages')

/** The server's page cache; undefined where there is none (PAGE_CACHE=off, development). */
export const openPages = (): PageStore | undefined => shared[KEY]

export const sharePages = (pages: PageStore | undefined): void => void (shared[KEY] = pages)
