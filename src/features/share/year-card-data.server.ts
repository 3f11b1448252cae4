import { type CardName, cardWords, toYearCard, toYearCards } from '#features/years/cards.ts'
import type { MemberYear } from '#features/years/years.ts'
import { drawProvinces } from '#features/years/province-map.server.ts'
import { yearPaths } from '#features/years/year-paths.ts'
import { type CardPicture, STICKER, type YearCardData } from './share.ts'

/** The data of a card's picture, which names nobody but the member: it is made to be passed on. */
export function toYearCardData(year: MemberYear, name: CardName): YearCardData {
  const card = toYearCard(year, name, 'others')
  return {
    kind: 'año',
    year: year.year,
    name,
    title: card.title,
    figure: card.figure,
    text: card.text,
    photos: card.dogs.map((dog) => ({ photo: dog.photo, breedSlug: dog.breedSlug })),
    rows: card.rows.map(({ label, count }) => ({ label, count })),
    map: card.provinces && drawProvinces(card.provinces.map(({ id, breeds }) => ({ id, count: breeds }))),
  }
}

/** The link preview of a member's year: its first card. */
export function yearPicture(year: MemberYear, token: string): CardPicture {
  const [card] = toYearCards(year, 'others')
  const { width, height, type } = STICKER
  return { url: yearPaths.card(year.year, 'portada', token), width, height, type, alt: cardWords(card!) }
}
