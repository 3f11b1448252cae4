import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { renderAhead } from '#features/photos/ahead.server.ts'
import { admitAll } from '#lib/admit.ts'
import { invalid } from '#lib/errors.ts'
import { siteOf } from '#lib/network.ts'
import { getEnv } from '#server/env.ts'
import type { Work } from '#server/body-work.ts'
import { check, endpoint, json, pathId, readJson, requireUser, withForm } from '#server/http.ts'
import { limit, limitAmount } from '#server/rate.ts'
import { addDog } from './add.server.ts'
import { admitStranger, refusePrograms } from './brakes.http.ts'
import { claimDog } from './claim.server.ts'
import { getDog } from './dog.server.ts'
import { DOG_TEXTS, dogPatchSchema, RELATIONSHIPS } from './dogInput.ts'
import { dogQuerySchema, filledIn } from './dogQuery.ts'
import type { SkippedPhoto } from './dogs.ts'
import { deleteDog, editableRow, editDog } from './edit.server.ts'
import { altsOf, photosOf, readNewDog } from './form.http.ts'
import { setImages } from './gallery.server.ts'
import { listDogs } from './list.server.ts'
import type { Uploader } from './uploads.server.ts'

/** Ten photos as phones make them, for a browser that cannot compress; under the adapter's own limit of 48 MB. */
const BODY_MAX = 44 * 1024 * 1024
const TEN_MINUTES = 600
/** Per address, done or not: each costs the reading of its photos. The contract allows at least 20 in ten minutes. */
const ADDS = 60
const GALLERIES = 120
/** Per member: each tells all open pages. */
const EDITS = 120
/** A visitor's key this long was drawn by lot: it tells its device from all others, as a UUID does. */
const SECRET_KEY = 32
const SHORT_KEY = `Idempotency-Key no válida: sin sesión, al menos ${SECRET_KEY} caracteres al azar.`
/** Wrong claim tokens are guesses: a few are enough for anyone honest. */
const CLAIMS = 30

/** `GET /api/dogs` */
export const list = endpoint((context) =>
  listDogs(context.locals.db, check(dogQuerySchema, filledIn(context.url.searchParams))),
)

const DAY = 86_400
const STORED_ENOUGH = 'Hoy ya has subido muchísimas fotos. Mañana podrás subir más.'

/** Whose turn an upload takes, and whose day's allowance: the member's, a visitor's network's. */
function senderOf({ locals, request }: APIContext, work: Work): Uploader {
  const who = locals.user?.id ?? locals.ip
  const { uploadBytesPerDay: most } = getEnv()
  return {
    who,
    network: siteOf(locals.ip),
    signal: AbortSignal.any([request.signal, work.signal]),
    begin: work.begin,
    ...(most > 0 && {
      charge: (bytes: number) => limitAmount('stored photos a day', who, bytes, most, DAY, STORED_ENOUGH),
    }),
  }
}

/** `POST /api/dogs` */
export const add = endpoint(async (context) => {
  await limit('dog-add', context.locals.ip, ADDS, TEN_MINUTES)
  return withForm(context, BODY_MAX, async (form, work) => {
    const userId = context.locals.user?.id ?? null
    refusePrograms(form, userId === null)
    const photos = photosOf(form)
    const uploads = photos.map(({ part }) => (typeof part === 'string' ? refuseText() : part))
    const { input, alts } = readNewDog(form, photos)
    const { dog, association, skipped } = await addDog(context.locals.db, getEnv().dataDir, {
      input,
      uploads,
      alts: alts.map((alt) => alt ?? null),
      userId,
      idempotency: idempotency(context, userId),
      holdAnonymous: getEnv().holdAnonymous,
      sender: senderOf(context, work),
      admit: userId ? admitAll : admitStranger(context.locals.ip),
    })
    renderAhead(getEnv().dataDir, dog.images)
    return json({ dog, ...(association && { association }), ...told(skipped) }, 201)
  })
})

/** `GET /api/dogs/{id}` */
export const show = endpoint(async (context) => ({ dog: await getDog(context.locals.db, pathId(context)) }))

/** `PATCH /api/dogs/{id}`: rights before the body, so that a stranger learns nothing from its errors. */
export const edit = endpoint(async (context) => {
  const id = pathId(context)
  const { user } = await editableRow(context.locals.db, context.locals.user, id)
  await limit('dog-edit', user.id, EDITS, TEN_MINUTES)
  const patch = await readJson(context, dogPatchSchema)
  return { dog: await editDog(context.locals.db, getEnv().dataDir, context.locals.user, id, patch) }
})

/** `DELETE /api/dogs/{id}` */
export const remove = endpoint(async (context) => {
  await deleteDog(context.locals.db, getEnv().dataDir, context.locals.user, pathId(context))
  return new Response(null, { status: 204 })
})

/** `PUT /api/dogs/{id}/images` */
export const replaceImages = endpoint(async (context) => {
  const id = pathId(context)
  await editableRow(context.locals.db, context.locals.user, id)
  await limit('dog-images', context.locals.ip, GALLERIES, TEN_MINUTES)
  return withForm(context, BODY_MAX, async (form, work) => {
    const photos = photosOf(form)
    const parts = photos.map(({ part }) => part)
    const options = { alts: altsOf(form, photos), sender: senderOf(context, work) }
    const { dog, skipped } = await setImages(
      context.locals.db,
      getEnv().dataDir,
      context.locals.user,
      id,
      parts,
      options,
    )
    renderAhead(getEnv().dataDir, dog.images)
    return { dog, ...told(skipped) }
  })
})

const claimSchema = z.object({
  ownershipType: z.enum(RELATIONSHIPS, DOG_TEXTS.relationship),
  token: z.string('Falta la prueba de que añadiste este perro.').check(z.minLength(1), z.maxLength(200)),
})

/** `POST /api/dogs/{id}/association` */
export const associate = endpoint(async (context) => {
  const id = pathId(context)
  const user = requireUser(context)
  await limit('dog-claim', context.locals.ip, CLAIMS, TEN_MINUTES)
  return { dog: await claimDog(context.locals.db, user.id, id, await readJson(context, claimSchema)) }
})

const refuseText = (): never => {
  throw invalid(DOG_TEXTS.photo, { images: DOG_TEXTS.photo })
}

/** The request's Idempotency-Key with who sent it: two people may choose the same key. @throws AppError 422 */
function idempotency(context: APIContext, userId: string | null) {
  const key = context.request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (key === '' || key.length > 200) throw invalid('Idempotency-Key no válida.')
  // Nothing else tells a visitor's device from others, since a phone sends again from another network: whoever guesses the
  // key is given the dog, and the token that claims it.
  if (userId === null && key.length < SECRET_KEY) throw invalid(SHORT_KEY)
  return { sender: userId ?? 'anonymous', key }
}

const told = (skipped: SkippedPhoto[]) => (skipped.length ? { skipped } : {})
