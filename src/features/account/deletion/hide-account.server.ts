import { setImmediate as nextTurn } from 'node:timers/promises'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import type { WithdrawnRowsTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { quarantineCommentsOf } from '#features/comments/quarantine.server.ts'
import {
  goesWith,
  HELD_ROLE_COLUMNS,
  isOnlyOf,
  ROLE_COLUMNS,
  takeRole,
  takeRolesOfQuarantined,
} from '#features/dogs/member-roles.server.ts'
import { deleteRequests, takeRequests } from '#features/dogs/ownership/ownership.server.ts'
import { quarantineDog } from '#features/dogs/quarantine.server.ts'
import { withRowsInQuarantine } from '#features/dogs/quarantined-rows.server.ts'
import { takeLikes } from '#features/likes/erase.server.ts'
import { eraseUser as eraseEvents, hasEventsAfter } from '#features/live/erase.server.ts'
import { hide } from '#features/moderation/content.server.ts'
import { readQuarantined } from '#features/moderation/quarantine.server.ts'
import { eraseNotificationsAbout } from '#features/notifications/erase.server.ts'
import { hideOpinionsOf } from '#features/opinions/quarantine.server.ts'
import { applyPhotoMoves } from '#features/photos/apply-moves.server.ts'
import { type AccountDeletion, findDeletion, findDeletionIn } from './deletion-state.server.ts'

// Takes everything of an account out of sight by what erases it, or by quarantine: queries know nothing of it (ADR 0080, 0165). What comes
// back is in `held` with the cause `deletion`, in `withdrawn_rows`, or hidden where it is (db/content.ts).

/** Rows in one transaction: others wait no longer than that for their turn. */
const ROWS_PER_BATCH = 10

type WithdrawnRow = Pick<WithdrawnRowsTable, 'kind' | 'dog_id' | 'created_at'> & Partial<WithdrawnRowsTable>

/** Stores rows for the return of the account. One that is stored already stays as it is. */
export async function keepWithdrawn(trx: Trx, userId: string, rows: readonly WithdrawnRow[]): Promise<number> {
  if (rows.length > 0)
    await trx
      .insertInto('withdrawn_rows')
      .values(rows.map((row) => ({ like_id: null, declined_at: null, ...row, user_id: userId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  return rows.length
}

/** Withdraws at most `limit` rows. @returns how many there were */
type Step = (trx: Trx, deletion: AccountDeletion, limit: number) => Promise<number>

const STEPS: readonly Step[] = [
  async (trx, { user_id }) => ((await hide(trx, 'profile', user_id, 'deletion'))?.before === 0 ? 1 : 0),
  async (trx, { user_id: id }, limit) => {
    const requests = await takeRequests(trx, id, limit)
    return keepWithdrawn(
      trx,
      id,
      requests.map(({ dog_id, created_at, declined_at }) => ({ kind: 'request', dog_id, created_at, declined_at })),
    )
  },
  // Those of others, which nobody is left to answer.
  (trx, { user_id: discovererId }, limit) => deleteRequests(trx, { discovererId }, limit),
  ...ROLE_COLUMNS.map<Step>((kind) => async (trx, { user_id: id, dogs, requested_at: created_at }, limit) => {
    const ids = await takeRole(trx, id, dogs, kind, limit)
    return keepWithdrawn(
      trx,
      id,
      ids.map((dog_id) => ({ kind, dog_id, created_at })),
    )
  }),
  async (trx, { user_id: id }, limit) => {
    const likes = await takeLikes(trx, id, limit)
    return keepWithdrawn(
      trx,
      id,
      likes.map((like) => ({ kind: 'like', dog_id: like.dog_id, like_id: like.id, created_at: like.created_at })),
    )
  },
  (trx, { user_id: id }, limit) => quarantineCommentsOf(trx, id, limit),
  (trx, { user_id: id }, limit) => hideOpinionsOf(trx, id, limit),
  // After likes and comments, whose notifications these steps change.
  (trx, { user_id: id }, limit) => eraseNotificationsAbout(trx, id, limit),
]

/**
 * Takes what is left of an account that waits for its deletion out of sight, in batches. Others act meanwhile, so that all steps run until a
 * transaction finds nothing in sight. Ends at once where the member undoes the deletion. Every step may run again.
 */
export async function hideAccount(db: Db, dataDir: string, userId: string, signal?: AbortSignal): Promise<void> {
  let [isHidden, searched] = [false, 0]
  while (!isHidden) {
    await hideOwnDogs(db, dataDir, userId, signal)
    for (const step of STEPS)
      await runInBatches(db, ROWS_PER_BATCH, (trx, limit) => runStep(trx, userId, step, limit), signal)
    await leaveQuarantinedDogs(db, userId, signal)
    searched = await eraseEvents(db, userId, searched, signal)
    const last = searched
    isHidden = await transact(db, (trx) => markHidden(trx, userId, last))
  }
}

async function runStep(trx: Trx, userId: string, step: Step, limit: number): Promise<number> {
  const deletion = await findDeletionIn(trx, userId, 'hiding')
  return deletion ? step(trx, deletion, limit) : 0
}

/** Marks the account as hidden where nothing of it is in sight. @returns false where something was: the steps run again */
async function markHidden(trx: Trx, userId: string, searched: number): Promise<boolean> {
  const deletion = await findDeletion(trx, userId)
  if (deletion?.state !== 'hiding') return true
  if ((await listDogsToHide(trx, deletion)).length > 0) return false
  if ((await listQuarantinedToLeave(trx, deletion)).length > 0) return false
  for (const step of STEPS) if ((await step(trx, deletion, ROWS_PER_BATCH)) > 0) return false
  if (await hasEventsAfter(trx, userId, searched)) return false
  await trx.updateTable('account_deletions').set({ state: 'waiting' }).where('user_id', '=', userId).execute()
  return true
}

/** Public dogs that are to be deleted with the account. */
async function listDogsToHide(db: Db, { user_id, dogs }: AccountDeletion): Promise<string[]> {
  if (dogs !== 'delete') return []
  const rows = await db.selectFrom('dogs').select('id').where(isOnlyOf(user_id)).execute()
  return rows.map(({ id }) => id)
}

async function hideOwnDogs(db: Db, dataDir: string, userId: string, signal?: AbortSignal): Promise<void> {
  const listed = await findDeletion(db, userId)
  for (const id of listed ? await listDogsToHide(db, listed) : []) {
    signal?.throwIfAborted()
    await withRowsInQuarantine(db, id, async (trx, options) => {
      const deletion = await findDeletionIn(trx, userId, 'hiding')
      // Since it was listed, somebody may have got a part in it.
      const dog = trx.selectFrom('dogs').select('id').where('id', '=', id).where(isOnlyOf(userId))
      if (deletion?.dogs === 'delete' && (await dog.executeTakeFirst()))
        await quarantineDog(trx, id, 'deletion', Date.now(), options)
    })
    await applyPhotoMoves(db, dataDir, id)
    await nextTurn()
  }
}

/** Quarantined dogs that stay when the account is erased, without their member. */
async function listQuarantinedToLeave(db: Db, { user_id: userId, dogs }: AccountDeletion): Promise<string[]> {
  const rows = await db
    .selectFrom('held')
    .select(['thing_id', 'cause', ...HELD_ROLE_COLUMNS])
    .where('kind', '=', 'dog')
    .where((eb) => eb.or(HELD_ROLE_COLUMNS.map((role) => eb(role, '=', userId))))
    .execute()
  return rows
    .filter(
      (row) =>
        !goesWith(
          userId,
          dogs,
          row.cause,
          HELD_ROLE_COLUMNS.map((role) => row[role]),
        ),
    )
    .map(({ thing_id }) => thing_id)
}

async function leaveQuarantinedDogs(db: Db, userId: string, signal?: AbortSignal): Promise<void> {
  const listed = await findDeletion(db, userId)
  for (const dogId of listed ? await listQuarantinedToLeave(db, listed) : []) {
    signal?.throwIfAborted()
    await transact(db, async (trx) => {
      const deletion = await findDeletionIn(trx, userId, 'hiding')
      if (deletion && (await listQuarantinedToLeave(trx, deletion)).includes(dogId))
        await withdrawFromQuarantined(trx, dogId, deletion)
    })
    await nextTurn()
  }
}

/** Takes a member whose account waits for its deletion out of a quarantined dog. Call it inside a transaction. */
export async function withdrawFromQuarantined(
  trx: Trx,
  dogId: string,
  { user_id: id, requested_at: created_at }: AccountDeletion,
): Promise<void> {
  const item = await readQuarantined(trx, 'dog', dogId)
  if (!item) return
  const roles = await takeRolesOfQuarantined(trx, item, id)
  await keepWithdrawn(
    trx,
    id,
    roles.map((kind) => ({ kind, dog_id: dogId, created_at })),
  )
}
