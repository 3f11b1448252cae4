import { formatCount, percent } from '#lib/numbers.ts'
import { paths } from '#lib/paths.ts'

// A dog was saved, and what the page shows of it is of before: the sidebar's counters, and every part of the page that is
// marked `data-refresh`. The page is asked for again and its marked parts take the places of the old ones, so that nothing
// a person has open, typed or scrolled is lost. The list and the map ask for their dogs themselves.

/** Asked for once more where something was saved meanwhile. */
let pendingRefresh: Promise<void> | undefined
let isStale = false

export function refreshPage(): void {
  isStale = true
  pendingRefresh ??= runRefresh().finally(() => (pendingRefresh = undefined))
}

async function runRefresh(): Promise<void> {
  while (isStale) {
    isStale = false
    const done = await Promise.allSettled([refreshCounters(), refreshParts()])
    for (const one of done)
      if (one.status === 'rejected') console.error('No se pudo poner al día la página:', one.reason)
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

/** The marked parts that lie in no other one, by their names. */
const findRefreshParts = (page: Document): Map<string, HTMLElement> =>
  new Map(
    [...page.querySelectorAll<HTMLElement>('[data-refresh]')]
      .filter((part) => !part.parentElement?.closest('[data-refresh]'))
      .map((part) => [part.dataset.refresh!, part]),
  )

async function refreshParts(): Promise<void> {
  if (findRefreshParts(document).size === 0) return
  const response = await fetch(location.href, { headers: { Accept: 'text/html' }, cache: 'no-store' })
  if (!response.ok || response.redirected) return
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  // Somebody else's page is not put in the place of this one's: the session may have ended.
  if ((fresh.body.dataset.member ?? '') !== (document.body.dataset.member ?? '')) return
  const old = findRefreshParts(document)
  for (const [name, part] of findRefreshParts(fresh)) {
    const place = old.get(name)
    if (!place || place.contains(document.activeElement)) continue
    place.replaceWith(part)
    window.dispatchEvent(new CustomEvent('perrario:refreshed', { detail: part }))
  }
}
