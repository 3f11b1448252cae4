// «Ver más» of a list: htmx puts the next page's rows in the link's place. Without this file it is a link.
import './htmx.client.ts'
import { announce } from './live-region.client.ts'

/** Where the rows that were asked for begin. */
let pendingLoad: { row: Element; link: HTMLAnchorElement; before: number } | null = null

/** The list's rows that are no way to more of them. */
const countRows = (row: Element) => row.parentElement!.querySelectorAll(':scope > li:not(:has(> a[data-more]))').length

document.addEventListener('htmx:before:request', ({ target }) => {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-more]') : null
  const row = link?.closest('li')?.previousElementSibling
  if (!link || !row) return
  link.setAttribute('aria-busy', 'true')
  pendingLoad = { row, link, before: countRows(row) }
})

// An error page holds no rows: swapped in, it would only take the link away.
document.addEventListener('htmx:before:swap', (event) => {
  const { ctx } = (event as CustomEvent<{ ctx: { response: { status: number } } }>).detail
  if (pendingLoad && ctx.response.status >= 400) event.preventDefault()
})

document.addEventListener('htmx:finally:request', () => {
  if (!pendingLoad) return
  const { row, link, before } = pendingLoad
  pendingLoad = null
  // The link stays where nothing came (no network, an error page): following it shows what the matter is.
  if (link.isConnected) return location.assign(link.href)
  announce(`${countRows(row) - before} más en la lista`)
  // The link that had the focus is gone: the reader goes on with the first of the new rows.
  row.nextElementSibling?.querySelector('a')?.focus({ preventScroll: true })
})
