import type { APIContext } from 'astro'
import { addFinderSecret, readFinderSecrets } from '#features/contact/finder-cookie.http.ts'
import { type PublicForm, receivePublicForm } from '#features/contact/public-form.http.ts'
import { describeDog } from '#features/detection/detection.http.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { privatePhoto, readPhoto, readPhotoPart } from '#features/photos/one-photo.http.ts'
import { isAdmin } from '#lib/auth/current-user.ts'
import { AppError, type FieldErrors, invalid } from '#lib/errors.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { HOUR_SECONDS } from '#lib/time.ts'
import { endpoint, pathId } from '#server/endpoint.ts'
import { getEnv } from '#server/env.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { addNotice, findSentNotice, type SentNotice } from './add.server.ts'
import { sentNoticeAnswer } from './answers.ts'
import { findBreedSlug } from './breed-guess.server.ts'
import { type FoundInput, readFoundInput } from './found-input.server.ts'
import { FOUND_TEXTS, type FoundViewer, NOTICES_PER_DAY } from './found.ts'
import { readFoundPhoto } from './notice.server.ts'
import { readReviewedPhoto } from './reviews.server.ts'

/** Answers and decisions of one viewer. */
const ACTIONS_PER_HOUR = 60

/** Who asks for a notice: the session's member and the secrets of the device. */
export const foundViewer = (context: APIContext): FoundViewer => ({
  userId: context.locals.user?.id ?? null,
  secrets: readFinderSecrets(context),
})

/** The limit of what one viewer does with notices. @throws AppError 429 */
export const limitFoundActions = ({ locals }: APIContext): Promise<void> =>
  limit('found-action', locals.user?.id ?? locals.network, ACTIONS_PER_HOUR, HOUR_SECONDS, FOUND_TEXTS.sent)

const FOUND_FORM: PublicForm = {
  name: 'found',
  perDay: NOTICES_PER_DAY,
  texts: { honeypot: FOUND_TEXTS.honeypot, manyTries: FOUND_TEXTS.sent, manyInDay: FOUND_TEXTS.many },
}

/**
 * Receives a form with a notice, from a program or the page; a visitor's device keeps the secret that opens it.
 * @param onForm is given the form once it is read, for a page that shows it again
 * @throws AppError as `receivePublicForm` and `addNotice`
 */
export async function receiveNotice(context: APIContext, onForm?: (form: FormData) => void): Promise<{ id: string }> {
  const { db, network, user } = context.locals
  if (user) await assertNotBanned(db, user.id)
  const sent = await receivePublicForm(
    context,
    FOUND_FORM,
    onForm,
    async ({ form, userId, requestKey, uploadSender, dayQuota }): Promise<SentNotice> => {
      const before = await findSentNotice(db, requestKey, network)
      if (before) return before
      const { upload, input } = readNotice(form)
      return dayQuota(async () => {
        const bytes = new Uint8Array(await upload.arrayBuffer())
        const photo = await readPhoto(bytes, uploadSender)
        // What the finder says goes before what the photo says.
        const guess = await describeDog(context.locals, bytes, context.request.signal)
        const completed = {
          ...input,
          size: input.size ?? guess?.size ?? null,
          coat: input.coat === '' ? (guess?.coat.join(', ') ?? '') : input.coat,
        }
        const breedSlug = await findBreedSlug(db, guess?.breeds[0]?.breed)
        const { adminEmail } = getEnv()
        return addNotice(db, { input: completed, photo, breedSlug, userId, network, adminEmail, requestKey })
      })
    },
  )
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

/** `GET /api/found/{id}/photo`, for its finder, the owners who were notified, and the admin while it waits. No cache may store it. */
export const getFoundPhoto = endpoint({ 200: 'image/jpeg' }, async (context) => {
  const { db, user } = context.locals
  const { adminEmail } = getEnv()
  const id = pathId(context)
  const reviewed = isAdmin(user, adminEmail) ? await readReviewedPhoto(db, { user, adminEmail }, id) : null
  const bytes = reviewed ?? (await readFoundPhoto(db, foundViewer(context), id))
  return privatePhoto(bytes)
})
