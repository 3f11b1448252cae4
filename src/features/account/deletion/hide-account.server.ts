import { runInBatches } from '#db/batches.ts'
import { hasCause } from '#db/content.ts'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { hideCommentsOf } from '#features/comments/hidden-comments.server.ts'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { isOnlyOf, leaveRole, ROLE_COLUMNS } from '#features/dogs/member-roles.server.ts'
import { deleteRequests, hideRequestsOf } from '#features/dogs/ownership/ownership.server.ts'
import { followDogs } from '#features/likes/hidden-likes.server.ts'
import { hideLikesOf } from '#features/likes/likes.server.ts'
import { eraseEvents } from '#features/live/live.server.ts'
import { hide } from '#features/moderation/content.server.ts'
import { eraseNotificationsAbout } from '#features/notifications/erase.server.ts'
import { hideOpinionsOf } from '#features/opinions/hidden-opinions.server.ts'
import { type AccountDeletion, findDeletion, findDeletionIn } from './deletion-state.server.ts'

// Takes everything of an account out of sight: what is theirs is hidden where it is (db/content.ts), and nobody is what they were of dogs that
// stay.

/** Rows in one transaction: others wait no longer than that for their turn. */
const ROWS_PER_BATCH = 10

/** Hides at most `limit` rows. @returns how many there were */
type Step = (trx: Trx, deletion: AccountDeletion, limit: number) => Promise<number>

/** Those that are to be deleted with the account. */
async function hideDogs(trx: Trx, { user_id, dogs }: AccountDeletion, limit: number): Promise<number> {
  if (dogs !== 'delete') return 0
  const shown = trx
    .selectFrom('dogs_all')
    .select('id')
    .where(isOnlyOf(user_id))
    .where((eb) => eb.not(hasCause('deletion')))
  const rows = await shown.limit(limit).execute()
  for (const { id } of rows) await hideDog(trx, id, 'deletion')
  return rows.length
}

const STEPS: readonly Step[] = [
  async (trx, { user_id }) => ((await hide(trx, 'profile', user_id, 'deletion'))?.before === 0 ? 1 : 0),
  hideDogs,
  (trx, { user_id: id }, limit) => followDogs(trx, limit, trx.selectFrom('dogs_all').select('id').where(isOnlyOf(id))),
  (trx, { user_id: id }, limit) => hideRequestsOf(trx, id, limit),
  // Those of others, which nobody is left to answer.
  (trx, { user_id: discovererId }, limit) => deleteRequests(trx, { discovererId }, limit),
  ...ROLE_COLUMNS.map<Step>(
    (role) =>
      (trx, { user_id: id, dogs }, limit) =>
        leaveRole(trx, id, dogs, role, limit),
  ),
  (trx, { user_id: id }, limit) => hideLikesOf(trx, id, limit),
  (trx, { user_id: id }, limit) => hideCommentsOf(trx, id, limit),
  (trx, { user_id: id }, limit) => hideOpinionsOf(trx, id, limit),
  // After likes, whose notifications that step changes.
  (trx, { user_id: id }, limit) => eraseNotificationsAbout(trx, id, limit, 'like'),
  (trx, { user_id: id }, limit) => eraseEvents(trx, id, limit),
]

/**
 * Takes what is left of an account that waits for its deletion out of sight, in batches. Others act meanwhile, so that all steps run until a
 * transaction finds nothing in sight. Ends at once where the member undoes the deletion. Every step may run again.
 */
export async function hideAccount(db: Db, userId: string, signal?: AbortSignal): Promise<void> {
  let isHidden = false
  while (!isHidden) {
    for (const step of STEPS)
      await runInBatches(db, ROWS_PER_BATCH, (trx, limit) => runStep(trx, userId, step, limit), signal)
    isHidden = await transact(db, (trx) => markHidden(trx, userId))
  }
}

async function runStep(trx: Trx, userId: string, step: Step, limit: number): Promise<number> {
  const deletion = await findDeletionIn(trx, userId, 'hiding')
  return deletion ? step(trx, deletion, limit) : 0
}

/** Marks the account as hidden where nothing of it is in sight. @returns false where something was: the steps run again */
async function markHidden(trx: Trx, userId: string): Promise<boolean> {
  const deletion = await findDeletion(trx, userId)
  if (deletion?.state !== 'hiding') return true
  for (const step of STEPS) if ((await step(trx, deletion, ROWS_PER_BATCH)) > 0) return false
  await trx.updateTable('account_deletions').set({ state: 'waiting' }).where('user_id', '=', userId).execute()
  return true
}
