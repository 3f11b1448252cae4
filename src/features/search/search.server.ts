import type { Db } from '#db/client.ts'
import { prepared } from '#db/prepared.ts'
import type { CatalogueBreed } from '#features/breeds/current.server.ts'
import { breedImage, operatorPhotos } from '#features/breeds/operator.server.ts'
import { shownName } from '#features/dogs/dogs.ts'
import { blockedWith } from '#features/moderation/blocks.server.ts'
import { photoSrc } from '#features/photos/photos.ts'
import { searchPlaces } from '#features/places/suggest.server.ts'
import type { Place, PlaceKind } from '#features/places/places.ts'
import { formatCount } from '#lib/numbers.ts'
import { paths } from '#lib/paths.ts'
import { nearBreeds, searchBreeds } from './breeds.server.ts'
import { readPlace, writePlace } from './cursor.ts'
import { type SearchKey, searchKey } from './key.ts'
import { findNames, type NameRow } from './names.server.ts'
import { type Found, type Hit, type Kind, KINDS } from './search.ts'

export interface SearchOptions {
  /** Where the operator's photos of breeds lie. */
  dataDir: string
  /** Who asks: people whom they blocked, or who blocked them, are not found. */
  user?: { id: string } | null
}

interface Asked extends SearchOptions {
  db: Db
  key: SearchKey
  limit: number
  cursor: string | undefined
}

/** A page of a list that is in memory whole: the cursor is how far one has come. */
function pageOf<T>(kind: Kind, all: readonly T[], { key, limit, cursor }: Asked): { page: T[]; next: string | null } {
  const from = cursor === undefined ? 0 : readPlace(cursor, kind, key.plain).value
  const next = from + limit < all.length ? writePlace(kind, key.plain, from + limit) : null
  return { page: all.slice(from, from + limit), next }
}

async function findBreeds(asked: Asked): Promise<Found> {
  const { page, next } = pageOf('razas', await searchBreeds(asked.db, asked.key), asked)
  return { kind: 'razas', hits: await breedHits(page, asked.dataDir), next }
}

async function breedHits(breeds: readonly CatalogueBreed[], dataDir: string): Promise<Hit[]> {
  const photos = await operatorPhotos(dataDir)
  return breeds.map((breed) => ({
    href: paths.breed(breed.slug),
    title: breed.nombre_castellano,
    note: breed.pais_origen
      .split('/')
      .map((country) => country.trim())
      .join(', '),
    image: { src: breedImage(breed, 'small', photos) },
  }))
}

/** From the last name shown, with one more than a page asked for. */
async function namesOf(asked: Asked, kind: Kind, apart?: ReadonlySet<string>) {
  const { db, key, limit, cursor } = asked
  const at = cursor === undefined ? undefined : readPlace(cursor, kind, key.plain, 3)
  const [plain = '', low = '', id = ''] = at?.parts ?? []
  const from = at && { stage: at.value, plain, low, id }
  const table = kind === 'perros' ? 'dog_words' : 'member_words'
  const rows = await findNames(db, table, key, { limit: limit + 1, from, ...(apart && { apart }) })
  const page = rows.slice(0, limit)
  return { ids: page.map((row) => row.id), next: rows.length > limit ? nextOf(kind, key, page.at(-1)!) : null }
}

const nextOf = (kind: Kind, key: SearchKey, { stage, plain, low, id }: NameRow) =>
  writePlace(kind, key.plain, stage, [plain, low, id])

const dogRows = prepared((db, { ids }: { ids: string[] }) =>
  db
    .selectFrom('dogs')
    .select(['id', 'name', 'breed', 'zone', 'photo_url', 'path_breed', 'path_slug'])
    .where('id', 'in', ids),
)

async function findDogs(asked: Asked): Promise<Found> {
  const { ids, next } = await namesOf(asked, 'perros')
  const rows = new Map((await dogRows(asked.db, { ids })).map((row) => [row.id, row]))
  const hits = ids.flatMap((id): Hit[] => {
    const row = rows.get(id)
    if (!row) return []
    const note = row.zone ? `${row.breed} · ${row.zone}` : row.breed
    return [
      { href: paths.dog(row), title: shownName(row.name), note, image: { src: photoSrc(row.photo_url, 'small') } },
    ]
  })
  return { kind: 'perros', hits, next }
}

const memberRows = prepared((db, { ids }: { ids: string[] }) =>
  db.selectFrom('profiles').select(['id', 'alias', 'emoji', 'verified', 'dogs_count']).where('id', 'in', ids),
)

async function findMembers(asked: Asked): Promise<Found> {
  const apart = await blockedWith(asked.db, asked.user?.id ?? null)
  const { ids, next } = await namesOf(asked, 'perfiles', apart)
  const rows = new Map((await memberRows(asked.db, { ids })).map((row) => [row.id, row]))
  const hits = ids.flatMap((id): Hit[] => {
    const row = rows.get(id)
    if (!row) return []
    const note = `${formatCount(row.dogs_count)} ${row.dogs_count === 1 ? 'perro' : 'perros'}`
    return [{ href: paths.member(id), title: row.alias, note, emoji: row.emoji, isVerified: row.verified === 1 }]
  })
  return { kind: 'perfiles', hits, next }
}

/** How near the map begins: all of what the place is. */
const ZOOMS: Record<PlaceKind, number> = { region: 7, province: 8, island: 9, city: 11, municipality: 12, district: 13 }
const PLACE_NOTES: Record<PlaceKind, string> = {
  region: 'Comunidad autónoma',
  province: 'Provincia',
  island: 'Isla',
  city: 'Ciudad',
  municipality: 'Municipio',
  district: 'Barrio o núcleo',
}

const placeHit = ({ name, kind, lat, lon }: Place): Hit => ({
  href: paths.mapAt({ lat, lon, zoom: ZOOMS[kind] }),
  title: name,
  note: PLACE_NOTES[kind],
})

async function findZones(asked: Asked): Promise<Found> {
  const { page, next } = pageOf('zonas', searchPlaces(asked.key.plain), asked)
  return { kind: 'zonas', hits: page.map(placeHit), next }
}

const FIND: Record<Kind, (asked: Asked) => Promise<Found>> = {
  razas: findBreeds,
  perros: findDogs,
  perfiles: findMembers,
  zonas: findZones,
}

/**
 * The best of each kind for a text, without the kinds that have nothing. A text without letters finds nothing.
 * @param limits how many of each
 */
export async function searchAll(
  db: Db,
  text: string,
  limits: Readonly<Record<Kind, number>>,
  options: SearchOptions,
): Promise<Found[]> {
  const key = searchKey(text)
  if (!key.plain) return []
  const found: Found[] = []
  for (const kind of KINDS)
    found.push(await FIND[kind]({ ...options, db, key, limit: limits[kind], cursor: undefined }))
  return found.filter(({ hits }) => hits.length > 0)
}

/** A page of one kind. @throws AppError 422 for a cursor that is none of this kind and text */
export async function searchKind(
  db: Db,
  text: string,
  kind: Kind,
  { limit, cursor, ...options }: SearchOptions & { limit: number; cursor?: string | undefined },
): Promise<Found> {
  const key = searchKey(text)
  if (!key.plain) return { kind, hits: [], next: null }
  return FIND[kind]({ ...options, db, key, limit, cursor })
}

/** Breeds that a text which found nothing may have meant. */
export async function searchMeant(db: Db, text: string, { dataDir }: SearchOptions): Promise<Hit[]> {
  return breedHits(await nearBreeds(db, text), dataDir)
}
