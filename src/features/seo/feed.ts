import { DECLARATION, element, parent, timestamp } from './xml.ts'

/** Dogs per feed. */
export const FEED_SIZE = 20

/** An entry for a new dog. Addresses are paths, which `atomFeed` makes absolute; times in milliseconds. */
export interface FeedEntry {
  /** The dog's UUID, so that the entry stays the same when the dog is renamed. */
  id: string
  title: string
  text: string
  path: string
  /** Null without a public photo. */
  photo: string | null
  published: number
  updated: number
  /** Null for an anonymous dog. */
  author: { alias: string; path: string } | null
}

export interface Feed {
  title: string
  subtitle: string
  /** The path of the page to which the feed belongs, and of the feed itself. */
  page: string
  self: string
  entries: readonly FeedEntry[]
}

/** The time of the newest change in a feed, ms; 0 for an empty one. */
export const feedUpdatedAt = ({ entries }: Pick<Feed, 'entries'>): number =>
  Math.max(0, ...entries.map(({ updated }) => updated))

/** Formats an Atom feed (RFC 4287). Texts are of type text, so that no reader takes a dog's name for markup. */
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
    // RFC 4287 §4.1.1: entries without an author need one on the feed.
    parent('author', [element('name', 'Perrario')]),
    element('icon', absolute('/favicon-48.png')),
  ]
  return `${DECLARATION}${parent('feed', [...head, ...entries], ' xmlns="http://www.w3.org/2005/Atom" xml:lang="es"')}\n`
}
