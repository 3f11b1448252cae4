import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { addFinderSecret } from '#features/contact/finder-cookie.http.ts'
import { assertAdminProof } from '#features/auth/recent-auth/admin-proof.http.ts'
import { requireProof } from '#features/moderation/proof-of-work/proof-of-work.http.ts'
import { readPhoto, readPhotoPart } from '#features/photos/one-photo.http.ts'
import { assertDiskRoom } from '#features/photos/storage-budget.server.ts'
import { uploadSenderOf } from '#features/photos/upload-sender.http.ts'
import { invalid, sessionEnded } from '#lib/errors.ts'
import { HONEYPOT_FIELD, isHoneypotFilled } from '#lib/honeypot.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '#lib/time.ts'
import { incrementCounter } from '#server/counters.ts'
import { endpoint, findRequester, pathId, processForm, readJson, requireUser, validate } from '#server/endpoint.ts'
import { getEnv } from '#server/env.ts'
import { countRefusal, countRefusals, HONEYPOT_OFFENCE, recordOffence } from '#server/limits/network-conduct.ts'
import { limit, limitSuccessful } from '#server/limits/rate-limit.ts'
import { readFormKey, readRequestKey } from '#server/request-key.ts'
import { addSighting, findSentSighting, getSightableCase } from './add.server.ts'
import { judgedSightingAnswer, sentSightingAnswer, sightingsAnswer } from './answers.ts'
import { deviceSecret, sightingSender } from './device-secret.http.ts'
import { decideSighting, judgeSighting } from './judge.server.ts'
import { listSightings, readSightingPhoto } from './list.server.ts'
import { withdrawSighting } from './own-sightings.server.ts'
import { assertNotEarly, readSightingInput } from './sighting-input.server.ts'
import { SIGHTING_KEY_FIELD, SIGHTING_MEMBER_FIELD, SIGHTING_TEXTS } from './sightings.ts'
import { renewSecret } from './write-to-sender.server.ts'

/** A photo of 4 MB and the fields. */
const BODY_MAX_BYTES = 5 * 1024 * 1024
/** Per network, failed ones too: their photos are read. */
const TRIES_PER_WINDOW = 30
const WINDOW_SECONDS = 600
/** Sightings that reach an owner, per member or visitors' network and day. */
const SIGHTINGS_PER_DAY = 40
/** Of one dog: whoever follows it through a town sends a few. */
const SIGHTINGS_OF_A_DOG_PER_HOUR = 10
const JUDGEMENTS_PER_HOUR = 300

/** Receives a form with a sighting of a dog, from a program or the page. @throws AppError as `addSighting`; 413, 415, 422, 429, 503 */
export async function receiveSighting(
  context: APIContext,
  dogId: string,
  onForm?: (form: FormData) => void,
): Promise<{ id: string }> {
  const { db, network } = context.locals
  const userId = findRequester(context)?.id ?? null
  // Before the photo is received. Members need no proof of work: their account can be banned.
  if (userId === null) await requireProof(context, 'sighting')
  await countRefusal(network, () =>
    limit('sighting-try', network, TRIES_PER_WINDOW, WINDOW_SECONDS, SIGHTING_TEXTS.tooMany),
  )
  const env = getEnv()
  await assertDiskRoom(env.dataDir, env)
  const headerKey = readRequestKey(context, userId)
  return processForm(context, BODY_MAX_BYTES, async (form, work) => {
    onForm?.(form)
    const formMember = form.get(SIGHTING_MEMBER_FIELD)
    if (typeof formMember === 'string' && formMember !== '' && formMember !== userId) throw sessionEnded()
    if (isHoneypotFilled(form.get(HONEYPOT_FIELD))) {
      incrementCounter('refused', 'trap of the sighting form')
      await recordOffence(network, HONEYPOT_OFFENCE)
      throw invalid(SIGHTING_TEXTS.honeypot)
    }
    const requestKey = headerKey ?? readFormKey(form, SIGHTING_KEY_FIELD, userId)
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
    const ofDay = limitSuccessful('sighting', userId ?? network, SIGHTINGS_PER_DAY, DAY_SECONDS, SIGHTING_TEXTS.tooMany)
    // An IPv6 site has as many networks as would fill the dog's share of an hour, which then refuses everybody.
    const caller = `${userId ?? toSitePrefix(network)} ${dogId}`
    const ofDog = limitSuccessful(
      'sighting-dog',
      caller,
      SIGHTINGS_OF_A_DOG_PER_HOUR,
      HOUR_SECONDS,
      SIGHTING_TEXTS.tooMany,
    )
    const quota = userId === null ? countRefusals(network, ofDay) : ofDay
    return quota(() =>
      ofDog(async () => {
        const photo =
          upload && (await readPhoto(new Uint8Array(await upload.arrayBuffer()), uploadSenderOf(context, work)))
        const secretHash = device?.hash ?? null
        const added = await addSighting(db, {
          dogId,
          input,
          photo,
          userId,
          secretHash,
          network,
          requestKey,
          adminEmail: env.adminEmail,
        })
        // Of two presses at once the second finds the sighting of the first, whose secret the browser dropped with its answer.
        if (device && (added.isNew || (await renewSecret(db, added.id, { hash: device.hash, network }))))
          addFinderSecret(context, dogId, device.secret)
        return { id: added.id }
      }),
    )
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
  const bytes = await readSightingPhoto(db, { user, adminEmail: getEnv().adminEmail }, pathId(context))
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': 'image/jpeg',
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
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
const decisionInput = z.object({ action: z.enum(['deliver', 'refuse'], SIGHTING_TEXTS.action) })

export const limitJudgements = (userId: string) => limit('sighting-judge', userId, JUDGEMENTS_PER_HOUR, HOUR_SECONDS)

/** `POST /api/sightings/{id}` `{action}`: what the owner makes of it. */
export const judgeSightingByOwner = endpoint({ 200: judgedSightingAnswer }, async (context) => {
  const id = pathId(context)
  const user = requireUser(context)
  await limitJudgements(user.id)
  const { action } = await readJson(context, judgementInput)
  const { state } = await judgeSighting(context.locals.db, user, id, action, { adminEmail: getEnv().adminEmail })
  return { state }
})

/** `POST /api/admin/sightings/{id}` `{action}`: what the admin decides about one that waits. */
export const decideSightingByAdmin = endpoint({ 200: judgedSightingAnswer }, async (context) => {
  await assertAdminProof(context)
  const { db, user } = context.locals
  const { action } = await readJson(context, decisionInput)
  return decideSighting(db, { user, adminEmail: getEnv().adminEmail }, pathId(context), action)
})

/** What an action's form names, for the pages that take it themselves. @throws AppError 422 */
export const readOwnerAction = (form: FormData) => validate(judgementInput, { action: form.get('action') }).action
export const readAdminAction = (form: FormData) => validate(decisionInput, { action: form.get('action') }).action
