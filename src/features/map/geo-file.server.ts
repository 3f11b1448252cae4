import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Db } from '#db/client.ts'
import { inTexts } from '#db/dialect/expressions.ts'
import { lastEventId } from '#features/live/live.server.ts'
import { OverrideFile } from './index/location-overrides.server.ts'

export interface GeoFile {
  body: string
  etag: string
}

const files = new Map<string, OverrideFile>()
const cachedFiles = new WeakMap<OverrideFile, { eventId: number; file: GeoFile }>()

/**
 * The public content of `DATA_DIR/dogs-geo.json` (docs/product.md §16.6): ids and points of visible dogs. It leaves out everything
 * else in the operator's file, and dogs that are deleted or hidden.
 * @returns null without a valid file (OverrideFile)
 */
export async function readGeoFile(db: Db, dataDir: string): Promise<GeoFile | null> {
  const file = files.get(dataDir) ?? new OverrideFile(join(dataDir, 'dogs-geo.json'), () => {})
  files.set(dataDir, file)
  if (file.reloadIfChanged()) cachedFiles.delete(file)
  if (!file.isValid) return null
  // Adding, deleting and hiding a dog publish an event.
  const eventId = await lastEventId(db)
  const cached = cachedFiles.get(file)
  if (cached?.eventId === eventId) return cached.file
  const rows = await db
    .selectFrom('dogs')
    .select('id')
    .where(inTexts(db, 'id', [...file.points.keys()]))
    .orderBy('id')
    .execute()
  const features = rows.flatMap(({ id }) => {
    const point = file.points.get(id)
    if (!point) return []
    return { type: 'Feature', properties: { id }, geometry: { type: 'Point', coordinates: [point.lon, point.lat] } }
  })
  const body = JSON.stringify({ type: 'FeatureCollection', features })
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
  const geoFile = { body, etag }
  cachedFiles.set(file, { eventId, file: geoFile })
  return geoFile
}
