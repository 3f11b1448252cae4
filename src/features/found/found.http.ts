import type { APIContext } from 'astro'
import { addFinderSecret, readFinderSecrets } from '#features/contact/finder-cookie.http.ts'
import { describeDog } from '#features/detection/detection.http.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { requireProof } from '#features/moderation/proof-of-work/proof-of-work.http.ts'
import { preparePhoto, type PreparedPhoto, type UploadSender } from '#features/photos/ingest.server.ts'
import { PHOTO_MAX_SIDE_PX, PHOTO_TEXTS, PHOTO_UPLOAD_MAX_BYTES } from '#features/photos/photos.ts'
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
import { addNotice, findSentNotice, type SentNotice } from './add.server.ts'
import { sentNoticeAnswer } from './answers.ts'
import { findBreedSlug } from './breed-guess.server.ts'
import { type FoundInput, readFoundInput } from './found-input.server.ts'
import { FOUND_TEXTS, type FoundViewer, NOTICES_PER_DAY } from './found.ts'
import { readFoundPhoto } from './notice.server.ts'
import { readReviewedPhoto } from './reviews.server.ts'

/** A photo of 4 MB and the fields. */
const BODY_MAX_BYTES = 5 * 1024 * 1024
/** Per network, failed ones too: their photos are read. */
const TRIES_PER_WINDOW = 30
const WINDOW_SECONDS = 600
/** Answers and decisions of one viewer. */
const ACTIONS_PER_HOUR = 60
/** A visitor's key this long identifies its device, as a UUID does. */
const VISITOR_KEY_MIN_CHARS = 32

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
  // Before the photo arrives. Members have an account to lose.
  if (userId === null) await requireProof(context, 'found')
  else await assertNotBanned(db, userId)
  await countRefusal(network, () => limit('found-try', network, TRIES_PER_WINDOW, WINDOW_SECONDS, FOUND_TEXTS.sent))
  const env = getEnv()
  await assertDiskRoom(env.dataDir, env)
  const requestKey = readRequestKey(context, userId)
  const sent = await processForm(context, BODY_MAX_BYTES, async (form, work): Promise<SentNotice> => {
    onForm?.(form)
    if (isHoneypotFilled(form.get(HONEYPOT_FIELD))) {
      incrementCounter('refused', 'trap of the found form')
      await recordOffence(network, HONEYPOT_OFFENCE)
      throw invalid(FOUND_TEXTS.honeypot)
    }
    const before = await findSentNotice(db, requestKey)
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
    const upload = readPhotoPart(form)
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

/** The one photo. @throws AppError 413, 422 */
function readPhotoPart(form: FormData): File {
  const parts = form
    .getAll('photo')
    .filter((part) => (typeof part === 'string' ? part !== '' : part.size > 0 || part.name !== ''))
  if (parts.length > 1) throw invalid(FOUND_TEXTS.photos, { photo: FOUND_TEXTS.photos })
  const [part] = parts
  if (part === undefined) throw invalid(FOUND_TEXTS.photo, { photo: FOUND_TEXTS.photo })
  if (typeof part === 'string') throw invalid(PHOTO_TEXTS.unreadable, { photo: PHOTO_TEXTS.unreadable })
  if (part.size > PHOTO_UPLOAD_MAX_BYTES) throw new AppError(413, PHOTO_TEXTS.tooHeavy)
  return part
}

/** Decodes and encodes the photo anew, which removes its place and device, and takes it from the budgets of uploads. */
async function readPhoto(bytes: Uint8Array<ArrayBuffer>, sender: UploadSender): Promise<PreparedPhoto> {
  try {
    const photo = await preparePhoto(bytes, PHOTO_MAX_SIDE_PX, sender)
    await sender.admit?.(photo.data.length)
    await sender.spend?.(photo.data.length)
    return photo
  } catch (error) {
    if (error instanceof AppError && error.status === 422) throw invalid(error.message, { photo: error.message })
    throw error
  }
}

/** The Idempotency-Key header with its sender. @throws AppError 422 */
function readRequestKey({ request }: Pick<APIContext, 'request'>, userId: string | null) {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (key === '' || key.length > 200) throw invalid('Idempotency-Key no válida.')
  if (userId === null && key.length < VISITOR_KEY_MIN_CHARS) throw invalid(FOUND_TEXTS.shortKey)
  return { sender: userId ?? 'anonymous', key }
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
