import { formatCount } from '#lib/numbers.ts'
import { paths } from '#lib/paths.ts'
import { newCountLabel, TODAY_EVENT, type TodayCounts } from './today.ts'

// The visitor's counters «likes nuevos» and «perros nuevos» in the header (docs/product.md §3.5). Desktop only.

const counters = document.querySelector('.news:not([data-activity])')

function showCount(kind: keyof TodayCounts, count: number): void {
  const counter = counters?.children[kind === 'likes' ? 0 : 1]
  if (counter) counter.innerHTML = `<b>${formatCount(count)}</b> ${newCountLabel(kind, count)}`
}

/** Fetches the likes only. The page has the dogs, which must agree with its other figures. */
async function loadLikes(): Promise<void> {
  const response = await fetch(paths.api.today)
  if (response.ok) showCount('likes', (await response.json()).likes)
}

// The counter is optional: a failure leaves it empty.
if (counters && matchMedia('(min-width: 769px)').matches) loadLikes().catch(() => {})
// The list was reloaded with newer figures.
addEventListener(TODAY_EVENT, ({ detail }: CustomEventInit<number>) => showCount('dogs', detail!))
