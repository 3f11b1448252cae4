import { runInBatches } from '#db/batches.ts'
import { hasCause } from '#db/content.ts'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { putInDispute } from '#features/auth/dispute/dispute.server.ts'
import { endSessionsOf } from '#features/auth/users.server.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import type { LeavingAccount } from '#features/auth/sessions/sessions.server.ts'
import { returnComments } from '#features/comments/hidden-comments.server.ts'
import { findHiddenDog, showDog } from '#features/dogs/hidden-dogs.server.ts'
import { leaveHiddenDog, returnRoles, ROLE_COLUMNS } from '#features/dogs/member-roles.server.ts'
import { closeOwnershipRequests, showRequestsOf } from '#features/dogs/ownership/ownership.server.ts'
import { followDogs } from '#features/likes/hidden-likes.server.ts'
import { showLikesOf } from '#features/likes/likes.server.ts'
import { listOfLeaving } from '#features/moderation/content.server.ts'
import { showOpinionsOf } from '#features/opinions/hidden-opinions.server.ts'
import { showProfile } from '#features/profiles/hidden-profiles.server.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { DELETION_TEXTS } from './deletion.ts'
import { type AccountDeletion, findDeletion, findDeletionByLink, findDeletionIn } from './deletion-state.server.ts'

/** Rows in one transaction: others wait no longer than that for their turn. */
const ROWS_PER_BATCH = 10

/**
 * Undoes a deletion for anyone with the mailed link, without a session. It puts the account in dispute.
 * @throws AppError 404 for an unknown or used link; 410 once it is due
 */
export async function restoreByLink(db: Db, token: string, now = Date.now()): Promise<void> {
  const found = await findDeletionByLink(db, token, now)
  if (!found) throw notFound(DELETION_TEXTS.dead)
  const isBegun = await beginRestore(db, found.user_id, now, (trx) => findDeletionByLink(trx, token, now))
  if (!isBegun) throw notFound(DELETION_TEXTS.dead)
  await restoreAccount(db, found.user_id)
}

/**
 * The same for who signed in to the account, in whose session it may have been asked for. Asked twice, it is done once.
 * @throws AppError 404 where there is nothing to undo by now; 410 once it is due
 */
export async function restoreBySession(db: Db, leaving: Pick<LeavingAccount, 'id'>, now = Date.now()): Promise<void> {
  if (!(await beginRestore(db, leaving.id, now))) throw notFound(DELETION_TEXTS.nothing)
  await restoreAccount(db, leaving.id)
}

/** @returns whether there is a deletion to undo. @throws AppError 410 */
const beginRestore = (
  db: Db,
  userId: string,
  now: number,
  find: (trx: Trx) => Promise<AccountDeletion | undefined> = (trx) => findDeletion(trx, userId),
): Promise<boolean> =>
  transact(db, async (trx) => {
    const deletion = await find(trx)
    if (!deletion) return false
    if (deletion.state === 'restoring') return true
    if (deletion.due_at <= now) throw new AppError(410, DELETION_TEXTS.late)
    await putInDispute(trx, userId, now)
    return true
  })

/** Each brings at most so many rows back. @returns how many; fewer where no more are left */
const STEPS: readonly ((trx: Trx, userId: string, limit: number) => Promise<number>)[] = [
  returnDogs,
  (trx, userId, limit) => followDogs(trx, limit, selectDogsOf(trx, userId)),
  returnComments,
  showOpinionsOf,
  showLikesOf,
  showRequestsOf,
]

/**
 * Brings an account back, in batches, which `runDueDeletions` continues where a crash interrupts them. What others deleted or decided on
 * meanwhile stays so. At the end the sessions go in which somebody has signed in to undo it.
 */
export async function restoreAccount(db: Db, userId: string, signal?: AbortSignal): Promise<void> {
  let isRestored = false
  while (!isRestored) {
    await transact(db, (trx) => ifRestoring(trx, userId, () => showProfile(trx, userId, 'deletion')))
    await restoreRoles(db, userId, signal)
    for (const step of STEPS)
      await runInBatches(
        db,
        ROWS_PER_BATCH,
        (trx, limit) => ifRestoring(trx, userId, () => step(trx, userId, limit)),
        signal,
      )
    isRestored = await transact(db, (trx) => finishRestore(trx, userId))
  }
}

const ifRestoring = async <T>(trx: Trx, userId: string, step: () => Promise<T>): Promise<T | 0> =>
  (await findDeletionIn(trx, userId, 'restoring')) ? step() : 0

async function restoreRoles(db: Db, userId: string, signal?: AbortSignal): Promise<void> {
  const owned: string[] = []
  await runInBatches(
    db,
    ROWS_PER_BATCH,
    (trx, limit) => ifRestoring(trx, userId, () => returnRoles(trx, userId, limit, owned)),
    signal,
  )
  for (const dogId of owned) await closeOwnershipRequests(db, dogId)
}

const selectDogsOf = (db: Db, userId: string) =>
  db
    .selectFrom('dogs_all')
    .select('id')
    .where((eb) => eb.or(ROLE_COLUMNS.map((role) => eb(role, '=', userId))))

/** Dogs that the deletion hid, of which the member is one; also those of another member who left with them and waits. */
const selectHiddenDogs = (db: Db, userId: string) => selectDogsOf(db, userId).where(hasCause('deletion'))

/** At most `limit`. @returns how many */
async function returnDogs(trx: Trx, userId: string, limit: number): Promise<number> {
  const rows = await selectHiddenDogs(trx, userId).limit(limit).execute()
  for (const { id } of rows) {
    await withdrawOthers(trx, userId, id)
    await showDog(trx, id, ['deletion'])
  }
  return rows.length
}

/** Another member of the dog who left with it: it comes back without them, and their roles when they do. */
async function withdrawOthers(trx: Trx, userId: string, dogId: string): Promise<void> {
  const dog = await findHiddenDog(trx, dogId)
  for (const role of dog ? ROLE_COLUMNS : []) {
    const id = dog![role]
    const deletion = id === null || id === userId ? undefined : await findDeletion(trx, id)
    if (!deletion) continue
    await leaveHiddenDog(trx, { user_id: deletion.user_id, role, dog_id: dogId })
  }
}

/** Ends the deletion where nothing is left to return. @returns false where something is: the steps run again */
async function finishRestore(trx: Trx, userId: string): Promise<boolean> {
  if ((await findDeletion(trx, userId))?.state !== 'restoring') return true
  const roles = trx.selectFrom('left_roles').select('dog_id').where('user_id', '=', userId).limit(1)
  if ((await listOfLeaving(trx, 'profile', userId, true, 1)).length > 0 || (await roles.executeTakeFirst()))
    return false
  for (const step of STEPS) if ((await step(trx, userId, 1)) > 0) return false
  await endSessionsOf(trx, userId)
  await logSecurityEvent(trx, userId, 'deletion-undone')
  await trx.deleteFrom('account_deletions').where('user_id', '=', userId).execute()
  return true
}
