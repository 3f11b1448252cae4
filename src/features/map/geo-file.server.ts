import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { lastEventId } from '#features/live/live.server.ts'
import { OverrideFile } from './index/location-overrides.server.ts'

export interface GeoFile {
  body: string
  etag: string
}

const files = new Map<string, OverrideFile>()
const cachedFiles = new WeakMap<OverrideFile, { at: number; file: GeoFile }>()

/**
 * `DATA_DIR/dogs-geo.json` as others may read it (docs/product.md §16.6): of each dog that is shown its id and its point. What else
 * the operator wrote there stays there, and so do dogs that are deleted or out of sight.
 * @returns null without the file, or with one that does not count (OverrideFile)
 */
export async function readGeoFile(db: Db, dataDir: string): Promise<GeoFile | null> {
  const file = files.get(dataDir) ?? new OverrideFile(join(dataDir, 'dogs-geo.json'), () => {})
  files.set(dataDir, file)
  if (file.reloadIfChanged()) cachedFiles.delete(file)
  if (!file.isValid) return null
  // A dog that comes, goes or is held publishes an event.
  const at = await lastEventId(db)
  const known = cachedFiles.get(file)
  if (known?.at === at) return known.file
  const ids = JSON.stringify([...file.points.keys()])
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM dogs WHERE id IN (SELECT value FROM json_each(${ids})) ORDER BY id`.execute(db)
  const features = rows.map(({ id }) => {
    const { lon, lat } = file.points.get(id)!
    return { type: 'Feature', properties: { id }, geometry: { type: 'Point', coordinates: [lon, lat] } }
  })
  const body = JSON.stringify({ type: 'FeatureCollection', features })
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
  const made = { body, etag }
  cachedFiles.set(file, { at, file: made })
  return made
}
