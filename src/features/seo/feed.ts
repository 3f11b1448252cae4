import { DECLARATION, element, parent, timestamp } from './xml.ts'

/** Dogs a feed holds. */
export const FEED_SIZE = 20

/** A new dog, as feed readers show it. Addresses are paths, made absolute when written; times in milliseconds. */
export interface FeedEntry {
  /** UUID: the entry stays the same one when its dog is renamed. */
  id: string
  title: string
  text: string
  path: string
  /** Null where there is none that may be shown. */
  photo: string | null
  published: number
  updated: number
  /** Null for an anonymous dog. */
  author: { alias: string; path: string } | null
}

export interface Feed {
  title: string
  subtitle: string
  /** The page it belongs to, and its own address. */
  page: string
  self: string
  entries: readonly FeedEntry[]
}

/** When the newest change in it was; 0 for an empty one. */
export const feedUpdatedAt = ({ entries }: Pick<Feed, 'entries'>): number =>
  Math.max(0, ...entries.map(({ updated }) => updated))

/** An Atom feed (RFC 4287). Texts are plain: whatever a dog is called, no reader takes it for markup. */
export function atomFeed(siteUrl: string, feed: Feed): string {
  const absolute = (path: string) => new URL(path, siteUrl).href
  const link = (rel: string, path: string, type: string) =>
    element('link', undefined, { rel, type, href: absolute(path) })
  const entries = feed.entries.map((entry) =>
    parent('entry', [
      element('id', `urn:uuid:${entry.id}`),
      element('title', entry.title),
      link('alternate', entry.path, 'text/html'),
      ...(entry.photo ? [link('enclosure', entry.photo, 'image/jpeg')] : []),
      element('published', timestamp(entry.published)),
      element('updated', timestamp(entry.updated)),
      ...(entry.author
        ? [parent('author', [element('name', entry.author.alias), element('uri', absolute(entry.author.path))])]
        : []),
      element('summary', entry.text),
    ]),
  )
  const head = [
    element('id', absolute(feed.self)),
    element('title', feed.title),
    element('subtitle', feed.subtitle),
    link('self', feed.self, 'application/atom+xml'),
    link('alternate', feed.page, 'text/html'),
    element('updated', timestamp(feedUpdatedAt(feed))),
    // Whose no entry says: everybody needs an author.
    parent('author', [element('name', 'Perrario')]),
    element('icon', absolute('/favicon-48.png')),
  ]
  return `${DECLARATION}${parent('feed', [...head, ...entries], ' xmlns="http://www.w3.org/2005/Atom" xml:lang="es"')}\n`
}
