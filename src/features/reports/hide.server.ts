import type { Db } from '#db/client.ts'
import { holdComment, restoreComment } from '#features/comments/hold.server.ts'
import { removeComment } from '#features/comments/comments.server.ts'
import { removeDog, removeHeldDog } from '#features/dogs/edit.server.ts'
import { holdDog, holdPhoto, photosOfHeld, type Renamed, restoreDog, restorePhoto } from '#features/dogs/hold.server.ts'
import { renameCase } from '#features/moderation/cases.server.ts'
import { type Held, type HeldCause, heldOf, putAside, takeBack } from '#features/moderation/held.server.ts'
import { type ProfileRow, putProfile, takeProfile } from '#features/profiles/hold.server.ts'
import { releasePhotos } from '#features/photos/held.server.ts'
import { cancelPlanned, planRemoval } from '#features/photos/moves.server.ts'
import { settlePhotos } from '#features/photos/settle-moves.server.ts'
import { type DogPhotos, removePhotos } from '#features/photos/photos.server.ts'
import { AppError } from '#lib/errors.ts'
import { DECISION_TEXTS } from './decisions.ts'
import type { ThingKind } from './kinds.ts'
import type { Thing } from './things.server.ts'

/**
 * Takes a thing out of every public place, whole; its photos leave the folder of public ones once the rows say so.
 * @param also what belongs to the same deed, in its transaction
 * @throws AppError 404 when it went meanwhile; 409 for a dog's only photo
 */
export async function hideThing(
  db: Db,
  dataDir: string,
  thing: Pick<Thing, 'kind' | 'id' | 'dogId'>,
  cause: HeldCause,
  also: (trx: Db) => Promise<void>,
  now = Date.now(),
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await HIDE[thing.kind](trx, thing.id, cause, now)
    await also(trx)
  })
  await settlePhotos(db, dataDir, thing.dogId)
}

const HIDE: Record<ThingKind, (trx: Db, id: string, cause: HeldCause, now: number) => Promise<void>> = {
  dog: async (trx, id, cause, now) => void (await holdDog(trx, id, cause, now)),
  photo: holdPhoto,
  comment: async (trx, id, cause, now) => void (await holdComment(trx, id, cause, now)),
  profile: async (trx, id, cause, now) => {
    const snapshot = await takeProfile(trx, id)
    await putAside(trx, { kind: 'profile', id, dogId: null, people: [id], cause, snapshot }, now)
  },
}

/**
 * Puts a held thing back where it was. Its photos get new names, which are there before the rows say so; the old ones go
 * after. What was reported and decided of them goes on under the new names.
 * @param also what belongs to the same deed, in its transaction
 * @throws AppError 404 when it is not held any more; 409 where its place is not there
 */
export async function restoreThing(
  db: Db,
  dataDir: string,
  held: Held,
  also: (trx: Db) => Promise<void>,
  now = Date.now(),
): Promise<void> {
  const photos = { dogId: held.dog_id ?? '', urls: photosOfHeld(held) }
  const renamed = await releasePhotos(db, dataDir, photos)
  const moved = [...renamed].filter(([before, after]) => before !== after)
  const of = (urls: string[]): DogPhotos => ({ dogId: photos.dogId, urls })
  try {
    await db.transaction().execute(async (trx) => {
      await RESTORE[held.kind](trx, held.thing_id, renamed, now)
      await also(trx)
      for (const [before, after] of moved) await renameReported(trx, before, after)
      // Also what could not be found, and keeps its name: it may be brought back.
      await cancelPlanned(trx, of([...renamed.values()]))
      await planRemoval(trx, of(moved.map(([before]) => before)))
    })
  } catch (error) {
    const left = of(moved.map(([, after]) => after))
    // Written down already, for a round to come.
    await removePhotos(dataDir, left).catch((fault: unknown) => console.error('Photos left behind:', left, fault))
    throw error
  }
  await settlePhotos(db, dataDir, held.dog_id)
}

const RESTORE: Record<ThingKind, (trx: Db, id: string, renamed: Renamed, now: number) => Promise<void>> = {
  dog: async (trx, id, renamed, now) => void (await restoreDog(trx, id, renamed, now)),
  photo: restorePhoto,
  comment: async (trx, id, _, now) => void (await restoreComment(trx, id, now)),
  profile: async (trx, id) => {
    const held = await takeBack(trx, 'profile', id)
    if (held) await putProfile(trx, JSON.parse(held.snapshot) as ProfileRow)
  },
}

/** A photo is reported by its address: what is known of it follows it. */
async function renameReported(trx: Db, before: string, after: string): Promise<void> {
  await renameCase(trx, 'photo', before, after)
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
export async function removeThing(trx: Db, thing: Pick<Thing, 'kind' | 'id' | 'dogId'>): Promise<void> {
  const { kind, id, dogId } = thing
  if (kind === 'profile') throw new AppError(409, DECISION_TEXTS.profile)
  const remove = (things: Held[]) => planRemoval(trx, { dogId: dogId ?? '', urls: things.flatMap(photosOfHeld) })
  if (kind === 'dog') return (await heldOf(trx, 'dog', id)) ? removeHeldDog(trx, id) : removeDog(trx, id)
  const held = await takeBack(trx, kind, id)
  if (held) return remove([held])
  if (kind === 'photo') {
    await holdPhoto(trx, id, 'admin')
    return remove([(await takeBack(trx, 'photo', id))!])
  }
  await removeComment(trx, id)
}
