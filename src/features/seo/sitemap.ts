import { DECLARATION, element, escapeXml, parent, timestamp } from './xml.ts'

/** An entry of the sitemap. Addresses are paths, made absolute on output; `changed` in milliseconds. */
export interface SitemapEntry {
  path: string
  changed?: number | undefined
  /** Paths of the images on the page. */
  images?: readonly string[]
}

/** The target number of dogs or members per file, as long as 256 files suffice. */
export const PART_TARGET_SIZE = 2000
/** The most addresses per file (sitemaps.org). */
export const PART_LIMIT = 50_000

const HEX_DIGITS = [...'0123456789abcdef']

/**
 * The number of id digits by which `count` entries are split into files: 0 for one file, 1 for 16, 2 for 256. Ids are random,
 * so that files have equal shares, and an entry never moves to another file while the split stays.
 */
export function prefixLengthFor(count: number): 0 | 1 | 2 {
  if (count <= PART_TARGET_SIZE) return 0
  return count <= PART_TARGET_SIZE * 16 ? 1 : 2
}

/** All id prefixes of `digits` digits: `['']`, `['0', …, 'f']`, `['00', …, 'ff']`. */
export const idPrefixes = (digits: 0 | 1 | 2): string[] =>
  digits === 0 ? [''] : idPrefixes((digits - 1) as 0 | 1).flatMap((start) => HEX_DIGITS.map((digit) => start + digit))

/** The range of ids that begin with `prefix`: `from` inclusive, `before` exclusive. */
export function idRangeOf(prefix: string): { from: string; before: string } {
  if (prefix === '') return { from: '', before: 'g' }
  return { from: prefix, before: prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1) }
}

export const SITEMAP_KINDS = ['paginas', 'razas', 'perros', 'miembros'] as const
export type SitemapKind = (typeof SITEMAP_KINDS)[number]

/** The name of a file in its address: `perros`, `perros-a3`. */
export const partName = (kind: SitemapKind, prefix: string): string => (prefix ? `${kind}-${prefix}` : kind)

/** Parses a file's name; null for an invalid one. */
export function parsePartName(name: string): { kind: SitemapKind; prefix: string } | null {
  const [, kind, prefix = ''] = /^(paginas|razas|perros|miembros)(?:-([0-9a-f]{1,2}))?$/.exec(name) ?? []
  return kind ? { kind: kind as SitemapKind, prefix } : null
}

const NAMESPACE = ' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const IMAGES = ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'

const lastmod = (changed: number | undefined) => (changed === undefined ? [] : [element('lastmod', timestamp(changed))])

/** Formats the sitemap index. */
export function sitemapIndex(
  siteUrl: string,
  parts: readonly { path: string; changed?: number | undefined }[],
): string {
  const lines = parts.map(({ path, changed }) =>
    parent('sitemap', [element('loc', new URL(path, siteUrl).href), ...lastmod(changed)]),
  )
  return `${DECLARATION}${parent('sitemapindex', lines, NAMESPACE)}\n`
}

/** Formats one sitemap file, with the pages' images. */
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
