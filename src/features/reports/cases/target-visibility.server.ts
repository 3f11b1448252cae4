import type { Db } from '#db/client.ts'
import { quarantineComment, restoreComment } from '#features/comments/quarantine.server.ts'
import { removeComment } from '#features/comments/comments.server.ts'
import { deleteDogRows, deleteQuarantinedDog } from '#features/dogs/write/edit.server.ts'
import {
  quarantineDog,
  quarantinePhoto,
  photosOfQuarantined,
  type RenamedPhotos,
  restoreDog,
  restorePhoto,
} from '#features/dogs/quarantine.server.ts'
import { renameCaseTarget } from '#features/moderation/cases.server.ts'
import {
  type QuarantinedItem,
  type QuarantineCause,
  findQuarantined,
  quarantine,
  takeFromQuarantine,
} from '#features/moderation/quarantine.server.ts'
import { type ProfileRow, restoreProfile, detachProfile } from '#features/profiles/quarantine.server.ts'
import { releasePhotos } from '#features/photos/quarantine.server.ts'
import { cancelPlannedMoves, planRemoval } from '#features/photos/planned-moves.server.ts'
import { applyPhotoMoves } from '#features/photos/apply-moves.server.ts'
import { type DogPhotos, removePhotos } from '#features/photos/photos.server.ts'
import { AppError } from '#lib/errors.ts'
import { DECISION_TEXTS } from '#features/reports/decisions/decisions.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'
import type { ReportTarget } from '#features/reports/report-target.server.ts'

/**
 * Takes a thing out of every public place, whole; its photos leave the folder of public ones once the rows say so.
 * @param also what belongs to the same deed, in its transaction
 * @throws AppError 404 when it went meanwhile; 409 for a dog's only photo
 */
export async function hideTarget(
  db: Db,
  dataDir: string,
  thing: Pick<ReportTarget, 'kind' | 'id' | 'dogId'>,
  cause: QuarantineCause,
  also: (trx: Db) => Promise<void>,
  now = Date.now(),
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await HIDE_BY_KIND[thing.kind](trx, thing.id, cause, now)
    await also(trx)
  })
  await applyPhotoMoves(db, dataDir, thing.dogId)
}

const HIDE_BY_KIND: Record<TargetKind, (trx: Db, id: string, cause: QuarantineCause, now: number) => Promise<void>> = {
  dog: async (trx, id, cause, now) => void (await quarantineDog(trx, id, cause, now)),
  photo: quarantinePhoto,
  comment: async (trx, id, cause, now) => void (await quarantineComment(trx, id, cause, now)),
  profile: async (trx, id, cause, now) => {
    const snapshot = await detachProfile(trx, id)
    await quarantine(trx, { kind: 'profile', id, dogId: null, people: [id], cause, snapshot }, now)
  },
}

/**
 * Puts a held thing back where it was. Its photos get new names, which are there before the rows say so; the old ones go
 * after. What was reported and decided of them goes on under the new names.
 * @param also what belongs to the same deed, in its transaction
 * @throws AppError 404 when it is not held any more; 409 where its place is not there
 */
export async function restoreTarget(
  db: Db,
  dataDir: string,
  held: QuarantinedItem,
  also: (trx: Db) => Promise<void>,
  now = Date.now(),
): Promise<void> {
  const photos = { dogId: held.dog_id ?? '', urls: photosOfQuarantined(held) }
  const renamed = await releasePhotos(db, dataDir, photos)
  const moved = [...renamed].filter(([before, after]) => before !== after)
  const of = (urls: string[]): DogPhotos => ({ dogId: photos.dogId, urls })
  try {
    await db.transaction().execute(async (trx) => {
      await RESTORE_BY_KIND[held.kind](trx, held.thing_id, renamed, now)
      await also(trx)
      for (const [before, after] of moved) await renameReportTarget(trx, before, after)
      // Also what could not be found, and keeps its name: it may be brought back.
      await cancelPlannedMoves(trx, of([...renamed.values()]))
      await planRemoval(trx, of(moved.map(([before]) => before)))
    })
  } catch (error) {
    const left = of(moved.map(([, after]) => after))
    // Written down already, for a round to come.
    await removePhotos(dataDir, left).catch((fault: unknown) => console.error('Photos left behind:', left, fault))
    throw error
  }
  await applyPhotoMoves(db, dataDir, held.dog_id)
}

const RESTORE_BY_KIND: Record<TargetKind, (trx: Db, id: string, renamed: RenamedPhotos, now: number) => Promise<void>> =
  {
    dog: async (trx, id, renamed, now) => void (await restoreDog(trx, id, renamed, now)),
    photo: restorePhoto,
    comment: async (trx, id, _, now) => void (await restoreComment(trx, id, now)),
    profile: async (trx, id) => {
      const held = await takeFromQuarantine(trx, 'profile', id)
      if (held) await restoreProfile(trx, JSON.parse(held.snapshot) as ProfileRow)
    },
  }

/** A photo is reported by its address: what is known of it follows it. */
async function renameReportTarget(trx: Db, before: string, after: string): Promise<void> {
  await renameCaseTarget(trx, 'photo', before, after)
  await trx
    .updateTable('reports')
    .set({ thing_id: after })
    .where('kind', '=', 'photo')
    .where('thing_id', '=', before)
    .execute()
}

/**
 * Takes a thing away for good, whether it is in the open or held. Call it inside a transaction, and `settlePhotos` of its dog
 * once that has held.
 * @throws AppError 409 for a profile, which goes only with its account, and for a dog's only photo
 */
export async function deleteTarget(trx: Db, thing: Pick<ReportTarget, 'kind' | 'id' | 'dogId'>): Promise<void> {
  const { kind, id, dogId } = thing
  if (kind === 'profile') throw new AppError(409, DECISION_TEXTS.profile)
  const remove = (things: QuarantinedItem[]) =>
    planRemoval(trx, { dogId: dogId ?? '', urls: things.flatMap(photosOfQuarantined) })
  if (kind === 'dog')
    return (await findQuarantined(trx, 'dog', id)) ? deleteQuarantinedDog(trx, id) : deleteDogRows(trx, id)
  const held = await takeFromQuarantine(trx, kind, id)
  if (held) return remove([held])
  if (kind === 'photo') {
    await quarantinePhoto(trx, id, 'admin')
    return remove([(await takeFromQuarantine(trx, 'photo', id))!])
  }
  await removeComment(trx, id)
}
