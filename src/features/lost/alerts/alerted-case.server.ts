import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { photoName, photoSrc } from '#features/photos/photos.ts'
import type { GeoPoint } from '#lib/geo.ts'

/** An open case as alerts describe it. The exact place is not read. */
export interface AlertedCase {
  id: string
  dogId: string
  ownerId: string
  /** Who is behind the dog: no alert passes a block with one of them. */
  people: string[]
  name: string
  photoUrl: string
  path: { path_breed: string; path_slug: string }
  zone: string
  since: number
  shown: GeoPoint
  /** Its owner is a new member: only members within NEAR_KM are alerted, and it may take NEAR_ALERTS_PER_DAY of their alerts of a day. */
  isNear: boolean
}

const selectAlertedCase = prepareQuery((db, { id, now }: { id: string; now: number }) =>
  db
    .selectFrom('lost_cases as c')
    .innerJoin('dogs as d', (join) => join.onRef('d.id', '=', 'c.dog_id').onRef('d.owner_id', '=', 'c.owner_id'))
    .select(['c.id', 'c.dog_id', 'c.owner_id', 'c.zone', 'c.since', 'c.shown_lat', 'c.shown_lon', 'c.alerts'])
    .select(['d.name', 'd.photo_url', 'd.path_breed', 'd.path_slug', 'd.user_id', 'd.discoverer_id'])
    .where('c.id', '=', id)
    .where(visibleTo(null, 'lostAlerts', now).of('c.owner_id')),
)

/** The case as anybody may see it now; null where it has ended, its dog is hidden or somebody else's, or its owner is banned or leaves. */
export async function readAlertedCase(db: Db, id: string, now: number): Promise<AlertedCase | null> {
  const [row] = await selectAlertedCase(db, { id, now })
  if (!row) return null
  const people = [row.owner_id, row.user_id, row.discoverer_id].filter((person) => person !== null)
  return {
    id: row.id,
    dogId: row.dog_id,
    ownerId: row.owner_id,
    people: [...new Set(people)],
    name: row.name,
    photoUrl: row.photo_url,
    path: { path_breed: row.path_breed, path_slug: row.path_slug },
    zone: row.zone,
    since: row.since,
    shown: { lat: row.shown_lat, lon: row.shown_lon },
    isNear: row.alerts === 'near',
  }
}

/** The path of the photo that an alert shows; null for addresses of other sites and drawings. */
export const storedPhoto = (url: string): string | null => (photoName(url) ? photoSrc(url, 'default') : null)
