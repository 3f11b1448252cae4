import type { HiddenCause } from '#db/content.ts'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { removeComment } from '#features/comments/comments.server.ts'
import { hideComment, showComment } from '#features/comments/hidden-comments.server.ts'
import { deleteDogRows } from '#features/dogs/empty-dog.server.ts'
import { deletePhoto, hideDog, hidePhoto, peopleIdsOf, showDog, showPhoto } from '#features/dogs/hidden-dogs.server.ts'
import { followAllDogs } from '#features/likes/hidden-likes.server.ts'
import { type HiddenItem, REVIEWED } from '#features/moderation/content.server.ts'
import { isVisibleTo } from '#features/moderation/visibility.server.ts'
import { deleteTargetNotifications } from '#features/notifications/target-notifications.server.ts'
import { hideOpinion, removeOpinions, showOpinion } from '#features/opinions/hidden-opinions.server.ts'
import { hideProfile, showProfile } from '#features/profiles/hidden-profiles.server.ts'
import { planRemoval } from '#features/photos/planned-moves.server.ts'
import { AppError } from '#lib/errors.ts'
import { DECISION_TEXTS } from '#features/reports/decisions/decisions.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'
import type { ReportTarget } from '#features/reports/report-target.server.ts'

/**
 * Hides a target, shown or hidden already.
 * @param inTransaction further writes of the same action, run in its transaction
 * @throws AppError 404 when the target was deleted meanwhile; 409 for a dog's only photo
 */
export async function hideTarget(
  db: Db,
  { kind, id }: Pick<ReportTarget, 'kind' | 'id'>,
  cause: HiddenCause,
  inTransaction: (trx: Trx) => Promise<void>,
  now = Date.now(),
): Promise<void> {
  await transact(db, async (trx) => {
    await HIDE_BY_KIND[kind](trx, id, cause, now)
    await inTransaction(trx)
  })
  if (kind === 'dog') await followAllDogs(db, [id])
}

const HIDE_BY_KIND: Record<TargetKind, (trx: Trx, id: string, cause: HiddenCause, now: number) => Promise<void>> = {
  dog: hideDog,
  photo: hidePhoto,
  comment: hideComment,
  opinion: hideOpinion,
  profile: hideProfile,
}

/**
 * Ends what the review has hidden an item for. One that its member's deletion hides as well stays hidden for that.
 * @param inTransaction further writes of the same action, run in its transaction
 * @throws AppError 404 when it is gone; 409 where its dog or place no longer exists, and while one of its members waits for their deletion
 */
export async function showTarget(
  db: Db,
  item: HiddenItem,
  inTransaction: (trx: Trx) => Promise<void>,
  now = Date.now(),
): Promise<void> {
  await transact(db, async (trx) => {
    if (!(await isVisibleTo(trx, null, membersOf(item), 'presence'))) throw new AppError(409, DECISION_TEXTS.leaving)
    await SHOW_BY_KIND[item.kind](trx, item.id, now)
    await inTransaction(trx)
  })
  if (item.kind === 'dog') await followAllDogs(db, [item.id])
}

/** A photo belongs to its dog, which is shown, or goes with its members. */
function membersOf({ kind, id, row }: HiddenItem): string[] {
  if (kind === 'photo') return []
  if (kind === 'profile') return [id]
  return kind === 'dog' ? peopleIdsOf(row) : [row.user_id]
}

const SHOW_BY_KIND: Record<TargetKind, (trx: Trx, id: string, now: number) => Promise<void>> = {
  dog: (trx, id, now) => showDog(trx, id, REVIEWED, now),
  photo: showPhoto,
  comment: showComment,
  opinion: showOpinion,
  profile: (trx, id) => showProfile(trx, id, ...REVIEWED),
}

/**
 * Deletes a target for good, shown or hidden. Call it inside a transaction, and `applyPhotoMoves` of its dog once that has committed.
 * @throws AppError 409 for a profile, which goes only with its account, and for a dog's only photo
 */
export async function deleteTarget(trx: Trx, target: Pick<ReportTarget, 'kind' | 'id' | 'dogId'>): Promise<void> {
  const { kind, id, dogId } = target
  if (kind === 'profile') throw new AppError(409, DECISION_TEXTS.profile)
  if (kind === 'dog') return deleteDogRows(trx, id)
  if (kind === 'opinion') return void (await removeOpinions(trx, [id]))
  await deleteTargetNotifications(trx, [id])
  if (kind === 'comment') return removeComment(trx, id)
  await deletePhoto(trx, id)
  await planRemoval(trx, { dogId: dogId ?? '', urls: [id] })
}
