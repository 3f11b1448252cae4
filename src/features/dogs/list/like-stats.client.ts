import { paths } from '#lib/paths.ts'
import { throttleRefresh } from '#lib/throttled-refresh.client.ts'
import type { DogPage } from '../dogs.ts'

// The list and the map show figures of likes while they sort by likes: after a like these are loaded again
// (docs/product.md §4.2). The dogs stay in their order. Members load this; visitors have no likes to follow.

/** The filters and the sort in the address. */
const readFilters = (): URLSearchParams =>
  new URLSearchParams(
    [...new URLSearchParams(location.search)].filter(([name]) => ['breed', 'size', 'sort'].includes(name)),
  )

async function refreshStats(): Promise<void> {
  const filters = readFilters()
  if (!filters.get('sort')?.startsWith('votes')) return
  const response = await fetch(`${paths.api.dogs}?${filters}&limit=1`, { headers: { Accept: 'application/json' } })
  if (!response.ok) return
  const { stats }: DogPage = await response.json()
  // Another list has been chosen meanwhile.
  if (`${readFilters()}` !== `${filters}`) return
  window.dispatchEvent(new CustomEvent('perrario:stats', { detail: stats }))
}

window.addEventListener('perrario:liked', throttleRefresh(refreshStats))
