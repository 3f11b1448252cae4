import { createHash } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { printedNumber } from '#features/album/album.ts'
import { totalBreeds } from '#features/breeds/catalogue.server.ts'
import { type CatalogueBreed, getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { operatorPhotos } from '#features/breeds/operator-photos.server.ts'
import { formatDogAge } from '#features/dogs/card/card.ts'
import { findDog } from '#features/dogs/dog.server.ts'
import { type Dog, displayName } from '#features/dogs/dogs.ts'
import { dogsOfMember } from '#features/dogs/list/list.server.ts'
import { formatNumber } from '#features/dogs/list/stats.ts'
import type { PublicLostCase } from '#features/lost/lost.ts'
import { findOpenCase } from '#features/lost/open-cases.server.ts'
import { isVisibleTo } from '#features/moderation/visibility.server.ts'
import { getMember } from '#features/profiles/member.server.ts'
import { type Member, memberSince } from '#features/profiles/profiles.ts'
import { parseResultName, resultName, resultText, riddleNumber, type RiddleResult } from '#features/riddle/result.ts'
import { MAX_GUESSES, noonOf } from '#features/riddle/riddle.ts'
import { type CardName, cardWords, toYearCard, toYearCards } from '#features/years/cards.ts'
import { drawProvinces } from '#features/years/province-map.server.ts'
import { yearPaths } from '#features/years/year-paths.ts'
import type { MemberYear } from '#features/years/years.ts'
import { formatDate, formatShortDate } from '#lib/dates.ts'
import { formatCount } from '#lib/numbers.ts'
import { paths } from '#lib/paths.ts'
import { slugify } from '#lib/text/slug.ts'
import { isUuid } from '#lib/identifiers.ts'
import { shownZone } from '#lib/text/zone.ts'
import {
  CARD,
  type BreedCardData,
  type DogCardData,
  type CardData,
  type CardKind,
  type MemberCardData,
  type CardPicture,
  type RiddleCardData,
  STICKER,
  type YearCardData,
  LOST_CARD_NAME,
  SITE_CARD_NAME,
  CARD_TEXTS,
} from './share.ts'

/** Increased by hand when the design changes, so that cached pictures are rendered again. */
const DESIGN_VERSION = 1
/** The stickers on a member's card. */
const MEMBER_CARD_DOGS = 3

/** The version of a card for its address: a hash of its data. */
export const cardVersion = (data: CardData): string =>
  createHash('sha256')
    .update(JSON.stringify([DESIGN_VERSION, data]))
    .digest('base64url')
    .slice(0, 8)

export function toDogCardData(
  dog: Dog,
  kind: 'perro' | 'cromo' = 'perro',
  lost: Pick<PublicLostCase, 'zone' | 'since'> | null = null,
): DogCardData {
  return {
    kind,
    name: displayName(dog.name),
    breed: dog.breed,
    breedSlug: dog.breed_slug,
    age: formatDogAge(dog),
    weight: dog.weight === null ? null : `${formatNumber(dog.weight)} kg`,
    zone: dog.zone,
    photo: dog.photo_url,
    style: dog.card,
    ...(dog.frame && { frame: dog.frame }),
    ...(lost && { lost: { zone: shownZone(lost.zone), since: formatShortDate(lost.since) } }),
  }
}

const formatRange = (from: number, to: number, unit: string) =>
  from === to ? `${formatNumber(from)} ${unit}` : `${formatNumber(from)}–${formatNumber(to)} ${unit}`

export async function toBreedCardData(breed: CatalogueBreed, dataDir: string): Promise<BreedCardData> {
  return {
    kind: 'raza',
    slug: breed.slug,
    name: breed.nombre_castellano,
    original: breed.nombre_original === breed.nombre_castellano ? '' : breed.nombre_original,
    number: printedNumber(breed.number),
    facts: [
      formatRange(breed.peso_kg_min, breed.peso_kg_max, 'kg'),
      formatRange(breed.altura_cm_min, breed.altura_cm_max, 'cm'),
      formatRange(breed.esperanza_vida_min, breed.esperanza_vida_max, 'años'),
    ],
    photo: (await operatorPhotos(dataDir)).get(breed.slug)?.version ?? null,
  }
}

export async function readMemberCardData(db: Db, member: Member): Promise<MemberCardData> {
  const { dogs } = await dogsOfMember(db, member.id, { limit: MEMBER_CARD_DOGS })
  return {
    kind: 'miembro',
    alias: member.alias,
    verified: member.verified,
    since: memberSince(member.created_at),
    counters: [
      ['Perros', formatCount(member.dogs)],
      ['Razas', `${formatCount(member.breeds)}/${formatCount(totalBreeds)}`],
      ['Likes', formatCount(member.likes)],
    ],
    photos: dogs.map((dog) => ({ photo: dog.photo_url, breedSlug: dog.breed_slug })),
  }
}

const toRiddleCardData = (day: string, result: RiddleResult): RiddleCardData => ({
  kind: 'reto',
  number: riddleNumber(day),
  date: formatDate(noonOf(day)),
  guesses: result === 'x' ? MAX_GUESSES : Number(result),
  isWon: result !== 'x',
  result: resultText(result),
})

const toPicture = (data: CardData, name: string, alt: string): CardPicture => ({
  url: paths.shareCard(data.kind, name, cardVersion(data)),
  width: CARD.width,
  height: CARD.height,
  type: CARD.type,
  alt,
})

/** The link preview of a dog's page, for its head. @param lost its open case: the picture then says «Se busca» */
export const dogPicture = (dog: Dog, lost: PublicLostCase | null = null): CardPicture =>
  toPicture(
    toDogCardData(dog, 'perro', lost),
    dog.id,
    lost ? CARD_TEXTS.alt.lost(dog.name, dog.breed, lost.zone) : CARD_TEXTS.alt.perro(dog.name, dog.breed),
  )

/** The link preview of a breed's page, for its head. */
export const breedPicture = async (breed: CatalogueBreed, dataDir: string): Promise<CardPicture> =>
  toPicture(await toBreedCardData(breed, dataDir), breed.slug, CARD_TEXTS.alt.raza(breed.nombre_castellano))

export const memberPicture = async (db: Db, member: Member): Promise<CardPicture> =>
  toPicture(await readMemberCardData(db, member), member.id, CARD_TEXTS.alt.miembro(member.alias))

export const SITE_PICTURE = toPicture({ kind: 'sitio' }, SITE_CARD_NAME, CARD_TEXTS.alt.sitio)
/** The link preview of the list of lost dogs. */
export const LOST_LIST_PICTURE = toPicture({ kind: 'sitio', isLost: true }, LOST_CARD_NAME, CARD_TEXTS.alt.lostList)

/** The picture of a riddle's result. Its address and its content follow from day and result alone, so that neither tells the breed. */
export function riddlePicture(day: string, result: RiddleResult): CardPicture {
  const data = toRiddleCardData(day, result)
  return toPicture(data, resultName(day, result), CARD_TEXTS.alt.reto(data.number, data.result))
}

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

/** The address of a dog's sticker for download. */
export const stickerPath = (dog: Dog): string =>
  paths.shareCard('cromo', dog.id, cardVersion(toDogCardData(dog, 'cromo')))

/** The file name of a download: `toby-beagle-perrario.jpg`. */
export const stickerName = (data: DogCardData): string =>
  `${
    [data.name, data.breed]
      .map((text) => slugify(text))
      .filter(Boolean)
      .join('-') || 'perro'
  }-perrario.jpg`

/**
 * Reads the current data of a card. Undefined for deleted or hidden dogs and profiles (neither has a row), banned
 * members, unknown breeds, and riddles of the future.
 */
export async function findCardData(
  db: Db,
  dataDir: string,
  kind: CardKind,
  name: string,
): Promise<CardData | undefined> {
  if (kind === 'sitio') {
    if (name === LOST_CARD_NAME) return { kind, isLost: true }
    return name === SITE_CARD_NAME ? { kind } : undefined
  }
  if (kind === 'reto') {
    const found = parseResultName(name)
    return found ? toRiddleCardData(found.day, found.result) : undefined
  }
  if (kind === 'raza') {
    const breed = (await getCatalogue(db)).bySlug.get(name)
    return breed && toBreedCardData(breed, dataDir)
  }
  if (!isUuid(name)) return undefined
  if (kind === 'miembro') {
    const member = await getMember(db, name)
    const isShown = await isVisibleTo(db, null, [name], 'pictures', Date.now())
    return member && isShown ? readMemberCardData(db, member) : undefined
  }
  const dog = await findDog(db, name)
  if (!dog) return undefined
  return toDogCardData(dog, kind, kind === 'perro' ? await findOpenCase(db, name) : null)
}
