/** A page that the device keeps. */
export interface CachedPage {
  path: string
  title: string
  /** When it was kept, milliseconds. */
  at: number
}

/** The page's title without the product's name; its path where it has none. */
export function parseTitle(html: string, path: string): string {
  const [, title = ''] = /<title>([^<]*)<\/title>/.exec(html) ?? []
  return decode(title.replace(/ \| Perrario$/, '')) || path
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", '#34': '"' }
const decode = (text: string) => text.replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)

/** The newest visit first; of pages with one title (a list under several filters) the newest. */
export function newestByTitle(pages: readonly CachedPage[]): CachedPage[] {
  const seen = new Set<string>()
  return pages.toSorted((a, b) => b.at - a.at).filter(({ title }) => !seen.has(title) && seen.add(title))
}
