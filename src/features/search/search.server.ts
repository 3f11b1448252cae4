import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { countries } from '#features/breeds/countries.ts'
import type { CatalogueBreed } from '#features/breeds/current-catalogue.server.ts'
import { breedImageUrl, operatorPhotos } from '#features/breeds/operator-photos.server.ts'
import { displayName } from '#features/dogs/dogs.ts'
import { photoSrc } from '#features/photos/photos.ts'
import { findPlaceMatches, matchedPlace } from '#features/places/suggest.server.ts'
import type { Place, PlaceKind } from '#features/places/places.ts'
import { formatCount } from '#lib/numbers.ts'
import { paths } from '#lib/paths.ts'
import { findSimilarBreeds, searchBreeds } from './breed-search.server.ts'
import { readSearchCursor, writeSearchCursor } from './search-cursor.ts'
import { type SearchKey, searchKey } from '#lib/text/search-key.ts'
import { findNames, type NameRow } from './name-search.server.ts'
import { type KindHits, type Hit, type SearchKind, SEARCH_KINDS } from './search.ts'

export interface SearchOptions {
  /** The folder with the operator's photos of breeds. */
  dataDir: string
  /** The searching member. Members with a block between them are not found. */
  user?: { id: string } | null
}

interface SearchRequest extends SearchOptions {
  db: Db
  key: SearchKey
  limit: number
  cursor: string | undefined
}

/** A page of a list in memory. The cursor is an offset. */
function sliceOfList<T>(
  kind: SearchKind,
  all: readonly T[],
  { key, limit, cursor }: SearchRequest,
): { page: T[]; next: string | null } {
  const from = cursor === undefined ? 0 : readSearchCursor(cursor, kind, key.plain).value
  const next = from + limit < all.length ? writeSearchCursor(kind, key.plain, from + limit) : null
  return { page: all.slice(from, from + limit), next }
}

async function findBreeds(request: SearchRequest): Promise<KindHits> {
  const { page, next } = sliceOfList('razas', await searchBreeds(request.db, request.key), request)
  return { kind: 'razas', hits: await breedHits(page, request.dataDir), next }
}

async function breedHits(breeds: readonly CatalogueBreed[], dataDir: string): Promise<Hit[]> {
  const photos = await operatorPhotos(dataDir)
  return breeds.map((breed) => ({
    href: paths.breed(breed.slug),
    title: breed.nombre_castellano,
    note: countries(breed.pais_origen).join(', '),
    image: { src: breedImageUrl(breed, 'small', photos) },
  }))
}

/** A page of ids by name. One row more than the page tells whether there is a next one. */
async function findNamePage(request: SearchRequest, kind: SearchKind) {
  const { db, key, limit, cursor, user } = request
  const position = cursor === undefined ? undefined : readSearchCursor(cursor, kind, key.plain, 3)
  const [plain = '', low = '', id = ''] = position?.parts ?? []
  const from = position && { stage: position.value, plain, low, id }
  const table = kind === 'perros' ? 'dog_words' : 'member_words'
  const rows = await findNames(db, table, key, { limit: limit + 1, from, viewerId: user?.id })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { ids: page.map((row) => row.id), next: last ? nextCursor(kind, key, last) : null }
}

const nextCursor = (kind: SearchKind, key: SearchKey, { stage, plain, low, id }: NameRow) =>
  writeSearchCursor(kind, key.plain, stage, [plain, low, id])

const selectDogs = prepareQuery((db, { ids }: { ids: string[] }) =>
  db
    .selectFrom('dogs')
    .select(['id', 'name', 'breed', 'zone', 'photo_url', 'path_breed', 'path_slug'])
    .where('id', 'in', ids),
)

const newestOfBreed = prepareQuery((db, { slug, limit }: { slug: string; limit: number }) =>
  db
    .selectFrom('dogs')
    .select('id')
    .where('breed_slug', '=', slug)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit),
)

/** The newest dogs of the breed that is searched, after those of that name: what is left of the first page. */
async function findDogsOfBreed({ db, key, limit, cursor }: SearchRequest, found: readonly string[]): Promise<string[]> {
  const [breed] = cursor === undefined ? await searchBreeds(db, key) : []
  if (!breed) return []
  const rows = await newestOfBreed(db, { slug: breed.slug, limit })
  return rows
    .map(({ id }) => id)
    .filter((id) => !found.includes(id))
    .slice(0, limit - found.length)
}

async function findDogs(request: SearchRequest): Promise<KindHits> {
  const { ids, next } = await findNamePage(request, 'perros')
  if (next === null) ids.push(...(await findDogsOfBreed(request, ids)))
  const rows = new Map((await selectDogs(request.db, { ids })).map((row) => [row.id, row]))
  const hits = ids.flatMap((id): Hit[] => {
    const row = rows.get(id)
    if (!row) return []
    const note = row.zone ? `${row.breed} · ${row.zone}` : row.breed
    return [
      { href: paths.dog(row), title: displayName(row.name), note, image: { src: photoSrc(row.photo_url, 'small') } },
    ]
  })
  return { kind: 'perros', hits, next }
}

const selectMembers = prepareQuery((db, { ids }: { ids: string[] }) =>
  db.selectFrom('profiles').select(['id', 'alias', 'emoji', 'verified', 'dogs_count']).where('id', 'in', ids),
)

async function findMembers(request: SearchRequest): Promise<KindHits> {
  const { ids, next } = await findNamePage(request, 'perfiles')
  const rows = new Map((await selectMembers(request.db, { ids })).map((row) => [row.id, row]))
  const hits = ids.flatMap((id): Hit[] => {
    const row = rows.get(id)
    if (!row) return []
    const note = `${formatCount(row.dogs_count)} ${row.dogs_count === 1 ? 'perro' : 'perros'}`
    return [{ href: paths.member(id), title: row.alias, note, emoji: row.emoji, isVerified: row.verified === 1 }]
  })
  return { kind: 'perfiles', hits, next }
}

/** The zoom at which the map shows all of a place. */
const PLACE_ZOOMS: Record<PlaceKind, number> = {
  region: 7,
  province: 8,
  island: 9,
  city: 11,
  municipality: 12,
  district: 13,
}
const PLACE_NOTES: Record<PlaceKind, string> = {
  region: 'Comunidad autónoma',
  province: 'Provincia',
  island: 'Isla',
  city: 'Ciudad',
  municipality: 'Municipio',
  district: 'Barrio o núcleo',
}

const placeHit = ({ name, kind, lat, lon }: Place): Hit => ({
  href: paths.mapAt({ lat, lon, zoom: PLACE_ZOOMS[kind] }),
  title: name,
  note: PLACE_NOTES[kind],
})

async function findZones(request: SearchRequest): Promise<KindHits> {
  const { page, next } = sliceOfList('zonas', findPlaceMatches(request.key.plain), request)
  return { kind: 'zonas', hits: page.map((match) => placeHit(matchedPlace(match))), next }
}

const FIND_BY_KIND: Record<SearchKind, (request: SearchRequest) => Promise<KindHits>> = {
  razas: findBreeds,
  perros: findDogs,
  perfiles: findMembers,
  zonas: findZones,
}

/**
 * The best hits of each kind for a text; kinds without hits are left out. A text without letters and digits finds nothing.
 * @param limits the most hits of each kind
 */
export async function searchAll(
  db: Db,
  text: string,
  limits: Readonly<Record<SearchKind, number>>,
  options: SearchOptions,
): Promise<KindHits[]> {
  const key = searchKey(text)
  if (!key.plain) return []
  const found: KindHits[] = []
  for (const kind of SEARCH_KINDS)
    found.push(await FIND_BY_KIND[kind]({ ...options, db, key, limit: limits[kind], cursor: undefined }))
  return found.filter(({ hits }) => hits.length > 0)
}

/** A page of hits of one kind. @throws AppError 422 for a cursor of another kind or text */
export async function searchKind(
  db: Db,
  text: string,
  kind: SearchKind,
  { limit, cursor, ...options }: SearchOptions & { limit: number; cursor?: string | undefined },
): Promise<KindHits> {
  const key = searchKey(text)
  if (!key.plain) return { kind, hits: [], next: null }
  return FIND_BY_KIND[kind]({ ...options, db, key, limit, cursor })
}

/** Breeds to suggest for a text that found nothing. */
export async function suggestBreeds(db: Db, text: string, { dataDir }: SearchOptions): Promise<Hit[]> {
  return breedHits(await findSimilarBreeds(db, text), dataDir)
}
