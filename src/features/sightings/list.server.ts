import type { Db, Trx } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { type AdminRequester, isAdmin, type Requester } from '#lib/auth/current-user.ts'
import { forbidden, notFound, unauthenticated } from '#lib/errors.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { type Sighting, SIGHTING_TEXTS, sightingCount, SIGHTINGS_PAGE_SIZE } from './sightings.ts'
import type { TextWarning } from '#features/contact/text-warning.ts'

const ORDER = 'sightings'

/** The sightings of a case that reached its owner, with their photos. */
export const selectReceived = (db: Db, caseId: string) =>
  db
    .selectFrom('sightings as s')
    .leftJoin('sighting_photos as f', 'f.sighting_id', 's.id')
    .where('s.case_id', '=', caseId)

interface Row extends Omit<Sighting, 'photo' | 'warning' | 'can_write'> {
  warning: string | null
  member_id: string | null
  secret_hash: string | null
  width: number | null
  height: number | null
}

/** @param ownerId who reads it, and may have sent it */
const toSighting = ({ width, height, warning, ...row }: Row, ownerId: string | null): Sighting => ({
  id: row.id,
  at: row.at,
  lat: row.lat,
  lon: row.lon,
  zone: row.zone,
  words: row.words,
  warning: warning as TextWarning | null,
  state: row.state,
  photo: width === null || height === null ? null : { path: lostPaths.api.sightingPhoto(row.id), width, height },
  can_write: row.secret_hash !== null || (row.member_id !== null && row.member_id !== ownerId),
  created_at: row.created_at,
})

/** The open case of a dog, for its owner. @throws AppError 401; 403 for others; 404 for a dog that is gone, hidden or not lost */
export async function requireOwnCaseId(db: Db, user: Requester, dogId: string): Promise<string> {
  if (!user) throw unauthenticated()
  const dog = await db.selectFrom('dogs').select('owner_id').where('id', '=', dogId).executeTakeFirst()
  if (!dog) throw notFound('Perro no encontrado')
  if (dog.owner_id !== user.id) throw forbidden('Solo lo ve quien tiene al perro.')
  const lost = await db
    .selectFrom('lost_cases')
    .select(['id', 'owner_id'])
    .where('dog_id', '=', dogId)
    .executeTakeFirst()
  if (!lost) throw notFound(SIGHTING_TEXTS.notLost)
  if (lost.owner_id !== user.id) throw forbidden('Solo lo ve quien tiene al perro.')
  return lost.id
}

/**
 * The sightings of a dog, the last seen first: for its owner alone.
 * @throws AppError 401; 403; 404 for a dog that is gone, hidden or not lost; 422 for a malformed cursor
 */
export async function listSightings(
  db: Db,
  user: Requester,
  dogId: string,
  { cursor, limit = SIGHTINGS_PAGE_SIZE }: { cursor?: string | undefined; limit?: number } = {},
): Promise<{ sightings: Sighting[]; nextCursor: string | null }> {
  const caseId = await requireOwnCaseId(db, user, dogId)
  const after = cursor === undefined ? null : decodeCursor(cursor, ORDER)
  let query = selectReceived(db, caseId)
    .select(['s.id', 's.at', 's.lat', 's.lon', 's.zone', 's.words', 's.warning', 's.state', 's.created_at'])
    .select(['f.width', 'f.height', 's.member_id', 's.secret_hash'])
    .orderBy('s.at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(limit + 1)
  if (after) query = query.where((eb) => eb(eb.refTuple('s.at', 's.id'), '<', eb.tuple(after.value, after.id)))
  const rows = await query.execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    sightings: page.map((row) => toSighting(row, user?.id ?? null)),
    nextCursor: rows.length > limit && last ? encodeCursor({ order: ORDER, value: last.at, id: last.id }) : null,
  }
}

/**
 * The photo of a sighting: for its dog's owner, and for the admin while it waits for them.
 * @throws AppError 401; 404 for everybody else, so that ids reveal nothing
 */
export async function readSightingPhoto(db: Db, { user, adminEmail }: AdminRequester, id: string): Promise<Buffer> {
  if (!user) throw unauthenticated()
  const row = await selectOfLost(db)
    .select(['f.data', 's.hidden', 'c.owner_id'])
    .where('s.id', '=', id)
    .executeTakeFirst()
  const isSeen = row?.hidden === 0 ? row.owner_id === user.id : isAdmin(user, adminEmail)
  if (!row?.data || !isSeen) throw notFound()
  return Buffer.from(row.data, 'base64')
}

/** The sightings of dogs that are looked for, but for those of members who wait for their deletion. */
const selectOfLost = (db: Db) =>
  db
    .selectFrom('sightings_all as s')
    .innerJoin('lost_cases as c', 'c.id', 's.case_id')
    .innerJoin('dogs as g', (join) => join.onRef('g.id', '=', 'c.dog_id').onRef('g.owner_id', '=', 'c.owner_id'))
    .leftJoin('sighting_photos as f', 'f.sighting_id', 's.id')
    .where(visibleTo(null, 'presence').of('s.member_id'))

/** Those of them that wait for the admin. */
export const selectWaiting = (db: Db) => selectOfLost(db).where('s.hidden', '<>', 0)

/** Their line in the admin's bell. */
export async function waitingLine(trx: Trx) {
  const count = await countRows(selectWaiting(trx))
  const title = count === 1 ? 'Avistamiento por revisar' : 'Avistamientos por revisar'
  return { title, content: `${sightingCount(count)} por revisar.`, link: lostPaths.adminSightings }
}
