import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { transactOnDogRows } from '#db/dog-rows-lock.ts'
import { dryRun } from '#db/dry-run.ts'
import { transact } from '#db/transact.ts'
import { quarantineComment, restoreComment } from '#features/comments/quarantine.server.ts'
import { removeComment } from '#features/comments/comments.server.ts'
import { detachCommentOfQuarantinedDog } from '#features/comments/quarantined-comments.server.ts'
import { quarantinePhotoOfQuarantinedDog } from '#features/dogs/quarantined-dog-photos.server.ts'
import {
  type QuarantineOptions,
  restoreRowsOfDog,
  withRowsInQuarantine,
} from '#features/dogs/quarantined-rows.server.ts'
import { deleteDogRows, deleteQuarantinedDog } from '#features/dogs/write/edit.server.ts'
import {
  quarantineDog,
  quarantinePhoto,
  type RenamedPhotos,
  restoreDog,
  restorePhoto,
} from '#features/dogs/quarantine.server.ts'
import { isAnyLeaving } from '#features/moderation/leaving-members.server.ts'
import { renameCaseTarget } from '#features/moderation/cases.server.ts'
import {
  type QuarantinedItem,
  type QuarantineCause,
  findQuarantined,
  listQuarantinedPhotos,
  removeFromQuarantine,
} from '#features/moderation/quarantine.server.ts'
import {
  deleteTargetNotifications,
  renameNotificationTarget,
} from '#features/notifications/target-notifications.server.ts'
import { quarantineOpinion, removeOpinions, restoreOpinion } from '#features/opinions/quarantine.server.ts'
import { hideProfile, showProfile } from '#features/profiles/quarantine.server.ts'
import { discardReleasedPhotos, releasePhotos } from '#features/photos/quarantine.server.ts'
import { cancelPlannedMoves, planRemoval } from '#features/photos/planned-moves.server.ts'
import { applyPhotoMoves } from '#features/photos/apply-moves.server.ts'
import type { DogPhotos } from '#features/photos/photos.server.ts'
import { AppError } from '#lib/errors.ts'
import { DECISION_TEXTS } from '#features/reports/decisions/decisions.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'
import type { ReportTarget } from '#features/reports/report-target.server.ts'

/**
 * Quarantines a target, public or in quarantine with its dog. Its photo files leave the public folder after the transaction has
 * committed.
 * @param inTransaction further writes of the same action, run in its transaction; those of a dog's run twice (`withRowsInQuarantine`)
 * @throws AppError 404 when the target was deleted meanwhile; 409 for a dog's only photo
 */
export async function hideTarget(
  db: Db,
  dataDir: string,
  target: Pick<ReportTarget, 'kind' | 'id' | 'dogId'>,
  cause: QuarantineCause,
  inTransaction: (trx: Trx) => Promise<void>,
  now = Date.now(),
): Promise<void> {
  const hide = async (trx: Trx, options: QuarantineOptions = {}) => {
    await HIDE_BY_KIND[target.kind](trx, target.id, cause, now, options)
    await inTransaction(trx)
  }
  await (target.kind === 'dog' ? withRowsInQuarantine(db, target.id, hide) : runOnRow(db, target, (trx) => hide(trx)))
  await applyPhotoMoves(db, dataDir, target.dogId)
}

/** Runs `action` in a transaction. A comment's row is not on its way to quarantine or back then. */
export const runOnRow = (
  db: Db,
  { kind, dogId }: Pick<ReportTarget, 'kind' | 'dogId'>,
  action: (trx: Trx) => Promise<void>,
): Promise<void> => (kind === 'comment' && dogId !== null ? transactOnDogRows(db, dogId, action) : transact(db, action))

type Hide = (trx: Trx, id: string, cause: QuarantineCause, now: number, options: QuarantineOptions) => Promise<void>

const hidePhoto: Hide = async (trx, url, cause, now) => {
  if (!(await quarantinePhotoOfQuarantinedDog(trx, url, cause, now))) await quarantinePhoto(trx, url, cause, now)
}

const HIDE_BY_KIND: Record<TargetKind, Hide> = {
  dog: async (...target) => void (await quarantineDog(...target)),
  photo: hidePhoto,
  comment: quarantineComment,
  opinion: quarantineOpinion,
  profile: hideProfile,
}

/**
 * Restores a quarantined item. Its photos get new names: files with the new names exist before the rows name them, and the old
 * files go after. Reports, decisions and notifications of a photo follow it to its new name. A dry run comes first: what is refused
 * creates no file.
 * @param inTransaction further writes of the same action, run in its transaction and in the dry run
 * @param reason why it returns
 * @throws AppError 404 when it is no longer quarantined; 409 where its dog or place no longer exists
 */
export async function restoreTarget(
  db: Db,
  dataDir: string,
  item: QuarantinedItem,
  inTransaction: (trx: Trx) => Promise<void>,
  now = Date.now(),
  reason: RestoreReason = 'decision',
): Promise<void> {
  const photos = { dogId: item.dog_id ?? '', urls: await listQuarantinedPhotos(db, item) }
  await dryRun(db, async (trx) => {
    await assertMayReturn(trx, item, reason)
    await inTransaction(trx)
    await RESTORE_BY_KIND[item.kind](trx, item.thing_id, new Map(), now)
  })
  const renamed = await releasePhotos(db, dataDir, photos)
  const moved = [...renamed].filter(([before, after]) => before !== after)
  const toDogPhotos = (urls: string[]): DogPhotos => ({ dogId: photos.dogId, urls })
  try {
    await transact(db, async (trx) => {
      await assertMayReturn(trx, item, reason)
      // A photo that was hidden or deleted meanwhile must not become public.
      const current = await listQuarantinedPhotos(trx, item)
      if (current.length > 0 && current.length < photos.urls.length) throw new AppError(409, DECISION_TEXTS.changed)
      await RESTORE_BY_KIND[item.kind](trx, item.thing_id, renamed, now)
      await inTransaction(trx)
      for (const [before, after] of moved) {
        await renameCaseTarget(trx, 'photo', before, after)
        await renameNotificationTarget(trx, before, after)
      }
      // Photos whose file was not found keep their name and are included: their file may come back from a backup.
      await cancelPlannedMoves(trx, toDogPhotos([...renamed.values()]))
      await planRemoval(trx, toDogPhotos(moved.map(([before]) => before)))
    })
  } catch (error) {
    await discardReleasedPhotos(db, dataDir, toDogPhotos(moved.map(([, after]) => after)))
    throw error
  }
  for (const [before, after] of moved) await renameReportTarget(db, before, after)
  if (item.kind === 'dog') await restoreRowsOfDog(db, item.thing_id)
  await applyPhotoMoves(db, dataDir, item.dog_id)
}

/** A decision of the admin, or the return of its member's account, which brings back what that hid and nothing else. */
export type RestoreReason = 'decision' | 'recovery'

/** @throws AppError 409 for a decision while a member of the item waits for their deletion, and for what a decision has hidden since */
async function assertMayReturn(trx: Trx, item: QuarantinedItem, reason: RestoreReason): Promise<void> {
  if (reason === 'recovery') {
    const current = await findQuarantined(trx, item.kind, item.thing_id)
    if (current?.cause !== 'deletion') throw new AppError(409, DECISION_TEXTS.changed)
    return
  }
  // A photo belongs to its dog, which is public, or goes with its members.
  if (item.kind === 'photo') return
  const { kind, user_id, owner_id, discoverer_id, uploader_id } = item
  const ids = kind === 'dog' ? [owner_id, discoverer_id, uploader_id] : [user_id]
  if (await isAnyLeaving(trx, ids)) throw new AppError(409, DECISION_TEXTS.leaving)
}

const RESTORE_BY_KIND: Record<
  TargetKind,
  (trx: Trx, id: string, renamed: RenamedPhotos, now: number) => Promise<void>
> = {
  dog: async (trx, id, renamed, now) => void (await restoreDog(trx, id, renamed, now)),
  photo: restorePhoto,
  comment: (trx, id, _, now) => restoreComment(trx, id, now),
  opinion: restoreOpinion,
  profile: (trx, id) => showProfile(trx, id, 'words', 'reports', 'admin'),
}

/** Reports moved to another target in one transaction. */
const REPORTS_PER_BATCH = 100

/** Moves a photo's reports to its new address, which is its id, in batches: the case has moved before. */
const renameReportTarget = (db: Db, before: string, after: string): Promise<void> =>
  runInBatches(db, REPORTS_PER_BATCH, async (trx, limit) => {
    const { numUpdatedRows } = await trx
      .updateTable('reports')
      .set({ thing_id: after })
      .where('id', 'in', (eb) =>
        eb.selectFrom('reports').select('id').where('kind', '=', 'photo').where('thing_id', '=', before).limit(limit),
      )
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  })

/**
 * Deletes a target for good, public, quarantined, or in quarantine with its dog. Call it inside a transaction, and
 * `applyPhotoMoves` of its dog once that has committed.
 * @throws AppError 409 for a profile, which goes only with its account, and for a dog's only photo
 */
export async function deleteTarget(trx: Trx, target: Pick<ReportTarget, 'kind' | 'id' | 'dogId'>): Promise<void> {
  const { kind, id, dogId } = target
  if (kind === 'profile') throw new AppError(409, DECISION_TEXTS.profile)
  if (kind === 'dog')
    return (await findQuarantined(trx, 'dog', id)) ? deleteQuarantinedDog(trx, id) : deleteDogRows(trx, id)
  if (kind === 'opinion') return void (await removeOpinions(trx, [id]))
  await deleteTargetNotifications(trx, [id])
  if (kind === 'comment') {
    if (!(await detachCommentOfQuarantinedDog(trx, id))) await removeComment(trx, id)
    return
  }
  if (!(await removeFromQuarantine(trx, 'photo', id))) {
    await hidePhoto(trx, id, 'admin', Date.now(), {})
    await removeFromQuarantine(trx, 'photo', id)
  }
  await planRemoval(trx, { dogId: dogId ?? '', urls: [id] })
}
