import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { PHOTO_TEXTS, PHOTO_UPLOAD_MAX_BYTES } from '#features/photos/photos.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { getEnv } from '#server/env.ts'
import { endpoint, processForm } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { incrementCounter } from '#server/counters.ts'
import { spendDetection } from './daily-budget.server.ts'
import { detectBreed } from './detection.server.ts'
import { DETECTION_TEXTS } from './detection.ts'

/** A person's tries a minute, each of which the operator pays for (docs/product.md §23.4: no limit below 10 per IP). */
const TRIES_PER_MINUTE = 20
const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400
/** A person's in a day: with it, one who never stops leaves the others most of what there is for all (DETECTIONS_PER_DAY). */
const TRIES_PER_DAY = 100
/** The photo and what multipart puts around it. */
const BODY_MAX_BYTES = PHOTO_UPLOAD_MAX_BYTES + 64 * 1024

/** Photos that wait for an answer at once, of everybody together: the endpoint may be slow, and each holds its photo. */
const MAX_CONCURRENT = 16
let running = 0

/** `GET /api/breed-detection`: whether it is there to be asked. Neither the build nor any kept page may know. */
export const state = endpoint(() => ({ available: getEnv().gemini !== undefined }))

/** `POST /api/breed-detection` */
export const detect = endpoint(async (context) => {
  const { gemini, detectionsPerDay } = getEnv()
  if (!gemini) throw new AppError(503, DETECTION_TEXTS.off)
  const { ip, user } = context.locals
  await limit('breed-detection', user?.id ?? ip, TRIES_PER_MINUTE, MINUTE_SECONDS, DETECTION_TEXTS.tooMany)
  return processForm(context, BODY_MAX_BYTES, async (form, work) => {
    const image = form.get('image')
    if (!(image instanceof File) || image.size === 0)
      throw invalid(DETECTION_TEXTS.image, { image: 'Falta la foto en «image».' })
    if (image.size > PHOTO_UPLOAD_MAX_BYTES) throw new AppError(413, PHOTO_TEXTS.tooHeavy)
    if (running >= MAX_CONCURRENT) {
      incrementCounter('detections', 'refused')
      throw new AppError(429, DETECTION_TEXTS.tooMany, { retryAfter: 5 })
    }
    await limit('breed-detection a day', user?.id ?? ip, TRIES_PER_DAY, DAY_SECONDS, DETECTION_TEXTS.tooMany)
    if (detectionsPerDay) await spendSharedBudget(context.locals.db, detectionsPerDay)
    running++
    try {
      const upload = new Uint8Array(await image.arrayBuffer())
      const found = await detectBreed(gemini, upload, {
        signal: AbortSignal.any([context.request.signal, work.signal]),
        onStart: work.start,
        id: user?.id ?? ip,
        network: toSitePrefix(ip),
      })
      incrementCounter('detections', found.breed === null ? 'unknown' : 'found')
      return found
    } catch (error) {
      incrementCounter('detections', 'failed')
      throw error
    } finally {
      running--
    }
  })
})

/** One of what everybody has in a day; counted in memory where the disk takes nothing. @throws AppError 429 */
async function spendSharedBudget(db: App.Locals['db'], most: number): Promise<void> {
  try {
    await spendDetection(db, most)
  } catch (error) {
    if (findStorageFailure(error))
      return limit('breed-detections a day', 'all', most, DAY_SECONDS, DETECTION_TEXTS.tooMany)
    if (error instanceof AppError) incrementCounter('refused', 'breed-detections a day')
    throw error
  }
}
