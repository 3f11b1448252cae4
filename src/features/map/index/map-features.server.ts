import type { Db } from '#db/client.ts'
import { inTexts } from '#db/dialect/expressions.ts'
import { paths } from '#lib/paths.ts'
import type { DogFeature, MapFeature } from '#features/map/map.ts'
import type { Mark } from './dog-index.ts'

type ShownDog = Omit<DogFeature['properties'], 'path' | 'likes'> & {
  path_breed: string
  path_slug: string
  votes: number
}

/** What markers show of these dogs, by id. Read for each request, so that it is never stale. */
export async function readShownDogs(db: Db, ids: readonly string[]): Promise<Map<string, ShownDog>> {
  const rows: ShownDog[] = await db
    .selectFrom('dogs')
    .select(['id', 'name', 'breed', 'breed_slug', 'zone', 'photo_url', 'path_breed', 'path_slug', 'votes'])
    .where(inTexts(db, 'id', ids))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** A dog deleted since the index was built is left out. */
export function featureOf(mark: Mark, shown: Map<string, ShownDog>): MapFeature[] {
  if (!mark.dog) {
    const { lon, lat, count, bbox, cluster_id, expansion_zoom, coverDogId } = mark
    const cover = coverDogId && shown.get(coverDogId)
    const properties = {
      cluster: true as const,
      cluster_id,
      point_count: count,
      point_count_abbreviated: abbreviate(count),
      expansion_zoom,
      ...(cover && { photo_url: cover.photo_url }),
    }
    return [{ type: 'Feature', id: cluster_id, bbox, geometry: pointAt(lon, lat), properties }]
  }
  const row = shown.get(mark.dog.id)
  if (!row) return []
  const { path_breed, path_slug, votes: likes, ...rest } = row
  const properties = { ...rest, path: paths.dog({ path_breed, path_slug }), likes }
  return [{ type: 'Feature', id: row.id, geometry: pointAt(mark.dog.lon, mark.dog.lat), properties }]
}

const roundToMetre = (degrees: number) => Math.round(degrees * 1e5) / 1e5
export const pointAt = (lon: number, lat: number) => ({
  type: 'Point' as const,
  coordinates: [roundToMetre(lon), roundToMetre(lat)] as [number, number],
})

/** Abbreviated as supercluster does: 1.3k, 12k. */
const abbreviate = (count: number): string | number =>
  count >= 10_000 ? `${Math.round(count / 1000)}k` : count >= 1000 ? `${Math.round(count / 100) / 10}k` : count
