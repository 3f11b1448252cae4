import { LRUCache } from 'lru-cache'
import type { Db } from '#db/client.ts'
import { NAMELESS } from '#features/dogs/dogs.ts'
import { resolveFilterBreed } from '#features/dogs/list/list.server.ts'
import { breedBySlug } from '#features/breeds/catalogue.server.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { findProvince, provinceNames } from '#features/places/provinces.server.ts'
import { type Cursor, decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { invalid } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { DATASET_TEXTS, type DogRecord, FILE_MAX_ROWS } from './datasets.ts'

/** The filters by columns of `dogs`. */
export interface DatasetFilter {
  breed_slug?: string
  /** Code of the INE, «28». */
  province?: string
}

export interface DatasetQuery {
  raza?: string | undefined
  provincia?: string | undefined
  cursor?: string | undefined
}

const ORDER = 'datos'
/** Rows read at a time; other requests are served in between. */
const BATCH_ROWS = 200
/** Zones whose coordinates are cached: thousands of dogs share one. */
const ZONE_CACHE_SIZE = 5000

type ZonePoint = { lat: number; lon: number } | null
const zonePoints = new LRUCache<string, { point: ZonePoint }>({ max: ZONE_CACHE_SIZE })
let names: ReadonlyMap<string, string> | undefined

/** @throws AppError 422 for an unknown breed or province */
export function toDatasetFilter({ raza, provincia }: DatasetQuery): DatasetFilter {
  const breed_slug = raza ? resolveFilterBreed(raza) : undefined
  if (breed_slug && !breedBySlug(breed_slug)) throw invalid(DATASET_TEXTS.breed, { raza: DATASET_TEXTS.breed })
  const province = provincia ? findProvince(provincia) : undefined
  if (province === null) throw invalid(DATASET_TEXTS.province, { provincia: DATASET_TEXTS.province })
  return { ...(breed_slug && { breed_slug }), ...(province && { province: province.id }) }
}

/** Selects rows, newest first. Each combination of filters has an index (dogs_[breed_][province_]created). */
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
 * Reads the dogs of one file, at most `maxRows`, in batches, so that other requests are served in between. Hidden dogs
 * are in none of the tables read here.
 * @param siteUrl the origin for addresses; without it they are paths
 * @throws AppError 422
 */
export async function readDogRecords(
  db: Db,
  query: DatasetQuery,
  siteUrl: string | undefined,
  maxRows = FILE_MAX_ROWS,
): Promise<{ dogs: DogRecord[]; next: string | null }> {
  const filter = toDatasetFilter(query)
  let after = query.cursor ? decodeCursor(query.cursor, ORDER) : undefined
  const dogs: DogRecord[] = []
  while (dogs.length < maxRows) {
    const batchSize = Math.min(BATCH_ROWS, maxRows - dogs.length)
    const rows = await selectDatasetRows(db, filter, batchSize + 1, after).execute()
    const batch = rows.slice(0, batchSize)
    dogs.push(...batch.map((row) => toRecord(row, siteUrl)))
    const last = batch.at(-1)
    if (!last || rows.length <= batchSize) return { dogs, next: null }
    after = { order: ORDER, value: last.created_at, id: last.id }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { dogs, next: after ? encodeCursor(after) : null }
}

const toAbsoluteUrl = (path: string, siteUrl: string | undefined) =>
  path && siteUrl ? new URL(path, siteUrl).href : path

function toRecord(row: Row, siteUrl: string | undefined): DogRecord {
  const point = findZonePoint(row.zone)
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
    lat: point?.lat ?? null,
    lon: point?.lon ?? null,
    likes: row.votes,
    created: String(row.day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
    page: toAbsoluteUrl(paths.dog(row), siteUrl),
    photo: toAbsoluteUrl(row.photo_url, siteUrl),
  }
}

/**
 * The gazetteer's centre of the zone, to a thousandth of a degree. Never the point where the map shows the dog, nor a more
 * exact one from the operator's file or a geocoder.
 */
function findZonePoint(zone: string | null): ZonePoint {
  if (!zone) return null
  let cached = zonePoints.get(zone)
  if (!cached) {
    const place = findPlace(zone)
    cached = { point: place && { lat: place.lat, lon: place.lon } }
    zonePoints.set(zone, cached)
  }
  return cached.point
}

function provinceName(id: string | null): string | null {
  names ??= provinceNames()
  return (id && names.get(id)) ?? null
}
