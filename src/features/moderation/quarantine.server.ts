import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { type ContentKind, isContentKind } from '#db/content.ts'
import { withJsonText } from '#db/dialect/expressions.ts'
import type { QuarantineTable, TargetKind } from '#db/schema.ts'
import { hide, listHidden } from './content.server.ts'
import { discardCasesOf } from './orphaned-cases.server.ts'

/** Hidden content. Its rows exist only here, so nothing that lists, counts or searches can show it. */
export type QuarantinedItem = Selectable<Omit<QuarantineTable, 'snapshot'>>
/** The same with its snapshot, which may have megabytes: only for what shows or restores it. */
export type QuarantinedContent = Selectable<QuarantineTable>
export type QuarantineCause = QuarantinedItem['cause']

/** A dog's roles. The first two distinct members are the item's members. */
export interface QuarantinedRoles {
  owner_id: string | null
  discoverer_id: string | null
  /** The member who added it. */
  user_id: string | null
}

export interface NewQuarantinedItem {
  kind: Exclude<TargetKind, ContentKind>
  id: string
  dogId: string | null
  /** Ids of its members, two at most: they still see it. */
  memberIds: readonly (string | null)[]
  /** A dog's. */
  roles?: QuarantinedRoles
  claimHash?: string | null
  photos?: readonly string[]
  path?: { path_breed: string; path_slug: string } | undefined
  idempotencyKey?: string | null
  cause: QuarantineCause
  /** The rows as they were. */
  snapshot: object
}

function toMemberColumns(memberIds: readonly (string | null)[], roles?: QuarantinedRoles) {
  const [user_id = null, other_id = null] = [...new Set(memberIds.filter((id) => id !== null))]
  const { owner_id = null, discoverer_id = null, user_id: uploader_id = null } = roles ?? {}
  return { user_id, other_id, owner_id, discoverer_id, uploader_id }
}

/** Stores what its own feature has just deleted from its tables. Call it in the same transaction. */
export async function quarantine(trx: Trx, item: NewQuarantinedItem, now = Date.now()): Promise<void> {
  await trx
    .insertInto('held')
    .values({
      kind: item.kind,
      thing_id: item.id,
      dog_id: item.dogId,
      ...toMemberColumns(item.memberIds, item.roles),
      claim_hash: item.claimHash ?? null,
      path_breed: item.path?.path_breed ?? null,
      path_slug: item.path?.path_slug ?? null,
      idempotency_key: item.idempotencyKey ?? null,
      cause: item.cause,
      snapshot: JSON.stringify(item.snapshot),
      created_at: now,
    })
    .execute()
  const { kind, id, photos = [] } = item
  if (photos.length > 0)
    await trx
      .insertInto('held_photos')
      .values(photos.map((url) => ({ kind, thing_id: id, url })))
      .execute()
}

const ITEM_COLUMNS = [
  'kind',
  'thing_id',
  'dog_id',
  'user_id',
  'other_id',
  'owner_id',
  'discoverer_id',
  'uploader_id',
  'claim_hash',
  'path_breed',
  'path_slug',
  'idempotency_key',
  'cause',
  'created_at',
] as const satisfies (keyof QuarantinedItem)[]

const selectItems = (db: Db) => db.selectFrom('held').select(ITEM_COLUMNS)

/** The item without its snapshot. */
export const findQuarantined = async (db: Db, kind: TargetKind, id: string): Promise<QuarantinedItem | undefined> =>
  isContentKind(kind)
    ? (await listHidden(db, kind, { id }))[0]
    : selectItems(db).where('kind', '=', kind).where('thing_id', '=', id).executeTakeFirst()

/** The item with its snapshot: after the rights have been checked. */
export const readQuarantined = async (db: Db, kind: TargetKind, id: string): Promise<QuarantinedContent | undefined> =>
  isContentKind(kind)
    ? (await listHidden(db, kind, { id }))[0]
    : db.selectFrom('held').selectAll().where('kind', '=', kind).where('thing_id', '=', id).executeTakeFirst()

/** The photo URLs of a quarantined item; none of a comment or a profile. */
export async function listQuarantinedPhotos(
  db: Db,
  { kind, thing_id }: Pick<QuarantinedItem, 'kind' | 'thing_id'>,
): Promise<string[]> {
  if (kind !== 'dog' && kind !== 'photo') return []
  const rows = await db
    .selectFrom('held_photos')
    .select('url')
    .where('kind', '=', kind)
    .where('thing_id', '=', thing_id)
    .execute()
  return rows.map(({ url }) => url)
}

/** Whether the dog's photo is quarantined, with the dog or by itself; by index held_photos_url. */
export const isPhotoQuarantined = async (db: Db, dogId: string, url: string): Promise<boolean> =>
  (await selectPhotosOfDog(db, dogId).where('p.url', '=', url).executeTakeFirst()) !== undefined

const selectPhotosOfDog = (db: Db, dogId: string) =>
  db
    .selectFrom('held_photos as p')
    .innerJoin('held as h', (join) => join.onRef('h.kind', '=', 'p.kind').onRef('h.thing_id', '=', 'p.thing_id'))
    .select('p.url')
    .where('h.dog_id', '=', dogId)

/** Deletes an item that is in quarantine, and takes its case out of the queue; undefined when it is not quarantined. */
export async function removeFromQuarantine(
  trx: Trx,
  kind: TargetKind,
  id: string,
): Promise<QuarantinedItem | undefined> {
  const row = await findQuarantined(trx, kind, id)
  if (!row) return undefined
  await trx.deleteFrom('held').where('kind', '=', kind).where('thing_id', '=', id).execute()
  await discardCasesOf(trx, [row])
  return row
}

/** Removes an item from quarantine for its feature, which restores its rows from the snapshot; undefined when it is not quarantined. */
export async function takeFromQuarantine(
  trx: Trx,
  kind: TargetKind,
  id: string,
): Promise<QuarantinedContent | undefined> {
  const row = await readQuarantined(trx, kind, id)
  if (row) await trx.deleteFrom('held').where('kind', '=', kind).where('thing_id', '=', id).execute()
  return row
}

/**
 * Records that the admin hides an item, also where its member's account waits for its deletion: it does not come back with that. Call it in
 * the decision's transaction.
 */
export async function confirmQuarantine(trx: Trx, kind: TargetKind, id: string): Promise<void> {
  if (isContentKind(kind)) return void (await hide(trx, kind, id, 'admin'))
  await trx
    .updateTable('held')
    .set({ cause: 'admin' })
    .where('kind', '=', kind)
    .where('thing_id', '=', id)
    .where('cause', '=', 'deletion')
    .execute()
}

/** Updates a quarantined dog after a write: a claim, a member who left. */
export async function updateQuarantined(
  trx: Trx,
  { kind, thing_id }: QuarantinedItem,
  {
    memberIds,
    roles,
    claimHash,
  }: { memberIds: readonly (string | null)[]; roles: QuarantinedRoles; claimHash: string | null },
  snapshot: object,
): Promise<void> {
  await trx
    .updateTable('held')
    .set({ ...toMemberColumns(memberIds, roles), claim_hash: claimHash, snapshot: JSON.stringify(snapshot) })
    .where('kind', '=', kind)
    .where('thing_id', '=', thing_id)
    .execute()
}

/** The quarantined dog whose photo it is, with its snapshot; by index held_photos_url. */
export const readQuarantinedDogOfPhoto = (db: Db, url: string): Promise<QuarantinedContent | undefined> =>
  db
    .selectFrom('held')
    .selectAll()
    .where('kind', '=', 'dog')
    .where('thing_id', '=', (eb) =>
      eb.selectFrom('held_photos').select('thing_id').where('url', '=', url).where('kind', '=', 'dog').limit(1),
    )
    .executeTakeFirst()

/** Takes a photo from those of a quarantined dog. The caller updates the snapshot (`updateQuarantined`). */
export const detachQuarantinedPhoto = (trx: Trx, { kind, thing_id }: QuarantinedItem, url: string) =>
  trx
    .deleteFrom('held_photos')
    .where('kind', '=', kind as 'dog')
    .where('thing_id', '=', thing_id)
    .where('url', '=', url)
    .execute()

/** Stores how the photos of a dog that were quarantined by themselves are described: «Foto de Toby, Beagle». */
export const redescribeQuarantinedPhotos = (trx: Trx, dogId: string, label: string) =>
  trx
    .updateTable('held')
    .set({ snapshot: withJsonText(trx, 'snapshot', 'what', label) })
    .where('dog_id', '=', dogId)
    .where('kind', '=', 'photo')
    .execute()

/** A member's quarantined dogs, newest first, one at a time: their own pages and archive show them. By indexes held_user and held_other. 100 at most. */
export async function* readQuarantinedDogsOf(db: Db, userId: string): AsyncGenerator<QuarantinedContent> {
  const selectBy = (column: 'user_id' | 'other_id') =>
    selectItems(db).where(column, '=', userId).where('kind', '=', 'dog')
  const items = selectBy('user_id').union(selectBy('other_id')).orderBy('created_at', 'desc').limit(100)
  for (const { kind, thing_id } of await items.execute()) {
    const content = await readQuarantined(db, kind, thing_id)
    if (content) yield content
  }
}

/** A quarantined dog by its address; by index held_path. */
export const findQuarantinedByPath = (
  db: Db,
  path_breed: string,
  path_slug: string,
): Promise<QuarantinedItem | undefined> =>
  selectItems(db)
    .where('path_breed', '=', path_breed)
    .where('path_slug', '=', path_slug)
    .where('path_slug', 'is not', null)
    .executeTakeFirst()

/** The quarantined dog that a request with this Idempotency-Key added; by index held_key. */
export const findQuarantinedByIdempotencyKey = (db: Db, key: string): Promise<QuarantinedItem | undefined> =>
  selectItems(db).where('idempotency_key', '=', key).where('idempotency_key', 'is not', null).executeTakeFirst()

/**
 * Deletes the quarantined items of a dog that is deleted: itself, its comments and photos, and takes their cases out of the queue.
 * @returns the URLs of their photos
 */
export async function deleteQuarantinedOfDog(trx: Trx, dogId: string): Promise<string[]> {
  const photos = await selectPhotosOfDog(trx, dogId).execute()
  const items = await trx.deleteFrom('held').where('dog_id', '=', dogId).returning(['kind', 'thing_id']).execute()
  await discardCasesOf(trx, items)
  return photos.map(({ url }) => url)
}
