import type { Trx } from '#db/client.ts'
import {
  detachQuarantinedPhoto,
  quarantine,
  type QuarantineCause,
  readQuarantinedDogOfPhoto,
  updateQuarantined,
} from '#features/moderation/quarantine.server.ts'
import { AppError } from '#lib/errors.ts'
import { dogInSentence } from '#lib/text/names.ts'
import {
  ONLY_PHOTO_ERROR,
  parseQuarantinedDog,
  participantsOf,
  type QuarantinedDog,
  type QuarantinedPhoto,
} from './quarantine.server.ts'

/**
 * Quarantines one photo of a dog that is in quarantine itself: it stays there when the dog is restored. Its file is there already.
 * Call it inside a transaction.
 * @returns false where no quarantined dog has the photo
 * @throws AppError 409 for the only photo of its dog
 */
export async function quarantinePhotoOfQuarantinedDog(
  trx: Trx,
  url: string,
  cause: QuarantineCause,
  now: number,
): Promise<boolean> {
  const item = await readQuarantinedDogOfPhoto(trx, url)
  const before = item && parseQuarantinedDog(item)
  const image = before?.images.find((each) => each.url === url)
  if (!item || !before || !image) return false
  const images = before.images.filter((each) => each !== image).map((each, order) => ({ ...each, order }))
  if (images.length === 0) throw new AppError(409, ONLY_PHOTO_ERROR)
  const after: QuarantinedDog = { ...before, dog: { ...before.dog, photo_url: images[0]!.url }, images }
  const memberIds = participantsOf(after)
  await detachQuarantinedPhoto(trx, item, url)
  await updateQuarantined(trx, item, { memberIds, roles: after.dog, claimHash: item.claim_hash }, after)
  const snapshot: QuarantinedPhoto = { image, what: `Foto ${dogInSentence(after.dog.name, 'de')}, ${after.dog.breed}` }
  await quarantine(
    trx,
    { kind: 'photo', id: url, dogId: item.thing_id, memberIds, photos: [url], cause, snapshot },
    now,
  )
  return true
}
