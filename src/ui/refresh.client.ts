import { formatCount, percent } from '#lib/numbers.ts'
import { paths } from '#lib/paths.ts'

// After a dog was saved: updates the sidebar's counters and every part of the page with `data-refresh`. The page is fetched again
// and only its marked parts are replaced, so that open dialogs, typed text and scroll positions stay. The list and the map load
// their dogs themselves.

/** The refresh under way. It runs again where something was saved meanwhile. */
let pendingRefresh: Promise<void> | undefined
let isStale = false

export function refreshPage(): void {
  isStale = true
  pendingRefresh ??= runRefresh().finally(() => (pendingRefresh = undefined))
}

async function runRefresh(): Promise<void> {
  while (isStale) {
    isStale = false
    const results = await Promise.allSettled([refreshCounters(), refreshParts()])
    for (const result of results)
      if (result.status === 'rejected') console.error('No se pudo poner al día la página:', result.reason)
  }
}

async function refreshCounters(): Promise<void> {
  const shown = document.querySelectorAll<HTMLElement>('[data-me-block=member] [data-me]')
  if (shown.length === 0 || !document.body.dataset.member) return
  const response = await fetch(paths.api.session, { headers: { Accept: 'application/json' }, cache: 'no-store' })
  const { user, counts } = await response.json()
  if (!user || user.id !== document.body.dataset.member) return
  const texts: Record<string, string> = {
    dogs: formatCount(counts.dogs),
    breeds: formatCount(counts.breeds),
    completed: `${percent(counts.breeds, counts.total)} %`,
  }
  for (const element of shown) {
    const text = texts[element.dataset.me!]
    if (text !== undefined) element.textContent = text
  }
}

/** The outermost marked parts by their names. */
const findRefreshParts = (page: Document): Map<string, HTMLElement> =>
  new Map(
    [...page.querySelectorAll<HTMLElement>('[data-refresh]')]
      .filter((part) => !part.parentElement?.closest('[data-refresh]'))
      .map((part) => [part.dataset.refresh!, part]),
  )

/**
 * Replaces the marked parts of the page by those of a new fetch.
 * @param names the parts to replace; all by default
 */
export async function refreshParts(names?: readonly string[]): Promise<void> {
  if (findRefreshParts(document).size === 0) return
  const response = await fetch(location.href, { headers: { Accept: 'text/html' }, cache: 'no-store' })
  if (!response.ok || response.redirected) return
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  // The session may have ended: another member's or a visitor's parts are not inserted.
  if ((fresh.body.dataset.member ?? '') !== (document.body.dataset.member ?? '')) return
  const current = findRefreshParts(document)
  for (const [name, part] of findRefreshParts(fresh)) {
    const outdated = current.get(name)
    if (!outdated || outdated.contains(document.activeElement) || names?.includes(name) === false) continue
    outdated.replaceWith(part)
    window.dispatchEvent(new CustomEvent('perrario:refreshed', { detail: part }))
  }
}
