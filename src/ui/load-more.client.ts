// «Ver más» of a list: htmx replaces the link by the next page's rows. Without script it is a link.
import './htmx.client.ts'
import { announce } from './live-region.client.ts'

/** The request under way: the last row before the new ones, the link, and the number of rows. */
let pendingLoad: { row: Element; link: HTMLAnchorElement; before: number } | null = null

/** The number of the list's rows, without that of the link. */
const countRows = (row: Element) => row.parentElement!.querySelectorAll(':scope > li:not(:has(> a[data-more]))').length

document.addEventListener('htmx:before:request', ({ target }) => {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-more]') : null
  const row = link?.closest('li')?.previousElementSibling
  if (!link || !row) return
  link.setAttribute('aria-busy', 'true')
  pendingLoad = { row, link, before: countRows(row) }
})

// An error page has no rows: swapping it in would only remove the link.
document.addEventListener('htmx:before:swap', (event) => {
  const { ctx } = (event as CustomEvent<{ ctx: { response: { status: number } } }>).detail
  if (pendingLoad && ctx.response.status >= 400) event.preventDefault()
})

document.addEventListener('htmx:finally:request', () => {
  if (!pendingLoad) return
  const { row, link, before } = pendingLoad
  pendingLoad = null
  // The link is still there where no rows came (no network, an error page): following it shows the error.
  if (link.isConnected) return location.assign(link.href)
  announce(`${countRows(row) - before} más en la lista`)
  // The link had the focus and is gone: the focus moves to the first new row.
  row.nextElementSibling?.querySelector('a')?.focus({ preventScroll: true })
})
