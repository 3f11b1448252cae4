import { createHash } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { printedNumber } from '#features/album/album.ts'
import { totalBreeds } from '#features/breeds/catalogue.server.ts'
import { type CatalogueBreed, catalogue } from '#features/breeds/current.server.ts'
import { operatorPhotos } from '#features/breeds/operator.server.ts'
import { shownAge } from '#features/dogs/card.ts'
import { findDog } from '#features/dogs/dog.server.ts'
import { type Dog, shownName } from '#features/dogs/dogs.ts'
import { dogsOfMember } from '#features/dogs/list.server.ts'
import { formatNumber } from '#features/dogs/list/stats.ts'
import { banOf } from '#features/moderation/bans.server.ts'
import { getMember } from '#features/profiles/member.server.ts'
import { type Member, memberSince } from '#features/profiles/profiles.ts'
import { formatCount } from '#lib/numbers.ts'
import { paths } from '#lib/paths.ts'
import { slugify } from '#lib/slug.ts'
import { isUuid } from '#lib/uuid.ts'
import { CARD, type BreedFace, type DogFace, type Face, type Kind, type MemberFace, type Picture } from './share.ts'
import { SITE_NAME, TEXTS } from './share.ts'

/** Changed by hand with the drawing, so that kept pictures are drawn anew. */
const DESIGN = 1
/** As many stickers as a profile's picture has room for. */
const FAN = 3

/** What tells two faces apart, for the address. */
export const versionOf = (face: Face): string =>
  createHash('sha256')
    .update(JSON.stringify([DESIGN, face]))
    .digest('base64url')
    .slice(0, 8)

export function dogFace(dog: Dog, kind: 'perro' | 'cromo' = 'perro'): DogFace {
  return {
    kind,
    name: shownName(dog.name),
    breed: dog.breed,
    breedSlug: dog.breed_slug,
    age: shownAge(dog),
    weight: dog.weight === null ? null : `${formatNumber(dog.weight)} kg`,
    zone: dog.zone,
    photo: dog.photo_url,
    style: dog.card,
  }
}

const span = (from: number, to: number, unit: string) =>
  from === to ? `${formatNumber(from)} ${unit}` : `${formatNumber(from)}–${formatNumber(to)} ${unit}`

export async function breedFace(breed: CatalogueBreed, dataDir: string): Promise<BreedFace> {
  return {
    kind: 'raza',
    slug: breed.slug,
    name: breed.nombre_castellano,
    original: breed.nombre_original === breed.nombre_castellano ? '' : breed.nombre_original,
    number: printedNumber(breed.number),
    facts: [
      span(breed.peso_kg_min, breed.peso_kg_max, 'kg'),
      span(breed.altura_cm_min, breed.altura_cm_max, 'cm'),
      span(breed.esperanza_vida_min, breed.esperanza_vida_max, 'años'),
    ],
    photo: (await operatorPhotos(dataDir)).get(breed.slug)?.version ?? null,
  }
}

export async function memberFace(db: Db, member: Member): Promise<MemberFace> {
  const { dogs } = await dogsOfMember(db, member.id, { limit: FAN })
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

const picture = (face: Face, name: string, alt: string): Picture => ({
  url: paths.shareCard(face.kind, name, versionOf(face)),
  width: CARD.width,
  height: CARD.height,
  type: CARD.type,
  alt,
})

/** The picture of a dog's page, for its head. */
export const dogPicture = (dog: Dog): Picture =>
  picture(dogFace(dog), dog.id, TEXTS.alt.perro(shownName(dog.name), dog.breed))
export const breedPicture = async (breed: CatalogueBreed, dataDir: string): Promise<Picture> =>
  picture(await breedFace(breed, dataDir), breed.slug, TEXTS.alt.raza(breed.nombre_castellano))
export const memberPicture = async (db: Db, member: Member): Promise<Picture> =>
  picture(await memberFace(db, member), member.id, TEXTS.alt.miembro(member.alias))
export const sitePicture = (): Picture => picture({ kind: 'sitio' }, SITE_NAME, TEXTS.alt.sitio)

/** Where a dog's sticker is downloaded. */
export const stickerPath = (dog: Dog): string => paths.shareCard('cromo', dog.id, versionOf(dogFace(dog, 'cromo')))

/** What a download is called: `toby-beagle-perrario.jpg`. */
export const stickerName = (face: DogFace): string =>
  `${
    [face.name, face.breed]
      .map((text) => slugify(text))
      .filter(Boolean)
      .join('-') || 'perro'
  }-perrario.jpg`

/**
 * What the picture of this name shows now. Undefined for what is not there: a dog that was deleted or is out of sight, a
 * profile that is hidden (features/moderation/held: neither
 * has a row), whoever is banned, a breed nobody knows.
 */
export async function faceOf(db: Db, dataDir: string, kind: Kind, name: string): Promise<Face | undefined> {
  if (kind === 'sitio') return name === SITE_NAME ? { kind } : undefined
  if (kind === 'raza') {
    const breed = (await catalogue(db)).bySlug.get(name)
    return breed && breedFace(breed, dataDir)
  }
  if (!isUuid(name)) return undefined
  if (kind === 'miembro') {
    const member = await getMember(db, name)
    return member && !(await banOf(db, name)) ? memberFace(db, member) : undefined
  }
  const dog = await findDog(db, name)
  return dog && dogFace(dog, kind)
}
