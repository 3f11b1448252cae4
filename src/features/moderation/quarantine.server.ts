import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { QuarantineTable, TargetKind } from '#db/schema.ts'

/** What was taken out of sight. Its rows are nowhere else, so nothing that lists, counts or searches can show it. */
export type QuarantinedItem = Selectable<QuarantineTable>
export type QuarantineCause = QuarantinedItem['cause']

export interface NewQuarantinedItem {
  kind: TargetKind
  id: string
  dogId: string | null
  /** Whose it is: they still see it. Two at most. */
  people: readonly (string | null)[]
  path?: { path_breed: string; path_slug: string } | undefined
  idempotencyKey?: string | null
  cause: QuarantineCause
  /** The rows as they stood. */
  snapshot: object
}

/** Keeps what its own feature has just taken out of its tables. Call it in the same transaction. */
export async function quarantine(trx: Db, thing: NewQuarantinedItem, now = Date.now()): Promise<void> {
  const [user_id = null, other_id = null] = [...new Set(thing.people.filter((id) => id !== null))]
  await trx
    .insertInto('held')
    .values({
      kind: thing.kind,
      thing_id: thing.id,
      dog_id: thing.dogId,
      user_id,
      other_id,
      path_breed: thing.path?.path_breed ?? null,
      path_slug: thing.path?.path_slug ?? null,
      idempotency_key: thing.idempotencyKey ?? null,
      cause: thing.cause,
      snapshot: JSON.stringify(thing.snapshot),
      created_at: now,
    })
    .execute()
}

export const findQuarantined = (db: Db, kind: TargetKind, id: string): Promise<QuarantinedItem | undefined> =>
  db.selectFrom('held').selectAll().where('kind', '=', kind).where('thing_id', '=', id).executeTakeFirst()

/** Hands a thing back to the feature it belongs to, which puts its rows where they were; undefined when it is not held. */
export async function takeFromQuarantine(trx: Db, kind: TargetKind, id: string): Promise<QuarantinedItem | undefined> {
  const row = await findQuarantined(trx, kind, id)
  if (row) await trx.deleteFrom('held').where('kind', '=', kind).where('thing_id', '=', id).execute()
  return row
}

/** What was written of a thing that is held: a claim, a member who left. */
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

/** What a member has that others do not see, the newest first; by held_user and held_other. */
export async function listQuarantinedOf(db: Db, userId: string, kind?: TargetKind): Promise<QuarantinedItem[]> {
  const part = (column: 'user_id' | 'other_id') => {
    const rows = db.selectFrom('held').selectAll().where(column, '=', userId)
    return kind ? rows.where('kind', '=', kind) : rows
  }
  return part('user_id').union(part('other_id')).orderBy('created_at', 'desc').limit(100).execute()
}

/** A held dog by its address, by held_path. */
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

/** The held dog that a request with this Idempotency-Key added, by held_key. */
export const findQuarantinedByIdempotencyKey = (db: Db, key: string): Promise<QuarantinedItem | undefined> =>
  db
    .selectFrom('held')
    .selectAll()
    .where('idempotency_key', '=', key)
    .where('idempotency_key', 'is not', null)
    .executeTakeFirst()

/** Forgets what is held of a dog that goes for good (its comments and photos). @returns what it was */
export async function deleteQuarantinedOfDog(trx: Db, dogId: string): Promise<QuarantinedItem[]> {
  const rows = await trx.selectFrom('held').selectAll().where('dog_id', '=', dogId).execute()
  await trx.deleteFrom('held').where('dog_id', '=', dogId).execute()
  return rows
}
