import { findClicked } from '#lib/plain-click.ts'
import { announce } from '#ui/live-region.client.ts'

// «Ver más» appends the next dogs to the grid; without a script it is a link to them.
document.addEventListener('click', async (event) => {
  const link = findClicked(event, 'a[data-more]')
  if (!link) return
  event.preventDefault()
  link.setAttribute('aria-busy', 'true')
  try {
    const response = await fetch(link.href)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const added = [...page.querySelectorAll('#perros .dogs > *')]
    if (!response.ok || added.length === 0) throw new Error(`answered ${response.status}`)
    document.querySelector('#perros .dogs')!.append(...added)
    const next = page.querySelector('#perros a[data-more]')
    if (next) link.replaceWith(next)
    else link.remove()
    announce(added.length === 1 ? '1 perro más' : `${added.length} perros más`)
    added[0]!.querySelector<HTMLElement>('h3 a')?.focus({ preventScroll: true })
  } catch {
    location.assign(link.href)
  }
})
