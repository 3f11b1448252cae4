import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { QuarantineTable, TargetKind } from '#db/schema.ts'

/** Hidden content. Its rows exist only here, so nothing that lists, counts or searches can show it. */
export type QuarantinedItem = Selectable<QuarantineTable>
export type QuarantineCause = QuarantinedItem['cause']

export interface NewQuarantinedItem {
  kind: TargetKind
  id: string
  dogId: string | null
  /** Ids of its members, two at most: they still see it. */
  people: readonly (string | null)[]
  path?: { path_breed: string; path_slug: string } | undefined
  idempotencyKey?: string | null
  cause: QuarantineCause
  /** The rows as they were. */
  snapshot: object
}

/** Stores what its own feature has just deleted from its tables. Call it in the same transaction. */
export async function quarantine(trx: Db, item: NewQuarantinedItem, now = Date.now()): Promise<void> {
  const [user_id = null, other_id = null] = [...new Set(item.people.filter((id) => id !== null))]
  await trx
    .insertInto('held')
    .values({
      kind: item.kind,
      thing_id: item.id,
      dog_id: item.dogId,
      user_id,
      other_id,
      path_breed: item.path?.path_breed ?? null,
      path_slug: item.path?.path_slug ?? null,
      idempotency_key: item.idempotencyKey ?? null,
      cause: item.cause,
      snapshot: JSON.stringify(item.snapshot),
      created_at: now,
    })
    .execute()
}

export const findQuarantined = (db: Db, kind: TargetKind, id: string): Promise<QuarantinedItem | undefined> =>
  db.selectFrom('held').selectAll().where('kind', '=', kind).where('thing_id', '=', id).executeTakeFirst()

/** Removes an item from quarantine for its feature, which restores or deletes its rows; undefined when it is not quarantined. */
export async function takeFromQuarantine(trx: Db, kind: TargetKind, id: string): Promise<QuarantinedItem | undefined> {
  const row = await findQuarantined(trx, kind, id)
  if (row) await trx.deleteFrom('held').where('kind', '=', kind).where('thing_id', '=', id).execute()
  return row
}

/** Updates a quarantined item after a write: a claim, a member who left. */
export async function updateQuarantined(
  trx: Db,
  { kind, thing_id }: QuarantinedItem,
  people: readonly (string | null)[],
  snapshot: object,
): Promise<void> {
  const [user_id = null, other_id = null] = [...new Set(people.filter((id) => id !== null))]
  await trx
    .updateTable('held')
    .set({ user_id, other_id, snapshot: JSON.stringify(snapshot) })
    .where('kind', '=', kind)
    .where('thing_id', '=', thing_id)
    .execute()
}

/** A member's quarantined items, newest first; by indexes held_user and held_other. 100 at most. */
export async function listQuarantinedOf(db: Db, userId: string, kind?: TargetKind): Promise<QuarantinedItem[]> {
  const selectBy = (column: 'user_id' | 'other_id') => {
    const rows = db.selectFrom('held').selectAll().where(column, '=', userId)
    return kind ? rows.where('kind', '=', kind) : rows
  }
  return selectBy('user_id').union(selectBy('other_id')).orderBy('created_at', 'desc').limit(100).execute()
}

/** A quarantined dog by its address; by index held_path. */
export const findQuarantinedByPath = (
  db: Db,
  path_breed: string,
  path_slug: string,
): Promise<QuarantinedItem | undefined> =>
  db
    .selectFrom('held')
    .selectAll()
    .where('path_breed', '=', path_breed)
    .where('path_slug', '=', path_slug)
    .where('path_slug', 'is not', null)
    .executeTakeFirst()

/** The quarantined dog that a request with this Idempotency-Key added; by index held_key. */
export const findQuarantinedByIdempotencyKey = (db: Db, key: string): Promise<QuarantinedItem | undefined> =>
  db
    .selectFrom('held')
    .selectAll()
    .where('idempotency_key', '=', key)
    .where('idempotency_key', 'is not', null)
    .executeTakeFirst()

/** Deletes the quarantined items of a dog that is deleted: itself, its comments and photos. @returns the deleted items */
export async function deleteQuarantinedOfDog(trx: Db, dogId: string): Promise<QuarantinedItem[]> {
  const rows = await trx.selectFrom('held').selectAll().where('dog_id', '=', dogId).execute()
  await trx.deleteFrom('held').where('dog_id', '=', dogId).execute()
  return rows
}

/** Those of a snapshot's rows whose author is still a member; a few hundred at most. */
export async function filterByMembers<T extends { user_id: string }>(trx: Db, rows: readonly T[]): Promise<T[]> {
  const ids = [...new Set(rows.map((row) => row.user_id))]
  const members = await trx.selectFrom('users').select('id').where('id', 'in', ids).execute()
  const known = new Set(members.map(({ id }) => id))
  return rows.filter((row) => known.has(row.user_id))
}
