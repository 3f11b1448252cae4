import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { requireProof } from '#features/moderation/proof-of-work/proof-of-work.http.ts'
import { reviewQuota } from '#features/moderation/review-quota.http.ts'
import { prerenderPhotos } from '#features/photos/render/prerender-queue.server.ts'
import { assertDiskRoom } from '#features/photos/storage-budget.server.ts'
import { uploadSenderOf } from '#features/photos/upload-sender.http.ts'
import { unlimitedQuota } from '#lib/quota.ts'
import { invalid, sessionEnded } from '#lib/errors.ts'
import { getEnv } from '#server/env.ts'
import { validate, endpoint, findRequester, pathId, readJson, requireUser, processForm } from '#server/endpoint.ts'
import { countRefusals } from '#server/limits/network-conduct.ts'
import { readRequestKey } from '#server/request-key.ts'
import { limit, limitSuccessful } from '#server/limits/rate-limit.ts'
import { addDog } from './write/add.server.ts'
import { anonymousReviewLimits, visitorDogQuota, assertNotBot } from './write/bot-protection.http.ts'
import { claimDog } from './write/claim.server.ts'
import { getDog } from './dog.server.ts'
import { MEMBER_FIELD } from './form/form-values.ts'
import { DOG_TEXTS, RELATIONSHIPS } from './write/dog-fields.ts'
import { dogPatchSchema } from './write/dog-input.ts'
import { dogQuerySchema, nonEmptyParams } from './list/dog-query.ts'
import type { SkippedPhoto } from './dogs.ts'
import { DOG_EDIT_RATE_LIMIT, requireEditableDog, updateDog } from './write/edit.server.ts'
import { readAlts, readPhotoParts, readNewDogForm } from './write/dog-form.http.ts'
import { replaceGallery } from './write/gallery.server.ts'
import { listDogs } from './list/list.server.ts'
import { addedDogAnswer, changedDogAnswer, changedGalleryAnswer, dogPageAnswer, oneDogAnswer } from './answers.ts'

/** Ten uncompressed phone photos, for browsers that cannot compress. Below REQUEST_BODY_MAX_BYTES (server/body/request-size.ts). */
const BODY_MAX_BYTES = 44 * 1024 * 1024
const RATE_WINDOW_SECONDS = 600
/** Per IP address; refused requests do not count (their photos take turns all the same). docs/product.md §23.4 allows at least 20 in ten minutes. */
const ADDS_PER_WINDOW = 60
const GALLERY_EDITS_PER_WINDOW = 120
/** Wrong claim tokens are guesses: a few are enough for anyone honest. */
const CLAIMS_PER_WINDOW = 30

/** `GET /api/dogs` */
export const getDogs = endpoint({ 200: dogPageAnswer }, (context) =>
  listDogs(context.locals.db, validate(dogQuerySchema, nonEmptyParams(context.url.searchParams))),
)

/** `POST /api/dogs` */
export const createDog = endpoint({ 201: addedDogAnswer }, async (context) => {
  const userId = findRequester(context)?.id ?? null
  const { network } = context.locals
  // Before the photos arrive. Members have an account to lose.
  if (userId === null) await requireProof(context, 'dog')
  const quota = countRefusals(network, limitSuccessful('dog-add', network, ADDS_PER_WINDOW, RATE_WINDOW_SECONDS))
  return quota(() => readAndAddDog(context, userId))
})

async function readAndAddDog(context: APIContext, userId: string | null) {
  const { network } = context.locals
  await assertDiskRoom(getEnv().dataDir, getEnv())
  return processForm(context, BODY_MAX_BYTES, async (form, work) => {
    assertSentByItsMember(form, userId)
    await assertNotBot(form, userId === null, network)
    const photos = readPhotoParts(form)
    const uploads = photos.map(({ part }) => (typeof part === 'string' ? rejectTextPart() : part))
    const { input, alts } = readNewDogForm(form, photos)
    const { dog, association, skipped } = await addDog(context.locals.db, getEnv().dataDir, {
      input,
      uploads,
      alts: alts.map((alt) => alt ?? null),
      userId,
      idempotency: readRequestKey(context, userId),
      holdAnonymous: getEnv().reviewAnonymousDogs,
      anonymousReviews: anonymousReviewLimits(network),
      reviews: userId ? reviewQuota(userId, network) : unlimitedQuota,
      sender: uploadSenderOf(context, work),
      quota: userId ? unlimitedQuota : visitorDogQuota(network),
    })
    prerenderPhotos(getEnv().dataDir, dog.images)
    return { dog, ...(association && { association }), ...skippedField(skipped) }
  })
}

/**
 * The form names the member who opened it (MEMBER_FIELD): a cookie that has expired is not sent at all, and the dog would become
 * a visitor's. @throws AppError 401
 */
function assertSentByItsMember(form: FormData, userId: string | null): void {
  const member = form.get(MEMBER_FIELD)
  if (typeof member === 'string' && member !== '' && member !== userId) throw sessionEnded()
}

/** `GET /api/dogs/{id}` */
export const showDog = endpoint({ 200: oneDogAnswer }, async (context) => ({
  dog: await getDog(context.locals.db, pathId(context)),
}))

/** `PATCH /api/dogs/{id}`: checks rights before it reads the body, so that its errors reveal nothing to others. */
export const patchDog = endpoint({ 200: changedDogAnswer }, async (context) => {
  const id = pathId(context)
  const { user } = await requireEditableDog(context.locals.db, context.locals.user, id)
  await limit('dog-edit', user.id, ...DOG_EDIT_RATE_LIMIT)
  const patch = await readJson(context, dogPatchSchema)
  const reviews = reviewQuota(user.id, context.locals.network)
  return { dog: await updateDog(context.locals.db, context.locals.user, id, patch, undefined, reviews) }
})

/** `PUT /api/dogs/{id}/images` */
export const replaceImages = endpoint({ 200: changedGalleryAnswer }, async (context) => {
  const id = pathId(context)
  const { user } = await requireEditableDog(context.locals.db, context.locals.user, id)
  await limit('dog-images', context.locals.network, GALLERY_EDITS_PER_WINDOW, RATE_WINDOW_SECONDS)
  return processForm(context, BODY_MAX_BYTES, async (form, work) => {
    const photos = readPhotoParts(form)
    const parts = photos.map(({ part }) => part)
    const options = {
      alts: readAlts(form, photos),
      sender: uploadSenderOf(context, work),
      reviews: reviewQuota(user.id, context.locals.network),
    }
    const { dog, skipped } = await replaceGallery(
      context.locals.db,
      getEnv().dataDir,
      context.locals.user,
      id,
      parts,
      options,
    )
    prerenderPhotos(getEnv().dataDir, dog.images)
    return { dog, ...skippedField(skipped) }
  })
})

const claimSchema = z.object({
  ownershipType: z.enum(RELATIONSHIPS, DOG_TEXTS.relationship),
  token: z.string('Falta la prueba de que añadiste este perro.').check(z.minLength(1), z.maxLength(200)),
})

/** `POST /api/dogs/{id}/association` */
export const associateDog = endpoint({ 200: changedDogAnswer }, async (context) => {
  const id = pathId(context)
  const user = requireUser(context)
  await limit('dog-claim', context.locals.network, CLAIMS_PER_WINDOW, RATE_WINDOW_SECONDS)
  return { dog: await claimDog(context.locals.db, user.id, id, await readJson(context, claimSchema)) }
})

const rejectTextPart = (): never => {
  throw invalid(DOG_TEXTS.photo, { images: DOG_TEXTS.photo })
}

const skippedField = (skipped: SkippedPhoto[]) => (skipped.length ? { skipped } : {})
