import { LRUCache } from 'lru-cache'
import { escapeHtml } from '#lib/text/html.ts'
import { hyphenateName } from './syllables.ts'

/** Characters of names and their HTML that are cached: twice those of the catalogue. */
const MAX_CACHED_CHARS = 40_000

const htmlByName = new LRUCache<string, string>({
  maxSize: MAX_CACHED_CHARS,
  sizeCalculation: (html, name) => html.length + name.length,
})

/**
 * A breed's name as HTML, for narrow places. A long word first moves to a line of its own, and breaks at a syllable only where that is
 * still too narrow. Soft hyphens work in every engine; `hyphens: auto` needs a dictionary, which Chromium and WebKit lack on Linux.
 */
export function breedNameHtml(name: string): string {
  let html = htmlByName.get(name)
  if (html === undefined) {
    html = hyphenateName(name)
      .map(({ text, isLong }) => (isLong ? `<span class="hy">${escapeHtml(text)}</span>` : escapeHtml(text)))
      .join('')
    htmlByName.set(name, html)
  }
  return html
}
