import type { Db } from '#db/client.ts'
import { holdComment, restoreComment } from '#features/comments/hold.server.ts'
import { removeComment } from '#features/comments/comments.server.ts'
import { removeDog } from '#features/dogs/edit.server.ts'
import { holdDog, holdPhoto, photosOfHeld, type Renamed, restoreDog, restorePhoto } from '#features/dogs/hold.server.ts'
import { type HeldCause, dropHeldOfDog, putAside, takeBack } from '#features/moderation/held.server.ts'
import { type ProfileRow, putProfile, takeProfile } from '#features/profiles/hold.server.ts'
import { type DogPhotos, removePhotos, renamePhotos } from '#features/photos/photos.server.ts'
import { AppError } from '#lib/errors.ts'
import { DECISION_TEXTS } from './decisions.ts'
import type { ThingKind } from './kinds.ts'
import type { Thing } from './things.server.ts'

/**
 * Takes a thing out of every public place, whole. Its photos are renamed, so that nobody who kept an address sees them:
 * the new names are there before the rows say so, the old ones go after.
 * @param also what belongs to the same deed, in its transaction
 * @throws AppError 404 when it went meanwhile; 409 for a dog's only photo
 */
export async function hideThing(
  db: Db,
  dataDir: string,
  thing: Pick<Thing, 'kind' | 'id' | 'dogId' | 'photos'>,
  cause: HeldCause,
  also: (trx: Db) => Promise<void>,
  now = Date.now(),
): Promise<void> {
  const { dogId } = thing
  const renamed =
    dogId === null ? new Map<string, string>() : await renamePhotos(dataDir, { dogId, urls: thing.photos })
  const remove = async (urls: Iterable<string>) => dogId !== null && removePhotos(dataDir, { dogId, urls: [...urls] })
  try {
    await db.transaction().execute(async (trx) => {
      await HIDE[thing.kind](trx, thing.id, cause, renamed, now)
      await also(trx)
    })
  } catch (error) {
    await remove(renamed.values())
    throw error
  }
  await remove(renamed.keys()).catch((error: unknown) => console.error('Photos left behind:', error))
}

const HIDE: Record<ThingKind, (trx: Db, id: string, cause: HeldCause, renamed: Renamed, now: number) => Promise<void>> =
  {
    dog: async (trx, id, cause, renamed, now) => void (await holdDog(trx, id, cause, { renamed, now })),
    photo: (trx, url, cause, renamed, now) => holdPhoto(trx, url, cause, { renamed, now }),
    comment: async (trx, id, cause, _, now) => void (await holdComment(trx, id, cause, now)),
    profile: async (trx, id, cause, _, now) => {
      const snapshot = await takeProfile(trx, id)
      await putAside(trx, { kind: 'profile', id, dogId: null, people: [id], cause, snapshot }, now)
    },
  }

/** Puts a held thing back where it was. Call it inside a transaction. @throws AppError 404, 409 where its place is not there */
export const RESTORE: Record<ThingKind, (trx: Db, id: string, now: number) => Promise<void>> = {
  dog: async (trx, id, now) => void (await restoreDog(trx, id, now)),
  photo: (trx, url, now) => restorePhoto(trx, url, now),
  comment: async (trx, id, now) => void (await restoreComment(trx, id, now)),
  profile: async (trx, id) => {
    const held = await takeBack(trx, 'profile', id)
    if (held) await putProfile(trx, JSON.parse(held.snapshot) as ProfileRow)
  },
}

/**
 * Takes a thing away for good, whether it is in the open or held. Call it inside a transaction.
 * @returns photos to remove from the disk once the transaction has held
 * @throws AppError 409 for a profile, which goes only with its account, and for a dog's only photo
 */
export async function removeThing(trx: Db, thing: Pick<Thing, 'kind' | 'id' | 'dogId'>): Promise<DogPhotos> {
  const { kind, id, dogId } = thing
  if (kind === 'profile') throw new AppError(409, DECISION_TEXTS.profile)
  const of = (urls: string[]): DogPhotos => ({ dogId: dogId ?? '', urls })
  const held = await takeBack(trx, kind, id)
  if (held) {
    const rest = kind === 'dog' ? await dropHeldOfDog(trx, id) : []
    return of([held, ...rest].flatMap(photosOfHeld))
  }
  if (kind === 'dog') return of(await removeDog(trx, id))
  if (kind === 'photo') {
    await holdPhoto(trx, id, 'admin')
    return of(photosOfHeld((await takeBack(trx, 'photo', id))!))
  }
  await removeComment(trx, id)
  return of([])
}
