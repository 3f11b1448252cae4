import { readCard } from '#features/dogs/card/card-markup.client.ts'
import type { RenderedList } from './rendered-list.ts'

/** Reads the list from the page's markup, as DogGrid.tsx rendered it on the server. */
export function readListMarkup(): RenderedList {
  const cards = [...document.querySelectorAll('main ul.dogs .dog-card')].map(readCard)
  const more = document.querySelector<HTMLAnchorElement>('main a.more')
  // A small community has no filters.
  const filter = document.querySelector<HTMLSelectElement>('main .filters [name=breed]')
  const options = [...(filter?.options ?? [])].filter(({ value }) => value !== '')
  return {
    dogs: cards.map(({ dog }) => dog),
    nextCursor: more && new URL(more.href).searchParams.get('cursor'),
    liked: cards.filter(({ isLiked }) => isLiked).map(({ dog }) => dog.id),
    breeds: options.map(({ value, text }) => ({ slug: value, name: text })),
    breedOptions: filter?.innerHTML ?? '',
  }
}
