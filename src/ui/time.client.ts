import { formatDate, formatDay, formatRelative } from '#lib/dates.ts'

// Cached HTML contains no relative times (docs/product.md §1.2). This sets today's date in `<time data-today>`, and «hace 3 días» with
// the full date on hover in `<time datetime="…" data-relative>`, and updates them while the page is open.

function updateTimes(root: ParentNode = document) {
  const now = Date.now()
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[data-today]')) {
    time.textContent = formatDay(now)
    time.dateTime = new Date(now).toISOString().slice(0, 10)
  }
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
    const then = Date.parse(time.dateTime)
    if (Number.isNaN(then)) continue
    time.textContent = formatRelative(then, now)
    time.title ||= formatDate(then)
  }
}

updateTimes()
setInterval(updateTimes, 60_000)
// After htmx has swapped parts in, and after a return from the back/forward cache.
document.addEventListener('htmx:after:swap', () => updateTimes())
addEventListener('pageshow', (event) => event.persisted && updateTimes())
