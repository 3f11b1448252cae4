import { formatCount } from '#lib/numbers.ts'
import { paths } from '#lib/paths.ts'
import { newCountLabel, TODAY_EVENT, type TodayCounts } from './today.ts'

// The visitor's counters «likes nuevos» and «perros nuevos» in the header (docs/product.md §3.5). Desktop only.

const counters = document.querySelector('.news:not([data-activity])')

function showCount(kind: keyof TodayCounts, count: number): void {
  const place = counters?.children[kind === 'likes' ? 0 : 1]
  if (place) place.innerHTML = `<b>${formatCount(count)}</b> ${newCountLabel(kind, count)}`
}

/** Asks for the likes alone: the page says its dogs, as new as its other figures, and the two must not differ. */
async function loadLikes(): Promise<void> {
  const response = await fetch(paths.api.today)
  if (response.ok) showCount('likes', (await response.json()).likes)
}

// Without an answer the header says less: nothing depends on it.
if (counters && matchMedia('(min-width: 769px)').matches) loadLikes().catch(() => {})
// The list has asked again, and shows newer figures.
addEventListener(TODAY_EVENT, ({ detail }: CustomEventInit<number>) => showCount('dogs', detail!))
