import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { addFinderSecret } from '#features/contact/finder-cookie.http.ts'
import { type PublicForm, receivePublicForm } from '#features/contact/public-form.http.ts'
import { privatePhoto, readPhoto, readPhotoPart } from '#features/photos/one-photo.http.ts'
import { reportQuota } from '#features/moderation/review-quota.http.ts'
import { sessionEnded } from '#lib/errors.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { unlimitedQuota } from '#lib/quota.ts'
import { HOUR_SECONDS } from '#lib/time.ts'
import { endpoint, findRequester, pathId, readJson, requireUser, validate } from '#server/endpoint.ts'
import { getEnv } from '#server/env.ts'
import { limit, limitSuccessful } from '#server/limits/rate-limit.ts'
import { addSighting, findSentSighting, getSightableCase } from './add.server.ts'
import { judgedSightingAnswer, sentSightingAnswer, sightingsAnswer } from './answers.ts'
import { deviceSecret, sightingSender } from './device-secret.http.ts'
import { judgeSighting, type OwnerAction } from './judge.server.ts'
import { listSightings, readSightingPhoto } from './list.server.ts'
import { withdrawSighting } from './own-sightings.server.ts'
import { assertNotEarly, readSightingInput } from './sighting-input.server.ts'
import { SIGHTING_MEMBER_FIELD, SIGHTING_TEXTS } from './sightings.ts'
import { renewSecret } from './write-to-sender.server.ts'

/** Sightings of one dog by one sender: somebody who follows it through a town sends a few. */
const SIGHTINGS_OF_A_DOG_PER_HOUR = 10
const JUDGEMENTS_PER_HOUR = 300

const SIGHTING_FORM: PublicForm = {
  name: 'sighting',
  perDay: 40,
  texts: {
    honeypot: SIGHTING_TEXTS.honeypot,
    manyTries: SIGHTING_TEXTS.tooMany,
    manyInDay: SIGHTING_TEXTS.tooMany,
  },
}

/**
 * Receives a form with a sighting of a dog, from a program or the page.
 * @param onForm is given the form once it is read, for a page that shows it again
 * @throws AppError as `receivePublicForm` and `addSighting`; 401 for a form that another member opened
 */
export async function receiveSighting(
  context: APIContext,
  dogId: string,
  onForm?: (form: FormData) => void,
): Promise<{ id: string }> {
  const { db, network } = context.locals
  return receivePublicForm(context, SIGHTING_FORM, onForm, async ({ form, userId, requestKey, ...submission }) => {
    const formMember = form.get(SIGHTING_MEMBER_FIELD)
    if (typeof formMember === 'string' && formMember !== '' && formMember !== userId) throw sessionEnded()
    const device = userId === null ? deviceSecret(context, dogId) : null
    const sent = await findSentSighting(db, requestKey)
    if (sent !== null) {
      // The first answer, which set the cookie, may not have arrived.
      if (device && (await renewSecret(db, sent, { hash: device.hash, network })))
        addFinderSecret(context, dogId, device.secret)
      return { id: sent }
    }
    const input = readSightingInput(form)
    const upload = readPhotoPart(form, SIGHTING_TEXTS.photos)
    const { since } = await getSightableCase(db, dogId, userId)
    // Before a photo is taken from the budgets.
    assertNotEarly(input.at, since)
    const ofDog = limitSuccessful(
      'sighting-dog',
      // An IPv6 site has as many networks as would fill the dog's share of an hour, which then refuses everybody.
      `${userId ?? toSitePrefix(network)} ${dogId}`,
      SIGHTINGS_OF_A_DOG_PER_HOUR,
      HOUR_SECONDS,
      SIGHTING_TEXTS.tooMany,
    )
    const save = async () => {
      const photo = upload && (await readPhoto(new Uint8Array(await upload.arrayBuffer()), submission.uploadSender))
      const secretHash = device?.hash ?? null
      const { adminEmail } = getEnv()
      const sighting = { dogId, input, photo, userId, secretHash, network, requestKey, adminEmail }
      const added = await addSighting(db, sighting)
      // A second submission at the same time finds the sighting of the first, whose response with the cookie the browser has dropped.
      if (device && (added.isNew || (await renewSecret(db, added.id, { hash: device.hash, network }))))
        addFinderSecret(context, dogId, device.secret)
      return { id: added.id }
    }
    return submission.dayQuota(() => ofDog(save))
  })
}

/** `POST /api/dogs/{id}/sightings`, multipart: anybody saw a lost dog. */
export const createSighting = endpoint({ 201: sentSightingAnswer }, async (context) => {
  const { id } = await receiveSighting(context, pathId(context))
  return { id, received: true as const }
})

export const sightingsQuerySchema = z.object({
  cursor: z.optional(z.string().check(z.maxLength(500, 'La página pedida no existe.'))),
})

/** `GET /api/dogs/{id}/sightings`, for the dog's owner. */
export const getSightings = endpoint({ 200: sightingsAnswer }, (context) => {
  const { db, user } = context.locals
  const { cursor } = validate(sightingsQuerySchema, { cursor: context.url.searchParams.get('cursor') || undefined })
  return listSightings(db, user, pathId(context), { cursor })
})

/** `GET /api/sightings/{id}/photo`. No cache may store it. */
export const getSightingPhoto = endpoint({ 200: 'image/jpeg' }, async (context) => {
  const { db, user } = context.locals
  return privatePhoto(await readSightingPhoto(db, { user, adminEmail: getEnv().adminEmail }, pathId(context)))
})

/** Withdrawals of one sender. */
const WITHDRAWALS_PER_HOUR = 60

/** Deletes a sighting that the member or the device sent. @throws AppError as `withdrawSighting`; 401 for a session that has ended; 429 */
export async function withdrawOwnSighting(context: APIContext, id: string): Promise<void> {
  const { db, network } = context.locals
  const caller = findRequester(context)?.id ?? network
  await limit('sighting-withdraw', caller, WITHDRAWALS_PER_HOUR, HOUR_SECONDS, SIGHTING_TEXTS.tooMany)
  await withdrawSighting(db, id, (dogId) => sightingSender(context, dogId))
}

/** `DELETE /api/sightings/{id}`: who sent it withdraws it, with its place and photo. */
export const deleteSighting = endpoint({ 204: null }, async (context) => {
  await withdrawOwnSighting(context, pathId(context))
  return new Response(null, { status: 204 })
})

const judgementInput = z.object({ action: z.enum(['refuse', 'keep', 'report'], SIGHTING_TEXTS.action) })

/** The limit of what an owner decides about sightings. @throws AppError 429 */
export const limitJudgements = (userId: string) => limit('sighting-judge', userId, JUDGEMENTS_PER_HOUR, HOUR_SECONDS)

/** The owner's decision about a sighting, after `limitJudgements`. @throws AppError as `judgeSighting`; 429 */
export async function judge({ locals }: APIContext, user: { id: string }, id: string, action: OwnerAction) {
  const { db, network } = locals
  const quota = action === 'report' ? await reportQuota(user.id, network) : unlimitedQuota
  return quota(() => judgeSighting(db, user, id, action, { network, adminEmail: getEnv().adminEmail }))
}

/** `POST /api/sightings/{id}` `{action}`: the owner's decision about it. */
export const judgeSightingByOwner = endpoint({ 200: judgedSightingAnswer }, async (context) => {
  const id = pathId(context)
  const user = requireUser(context)
  await limitJudgements(user.id)
  const { action } = await readJson(context, judgementInput)
  const { state } = await judge(context, user, id, action)
  return { state }
})

/** The owner's action of a page's form. @throws AppError 422 */
export const readOwnerAction = (form: FormData) => validate(judgementInput, { action: form.get('action') }).action
