// «Ver más» of a list: htmx puts the next page's rows in the link's place. Without this file it is a link.
import './htmx.client.ts'
import { say } from './said.client.ts'

/** Where the rows that were asked for begin. */
let reached: { row: Element; link: HTMLAnchorElement; before: number } | null = null

/** The list's rows that are no way to more of them. */
const rowsOf = (row: Element) => row.parentElement!.querySelectorAll(':scope > li:not(:has(> a[data-more]))').length

document.addEventListener('htmx:before:request', ({ target }) => {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-more]') : null
  const row = link?.closest('li')?.previousElementSibling
  if (!link || !row) return
  link.setAttribute('aria-busy', 'true')
  reached = { row, link, before: rowsOf(row) }
})

// An error page holds no rows: swapped in, it would only take the link away.
document.addEventListener('htmx:before:swap', (event) => {
  const { ctx } = (event as CustomEvent<{ ctx: { response: { status: number } } }>).detail
  if (reached && ctx.response.status >= 400) event.preventDefault()
})

document.addEventListener('htmx:finally:request', () => {
  if (!reached) return
  const { row, link, before } = reached
  reached = null
  // The link stays where nothing came (no network, an error page): following it shows what the matter is.
  if (link.isConnected) return location.assign(link.href)
  say(`${rowsOf(row) - before} más en la lista`)
  // The link that had the focus is gone: the reader goes on with the first of the new rows.
  row.nextElementSibling?.querySelector('a')?.focus({ preventScroll: true })
})
