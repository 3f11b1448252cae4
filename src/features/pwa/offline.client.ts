import { formatRelative } from '#lib/dates.ts'
import { CACHES, STORED_AT_HEADER } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'
import { hasUnsavedInput } from '#ui/unsaved-input.ts'
import { type CachedPage, newestByTitle, parseTitle } from './cached-pages.ts'

// The offline page stands at the address that was asked for: it lists what is kept, and asks again once the network is
// back, unless the form is being filled in.

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
  const section = document.querySelector<HTMLElement>('[data-offline-kept]')!
  const pages = await readCachedPages()
  section.querySelector('ul')!.replaceChildren(...pages.map(rowOf))
  section.hidden = pages.length === 0
}

document.querySelector('[data-offline-retry]')?.addEventListener('click', (event) => {
  event.preventDefault()
  location.reload()
})
function reloadIfSafe(): void {
  // Nothing that is being written is lost for it.
  if (!hasUnsavedInput() && !document.querySelector('dialog[open]')) location.reload()
}

/** Milliseconds until the server is asked for a sign of life, and at most. */
const FIRST_CHECK_MS = 5000
const MAX_CHECK_MS = 60_000

/** The browser tells when its network is back, once and perhaps before this listened; of a server nobody tells it. */
async function pollServer(delay: number): Promise<void> {
  await new Promise((done) => setTimeout(done, delay))
  const isThere =
    navigator.onLine &&
    !document.hidden &&
    (await fetch(location.href, { method: 'HEAD' }).then(
      ({ status }) => status < 500,
      () => false,
    ))
  if (isThere) reloadIfSafe()
  void pollServer(Math.min(delay * 2, MAX_CHECK_MS))
}

// At its own address it stands for no other page.
if (location.pathname !== paths.offline) {
  addEventListener('online', reloadIfSafe)
  void pollServer(FIRST_CHECK_MS)
}
if ('caches' in window) showCachedPages().catch(() => {})
