import { DECLARATION, element, escapeXml, parent, timestamp } from './xml.ts'

/** An address of the sitemap. Paths, made absolute when written; `changed` in milliseconds. */
export interface SitemapEntry {
  path: string
  changed?: number | undefined
  /** Addresses of the pictures on it. */
  images?: readonly string[]
}

/** Dogs or members that one file should hold, while 256 files are enough for all of them. */
export const PART_TARGET_SIZE = 2000
/** What the protocol lets a file hold (sitemaps.org). */
export const PART_LIMIT = 50_000

const HEX_DIGITS = [...'0123456789abcdef']

/**
 * Into how many digits of the id the files of `count` things are split: 0 is one file, 1 sixteen, 2 two hundred and
 * fifty-six. Ids are random, so each file gets its share and a thing never moves to another while the split stays.
 */
export function prefixLengthFor(count: number): 0 | 1 | 2 {
  if (count <= PART_TARGET_SIZE) return 0
  return count <= PART_TARGET_SIZE * 16 ? 1 : 2
}

/** The beginnings of ids that `digits` makes: `['']`, `['0', …, 'f']`, `['00', …, 'ff']`. */
export const idPrefixes = (digits: 0 | 1 | 2): string[] =>
  digits === 0 ? [''] : idPrefixes((digits - 1) as 0 | 1).flatMap((start) => HEX_DIGITS.map((digit) => start + digit))

/** What every id that begins with `prefix` stands between: from, and before. */
export function idRangeOf(prefix: string): { from: string; before: string } {
  if (prefix === '') return { from: '', before: 'g' }
  return { from: prefix, before: prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1) }
}

export const SITEMAP_KINDS = ['paginas', 'razas', 'perros', 'miembros'] as const
export type SitemapKind = (typeof SITEMAP_KINDS)[number]

/** The name of a file as its address has it: `perros`, `perros-a3`. */
export const partName = (kind: SitemapKind, prefix: string): string => (prefix ? `${kind}-${prefix}` : kind)

/** What a file's name says; null where no file is called so. */
export function parsePartName(name: string): { kind: SitemapKind; prefix: string } | null {
  const [, kind, prefix = ''] = /^(paginas|razas|perros|miembros)(?:-([0-9a-f]{1,2}))?$/.exec(name) ?? []
  return kind ? { kind: kind as SitemapKind, prefix } : null
}

const NAMESPACE = ' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const IMAGES = ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'

const lastmod = (changed: number | undefined) => (changed === undefined ? [] : [element('lastmod', timestamp(changed))])

/** The index: one line for each file. */
export function sitemapIndex(
  siteUrl: string,
  parts: readonly { path: string; changed?: number | undefined }[],
): string {
  const lines = parts.map(({ path, changed }) =>
    parent('sitemap', [element('loc', new URL(path, siteUrl).href), ...lastmod(changed)]),
  )
  return `${DECLARATION}${parent('sitemapindex', lines, NAMESPACE)}\n`
}

/** One file of addresses, with their pictures. */
export function sitemapPart(siteUrl: string, entries: readonly SitemapEntry[]): string {
  const absolute = (path: string) => escapeXml(new URL(path, siteUrl).href)
  const lines = entries.map(({ path, changed, images = [] }) =>
    parent('url', [
      `<loc>${absolute(path)}</loc>`,
      ...lastmod(changed),
      ...images.map((image) => `<image:image><image:loc>${absolute(image)}</image:loc></image:image>`),
    ]),
  )
  return `${DECLARATION}${parent('urlset', lines, NAMESPACE + IMAGES)}\n`
}
