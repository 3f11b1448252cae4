import { LIKE_LABEL } from '#features/likes/likes.ts'
import { blurOfSrc } from '#features/photos/blur.ts'
import { photoOfSrc } from '#features/photos/photos.ts'
import type { CardStyle } from '#features/dogs/dogs.ts'
import type { CardDog } from '#features/dogs/card/card-dog.ts'
import { SEASONAL_FRAMES } from '#features/dogs/card/seasonal-frames.ts'
import type { RenderedList } from './rendered-list.ts'

const CARD_STYLES: CardStyle[] = ['holo', 'platinum']
const textOf = (root: ParentNode, selector: string) => root.querySelector(selector)?.textContent ?? null
const srcOf = (image: Element) => image.getAttribute('src') ?? ''

/** Reads a card's dog from the markup that DogCard.tsx rendered, and whether the viewer likes it. */
function readCard(card: Element): { dog: CardDog; isLiked: boolean } {
  const link = card.querySelector('h3 a')!
  const heart = card.querySelector<HTMLElement>('[data-like]')!
  const pictures = [...card.querySelectorAll('.pic')]
  const blur = card.querySelector('.blur')
  return {
    dog: {
      id: heart.dataset.like!,
      path: link.getAttribute('href')!,
      name: link.textContent!,
      sentenceName: textOf(heart, '.sr')!.slice(LIKE_LABEL.length, -': '.length),
      age: textOf(card, 'h3 small'),
      breed: textOf(card, '.chip')!,
      zone: textOf(card, '.zone span'),
      card: CARD_STYLES.find((style) => card.classList.contains(style)) ?? null,
      frame: SEASONAL_FRAMES.find((frame) => card.querySelector(`.season-${frame}`)) ?? null,
      likes: Number(heart.dataset.likes),
      blur: blur && blurOfSrc(srcOf(blur)),
      photos: pictures.map((picture) => photoOfSrc(srcOf(picture))),
      alt: pictures[0]!.getAttribute('alt') ?? '',
      ...(card.querySelector('.lost-mark') && { isLost: true }),
    },
    isLiked: heart.getAttribute('aria-pressed') === 'true',
  }
}

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
    breedOptions: { __html: filter?.innerHTML ?? '' },
  }
}
