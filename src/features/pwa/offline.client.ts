import { formatRelative } from '#lib/dates.ts'
import { CACHES, STORED_AT_HEADER } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'
import { type CachedPage, newestByTitle, parseTitle } from './cached-pages.ts'
import { requireElement } from '#lib/require-element.client.ts'
import { reloadOnceReachable } from './server-poll.client.ts'

// The offline page is served at the requested address: it lists the cached pages, and reloads once the server answers,
// unless there is unsaved input.

async function readCachedPages(): Promise<CachedPage[]> {
  const cache = await caches.open(CACHES.pages)
  const found: CachedPage[] = []
  for (const request of await cache.keys()) {
    const response = await cache.match(request)
    const { pathname, search } = new URL(request.url)
    if (!response?.headers.get('content-type')?.startsWith('text/html')) continue
    const path = pathname + search
    found.push({
      path,
      title: parseTitle(await response.text(), path),
      at: Number(response.headers.get(STORED_AT_HEADER) ?? 0),
    })
  }
  return newestByTitle(found)
}

function rowOf({ path, title, at }: CachedPage): HTMLLIElement {
  const link = document.createElement('a')
  link.href = path
  const name = document.createElement('b')
  name.textContent = title
  const when = document.createElement('small')
  when.textContent = `guardada ${formatRelative(at, Date.now())}`
  link.append(name, when)
  const row = document.createElement('li')
  row.append(link)
  return row
}

async function showCachedPages(): Promise<void> {
  const section = requireElement(document, '[data-offline-cached]')
  const pages = await readCachedPages()
  requireElement(section, 'ul').replaceChildren(...pages.map(rowOf))
  section.hidden = pages.length === 0
}

document.querySelector('[data-offline-retry]')?.addEventListener('click', (event) => {
  event.preventDefault()
  location.reload()
})
// At its own address the offline page replaces no other page.
if (location.pathname !== paths.offline) void reloadOnceReachable()
if ('caches' in window) showCachedPages().catch(() => {})
