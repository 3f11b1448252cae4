import type { APIContext } from 'astro'
import { addFinderSecret, readFinderSecrets } from '#features/contact/finder-cookie.http.ts'
import { describeDog } from '#features/detection/detection.http.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { requireProof } from '#features/moderation/proof-of-work/proof-of-work.http.ts'
import { readPhoto, readPhotoPart } from '#features/photos/one-photo.http.ts'
import { assertDiskRoom } from '#features/photos/storage-budget.server.ts'
import { uploadSenderOf } from '#features/photos/upload-sender.http.ts'
import { isAdmin } from '#lib/auth/current-user.ts'
import { AppError, type FieldErrors, invalid } from '#lib/errors.ts'
import { HONEYPOT_FIELD, isHoneypotFilled } from '#lib/honeypot.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '#lib/time.ts'
import { incrementCounter } from '#server/counters.ts'
import { endpoint, findRequester, pathId, processForm } from '#server/endpoint.ts'
import { getEnv } from '#server/env.ts'
import { countRefusal, countRefusals, HONEYPOT_OFFENCE, recordOffence } from '#server/limits/network-conduct.ts'
import { limit, limitSuccessful } from '#server/limits/rate-limit.ts'
import { readFormKey, readRequestKey } from '#server/request-key.ts'
import { addNotice, findSentNotice, type SentNotice } from './add.server.ts'
import { sentNoticeAnswer } from './answers.ts'
import { findBreedSlug } from './breed-guess.server.ts'
import { type FoundInput, readFoundInput } from './found-input.server.ts'
import { FOUND_KEY_FIELD, FOUND_TEXTS, type FoundViewer, NOTICES_PER_DAY } from './found.ts'
import { readFoundPhoto } from './notice.server.ts'
import { readReviewedPhoto } from './reviews.server.ts'

/** A photo of 4 MB and the fields. */
const BODY_MAX_BYTES = 5 * 1024 * 1024
/** Per network, failed ones too: their photos are read. */
const TRIES_PER_WINDOW = 30
const WINDOW_SECONDS = 600
/** Answers and decisions of one viewer. */
const ACTIONS_PER_HOUR = 60

export const foundViewer = (context: APIContext): FoundViewer => ({
  userId: context.locals.user?.id ?? null,
  secrets: readFinderSecrets(context),
})

/** @throws AppError 429 */
export const limitFoundActions = ({ locals }: APIContext): Promise<void> =>
  limit('found-action', locals.user?.id ?? locals.network, ACTIONS_PER_HOUR, HOUR_SECONDS, FOUND_TEXTS.sent)

/**
 * Receives a form with a notice, from a program or the page; a visitor's device keeps the secret that opens it.
 * @param onForm is given the form once it is read, for a page that shows it again
 * @throws AppError 403 for a banned member; 413, 422, 429, 503
 */
export async function receiveNotice(context: APIContext, onForm?: (form: FormData) => void): Promise<{ id: string }> {
  const { db, network } = context.locals
  const userId = findRequester(context)?.id ?? null
  // Before the photo is received. Members need no proof of work: their account can be banned.
  if (userId === null) await requireProof(context, 'found')
  else await assertNotBanned(db, userId)
  await countRefusal(network, () => limit('found-try', network, TRIES_PER_WINDOW, WINDOW_SECONDS, FOUND_TEXTS.sent))
  const env = getEnv()
  await assertDiskRoom(env.dataDir, env)
  const headerKey = readRequestKey(context, userId)
  const sent = await processForm(context, BODY_MAX_BYTES, async (form, work): Promise<SentNotice> => {
    onForm?.(form)
    if (isHoneypotFilled(form.get(HONEYPOT_FIELD))) {
      incrementCounter('refused', 'trap of the found form')
      await recordOffence(network, HONEYPOT_OFFENCE)
      throw invalid(FOUND_TEXTS.honeypot)
    }
    const requestKey = headerKey ?? readFormKey(form, FOUND_KEY_FIELD, userId)
    const before = await findSentNotice(db, requestKey, network)
    if (before) return before
    const { upload, input } = readNotice(form)
    const ofDay = limitSuccessful('found', userId ?? network, NOTICES_PER_DAY, DAY_SECONDS, FOUND_TEXTS.many)
    const quota = userId === null ? countRefusals(network, ofDay) : ofDay
    return quota(async () => {
      const bytes = new Uint8Array(await upload.arrayBuffer())
      const photo = await readPhoto(bytes, uploadSenderOf(context, work))
      // What the finder says goes before what the photo says.
      const guess = await describeDog(context.locals, bytes, context.request.signal)
      const completed = {
        ...input,
        size: input.size ?? guess?.size ?? null,
        coat: input.coat === '' ? (guess?.coat.join(', ') ?? '') : input.coat,
      }
      const breedSlug = await findBreedSlug(db, guess?.breeds[0]?.breed)
      return addNotice(db, {
        input: completed,
        photo,
        breedSlug,
        userId,
        network,
        adminEmail: env.adminEmail,
        requestKey,
      })
    })
  })
  if (sent.secret !== null) addFinderSecret(context, sent.id, sent.secret)
  return { id: sent.id }
}

/** The photo and the fields. @throws AppError 413; 422 with the sentences of both */
function readNotice(form: FormData): { upload: File; input: FoundInput } {
  try {
    const upload = readPhotoPart(form, FOUND_TEXTS.photos)
    if (!upload) throw invalid(FOUND_TEXTS.photo, { photo: FOUND_TEXTS.photo })
    return { upload, input: readFoundInput(form) }
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors?.photo) throw error
    throw invalid(error.message, { ...error.errors, ...findFieldErrors(form) })
  }
}

function findFieldErrors(form: FormData): FieldErrors {
  try {
    readFoundInput(form)
    return {}
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.errors ?? {}
  }
}

/** `POST /api/found`, multipart: anybody found a dog. */
export const createNotice = endpoint({ 201: sentNoticeAnswer }, async (context) => {
  const { id } = await receiveNotice(context)
  return { id, path: lostPaths.foundNotice(id) }
})

/** `GET /api/found/{id}/photo`, for its finder and owners who were told, and the admin while it waits. No cache may store it. */
export const getFoundPhoto = endpoint({ 200: 'image/jpeg' }, async (context) => {
  const { db, user } = context.locals
  const { adminEmail } = getEnv()
  const id = pathId(context)
  const reviewed = isAdmin(user, adminEmail) ? await readReviewedPhoto(db, { user, adminEmail }, id) : null
  const bytes = reviewed ?? (await readFoundPhoto(db, foundViewer(context), id))
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': 'image/jpeg',
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
})
