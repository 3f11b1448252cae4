import { LRUCache } from 'lru-cache'
import type { Db } from '#db/client.ts'
import { NAMELESS } from '#features/dogs/dogs.ts'
import { resolveFilterBreed } from '#features/dogs/list/list.server.ts'
import { breedBySlug } from '#features/breeds/catalogue.server.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { findProvince, listProvinces } from '#features/places/provinces.server.ts'
import { type Cursor, decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { invalid } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { DATASET_TEXTS, type DogRecord, FILE_MAX_ROWS } from './datasets.ts'

/** The filters as the table holds them. */
export interface DatasetFilter {
  breed_slug?: string
  /** INE number. */
  province?: string
}

export interface DatasetQuery {
  raza?: string | undefined
  provincia?: string | undefined
  cursor?: string | undefined
}

const ORDER = 'datos'
/** Read in a row; whoever else waits is served in between. */
const BATCH_ROWS = 200
/** Zone texts whose places are remembered: thousands of dogs share one. */
const ZONE_CACHE_SIZE = 5000

type ZonePoint = { lat: number; lon: number } | null
const zonePoints = new LRUCache<string, { spot: ZonePoint }>({ max: ZONE_CACHE_SIZE })
let provinceNames: Map<string, string> | undefined

/** @throws AppError 422 for a breed or a province that there is not */
export function toDatasetFilter({ raza, provincia }: DatasetQuery): DatasetFilter {
  const breed_slug = raza ? resolveFilterBreed(raza) : undefined
  if (breed_slug && !breedBySlug(breed_slug)) throw invalid(DATASET_TEXTS.breed, { raza: DATASET_TEXTS.breed })
  const province = provincia ? findProvince(provincia) : undefined
  if (province === null) throw invalid(DATASET_TEXTS.province, { provincia: DATASET_TEXTS.province })
  return { ...(breed_slug && { breed_slug }), ...(province && { province: province.id }) }
}

/** Rows newest first, each filter from its own index (dogs_[breed_][province_]created). */
export function selectDatasetRows(db: Db, filter: DatasetFilter, limit: number, after?: Cursor) {
  let rows = db
    .selectFrom('dogs')
    .select(['id', 'name', 'breed', 'breed_slug', 'age', 'age_unit', 'weight', 'size', 'zone', 'province', 'votes'])
    .select(['day', 'created_at', 'photo_url', 'path_breed', 'path_slug'])
  if (filter.breed_slug) rows = rows.where('breed_slug', '=', filter.breed_slug)
  if (filter.province) rows = rows.where('province', '=', filter.province)
  if (after) rows = rows.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.value, after.id)))
  return rows.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit)
}

type Row = Awaited<ReturnType<ReturnType<typeof selectDatasetRows>['execute']>>[number]

/**
 * One file of public dogs: at most `most`, however many there are, read some at a time so that nobody waits for the whole.
 * A dog out of sight is in no table that is read here.
 * @param siteUrl before addresses; without it they are paths
 * @throws AppError 422
 */
export async function readDogRecords(
  db: Db,
  query: DatasetQuery,
  siteUrl: string | undefined,
  most = FILE_MAX_ROWS,
): Promise<{ dogs: DogRecord[]; next: string | null }> {
  const filter = toDatasetFilter(query)
  let after = query.cursor ? decodeCursor(query.cursor, ORDER) : undefined
  const dogs: DogRecord[] = []
  while (dogs.length < most) {
    const wanted = Math.min(BATCH_ROWS, most - dogs.length)
    const rows = await selectDatasetRows(db, filter, wanted + 1, after).execute()
    const batch = rows.slice(0, wanted)
    dogs.push(...batch.map((row) => toRecord(row, siteUrl)))
    if (rows.length <= wanted) return { dogs, next: null }
    const { created_at, id } = batch.at(-1)!
    after = { order: ORDER, value: created_at, id }
    await new Promise((go) => setImmediate(go))
  }
  return { dogs, next: after ? encodeCursor(after) : null }
}

const toAbsoluteUrl = (path: string, siteUrl: string | undefined) =>
  path && siteUrl ? new URL(path, siteUrl).href : path

function toRecord(row: Row, siteUrl: string | undefined): DogRecord {
  const spot = findZonePoint(row.zone)
  return {
    id: row.id,
    name: row.name === NAMELESS ? '' : row.name,
    breed: row.breed,
    breed_slug: row.breed_slug,
    age: row.age,
    age_unit: row.age_unit,
    weight_kg: row.weight,
    size: row.size,
    zone: row.zone,
    province: provinceName(row.province),
    lat: spot?.lat ?? null,
    lon: spot?.lon ?? null,
    likes: row.votes,
    created: String(row.day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
    page: toAbsoluteUrl(paths.dog(row), siteUrl),
    photo: toAbsoluteUrl(row.photo_url, siteUrl),
  }
}

/**
 * The gazetteer's middle of the zone, to a thousandth of a degree; never where the map draws the dog, nor what the
 * operator's file or another service may know better.
 */
function findZonePoint(zone: string | null): ZonePoint {
  if (!zone) return null
  let known = zonePoints.get(zone)
  if (!known) {
    const place = findPlace(zone)
    known = { spot: place && { lat: place.lat, lon: place.lon } }
    zonePoints.set(zone, known)
  }
  return known.spot
}

function provinceName(id: string | null): string | null {
  provinceNames ??= new Map(listProvinces().map((province) => [province.id, province.name]))
  return (id && provinceNames.get(id)) ?? null
}
