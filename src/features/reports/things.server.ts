import type { Db } from '#db/client.ts'
import { heldDog, type HeldPhoto, photosOfHeld } from '#features/dogs/hold.server.ts'
import { type Held, heldOf } from '#features/moderation/held.server.ts'
import { heldPhotoUrl } from '#features/photos/photos.ts'
import { FALLBACK_ALIAS } from '#features/profiles/profiles.ts'
import { dogInSentence } from '#features/notifications/notifications.ts'
import { notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { cutCharacters } from '#lib/text.ts'
import type { ThingKind } from './kinds.ts'
import { REPORT_TEXTS, type Reported } from './reports.ts'

/** A thing that stands in the open, with whose it is. */
export interface Thing extends Reported {
  dogId: string | null
  /** Its people: of a dog the owner first. */
  people: string[]
  /** What it is, in words that stay when it is gone. */
  what: string
  /** What is said of its photos, which nobody sees who sees them. */
  alts?: string[]
}

const QUOTED = 200

/** @throws AppError 404 for what is not there, or not any more */
export async function thingOf(db: Db, kind: ThingKind, id: string): Promise<Thing> {
  const thing = await FIND[kind](db, id)
  if (!thing) throw notFound(REPORT_TEXTS.gone)
  return thing
}

const FIND: Record<ThingKind, (db: Db, id: string) => Promise<Thing | undefined>> = {
  dog: async (db, id) => {
    const dog = await dogRow(db, id)
    if (!dog) return undefined
    const images = await db
      .selectFrom('dog_images')
      .select(['url', 'alt'])
      .where('dog_id', '=', id)
      .orderBy('order')
      .execute()
    const photos = images.map(({ url }) => url)
    return { ...ofDog(dog), kind: 'dog', id, name: dogInSentence(dog.name), photos, alts: altsOf(images) }
  },
  photo: async (db, url) => {
    const image = await db.selectFrom('dog_images').select(['dog_id', 'alt']).where('url', '=', url).executeTakeFirst()
    const dog = image && (await dogRow(db, image.dog_id))
    if (!dog) return undefined
    const what = `Foto de ${dog.name}, ${dog.breed}`
    const name = `esta foto de ${dogInSentence(dog.name)}`
    return { ...ofDog(dog), kind: 'photo', id: url, name, photos: [url], alts: altsOf([image]), what }
  },
  comment: async (db, id) => {
    const row = await db
      .selectFrom('comments as c')
      .innerJoin('dogs as d', 'd.id', 'c.dog_id')
      .leftJoin('profiles as p', 'p.id', 'c.user_id')
      .select(['c.content', 'c.user_id', 'c.dog_id', 'p.alias', 'd.path_breed', 'd.path_slug'])
      .where('c.id', '=', id)
      .executeTakeFirst()
    if (!row) return undefined
    const quote = cutCharacters(row.content.replace(/\s+/g, ' '), QUOTED)
    return {
      kind: 'comment',
      id,
      name: `este comentario de ${row.alias ?? FALLBACK_ALIAS}`,
      what: `«${quote}»`,
      path: `${paths.dog(row)}#comentarios`,
      quote,
      photos: [],
      dogId: row.dog_id,
      people: [row.user_id],
    }
  },
  profile: async (db, id) => {
    const row = await db.selectFrom('profiles').select(['alias', 'emoji']).where('id', '=', id).executeTakeFirst()
    if (!row) return undefined
    const name = `el perfil de ${row.alias}`
    const what = `${row.emoji} ${row.alias}`
    return {
      kind: 'profile',
      id,
      name,
      what,
      path: paths.member(id),
      quote: null,
      photos: [],
      dogId: null,
      people: [id],
    }
  },
}

/** «Foto 2: Duerme en el sofá» */
const altsOf = (images: readonly { alt: string | null }[]): string[] =>
  images.flatMap(({ alt }, at) => (alt ? [`${images.length > 1 ? `Foto ${at + 1}` : 'Foto'}: ${alt}`] : []))

const dogRow = (db: Db, id: string) =>
  db
    .selectFrom('dogs')
    .select(['id', 'name', 'breed', 'path_breed', 'path_slug', 'owner_id', 'discoverer_id', 'user_id'])
    .where('id', '=', id)
    .executeTakeFirst()

type DogRow = NonNullable<Awaited<ReturnType<typeof dogRow>>>

const ofDog = (dog: DogRow) => ({
  what: `${dog.name}, ${dog.breed}`,
  path: paths.dog(dog),
  quote: null,
  dogId: dog.id,
  people: [...new Set([dog.owner_id, dog.discoverer_id, dog.user_id])].filter((id) => id !== null),
})

/** A thing as the queue shows it, wherever it is. */
export interface SeenThing extends Thing {
  /** Out of sight. */
  held: boolean
}

/** The thing, in the open or held; undefined once it is gone. */
export async function anyThing(db: Db, kind: ThingKind, id: string): Promise<SeenThing | undefined> {
  const held = await heldOf(db, kind, id)
  if (held) return { ...heldThing(held), held: true }
  const thing = await FIND[kind](db, id)
  return thing && { ...thing, held: false }
}

/** What is held, as it would be seen. Its photos are at addresses that answer only those who may see it. */
export function heldThing(held: Held): Thing {
  const { kind, thing_id: id, dog_id: dogId } = held
  const people = [held.user_id, held.other_id].filter((person) => person !== null)
  const base = { kind, id, dogId, people, quote: null, path: paths.home, photos: photosOfHeld(held).map(heldPhotoUrl) }
  if (kind === 'dog') {
    const { dog, images } = heldDog(held)
    return {
      ...base,
      ...ofDog(dog),
      quote: dog.description,
      name: dogInSentence(dog.name),
      alts: altsOf(images),
    }
  }
  if (kind === 'photo') {
    const { what, image } = JSON.parse(held.snapshot) as HeldPhoto
    return { ...base, name: 'esta foto', what, alts: altsOf([image]) }
  }
  if (kind === 'comment') {
    const quote = (JSON.parse(held.snapshot) as { content: string }).content
    return { ...base, name: 'este comentario', quote, what: `«${cutCharacters(quote.replace(/\s+/g, ' '), QUOTED)}»` }
  }
  const { alias, emoji } = JSON.parse(held.snapshot) as { alias: string; emoji: string }
  return { ...base, name: `el perfil de ${alias}`, what: `${emoji} ${alias}`, path: paths.member(id) }
}
