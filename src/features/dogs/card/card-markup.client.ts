import { LIKE_LABEL } from '#features/likes/likes.ts'
import { blurOfSrc } from '#features/photos/blur.ts'
import { photoOfSrc } from '#features/photos/photos.ts'
import type { CardStyle } from '#features/dogs/dogs.ts'
import type { CardDog } from './card-dog.ts'
import { SEASONAL_FRAMES } from './seasonal-frames.ts'

const CARD_STYLES: CardStyle[] = ['holo', 'platinum']
const textOf = (root: ParentNode, selector: string) => root.querySelector(selector)?.textContent ?? null
const srcOf = (image: Element) => image.getAttribute('src') ?? ''

/** Reads a card's dog from the markup that DogCard.tsx rendered, and whether the viewer likes it. */
export function readCard(card: Element): { dog: CardDog; isLiked: boolean } {
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
