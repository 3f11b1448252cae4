/** A page in the device's cache. */
export interface CachedPage {
  path: string
  title: string
  /** When it was cached, ms. */
  at: number
}

/** The page's title without the product's name; its path where it has none. */
export function parseTitle(html: string, path: string): string {
  const [, title = ''] = /<title>([^<]*)<\/title>/.exec(html) ?? []
  return decodeEntities(title.replace(/ \| Perrario$/, '')) || path
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", '#34': '"' }
const decodeEntities = (text: string) => text.replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)

/** Sorts by the time of the visit, newest first; of pages with the same title (a list under several filters) only the newest stays. */
export function newestByTitle(pages: readonly CachedPage[]): CachedPage[] {
  const seen = new Set<string>()
  return pages.toSorted((a, b) => b.at - a.at).filter(({ title }) => !seen.has(title) && seen.add(title))
}
