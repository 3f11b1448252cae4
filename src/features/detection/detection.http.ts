import { siteOf } from '#lib/network.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { PHOTO_TEXTS, PHOTO_UPLOAD_MAX } from '#features/photos/photos.ts'
import { storageTrouble } from '#lib/storage.ts'
import { getEnv } from '#server/env.ts'
import { endpoint, withForm } from '#server/http.ts'
import { limit } from '#server/rate.ts'
import { tally } from '#server/tally.ts'
import { takeDetection } from './budget.server.ts'
import { detectBreed } from './detection.server.ts'
import { DETECTION_TEXTS } from './detection.ts'

/** A person's tries a minute, each of which the operator pays for (docs/product.md §23.4: no limit below 10 per IP). */
const TRIES = 20
const MINUTE = 60
const DAY = 86_400
/** A person's in a day: with it, one who never stops leaves the others most of what there is for all (DETECTIONS_PER_DAY). */
const TRIES_A_DAY = 100
/** The photo and what multipart puts around it. */
const BODY_MAX = PHOTO_UPLOAD_MAX + 64 * 1024

/** Photos that wait for an answer at once, of everybody together: the endpoint may be slow, and each holds its photo. */
const AT_ONCE = 16
let running = 0

/** `GET /api/breed-detection`: whether it is there to be asked. Neither the build nor any kept page may know. */
export const state = endpoint(() => ({ available: getEnv().gemini !== undefined }))

/** `POST /api/breed-detection` */
export const detect = endpoint(async (context) => {
  const { gemini, detectionsPerDay } = getEnv()
  if (!gemini) throw new AppError(503, DETECTION_TEXTS.off)
  const { ip, user } = context.locals
  await limit('breed-detection', user?.id ?? ip, TRIES, MINUTE, DETECTION_TEXTS.tooMany)
  return withForm(context, BODY_MAX, async (form, work) => {
    const image = form.get('image')
    if (!(image instanceof File) || image.size === 0)
      throw invalid(DETECTION_TEXTS.image, { image: 'Falta la foto en «image».' })
    if (image.size > PHOTO_UPLOAD_MAX) throw new AppError(413, PHOTO_TEXTS.tooHeavy)
    if (running >= AT_ONCE) {
      tally('detections', 'refused')
      throw new AppError(429, DETECTION_TEXTS.tooMany, { retryAfter: 5 })
    }
    await limit('breed-detection a day', user?.id ?? ip, TRIES_A_DAY, DAY, DETECTION_TEXTS.tooMany)
    if (detectionsPerDay) await takeOfAll(context.locals.db, detectionsPerDay)
    running++
    try {
      const upload = new Uint8Array(await image.arrayBuffer())
      const found = await detectBreed(gemini, upload, {
        signal: AbortSignal.any([context.request.signal, work.signal]),
        begin: work.begin,
        who: user?.id ?? ip,
        network: siteOf(ip),
      })
      tally('detections', found.breed === null ? 'unknown' : 'found')
      return found
    } catch (error) {
      tally('detections', 'failed')
      throw error
    } finally {
      running--
    }
  })
})

/** One of what everybody has in a day; counted in memory where the disk takes nothing. @throws AppError 429 */
async function takeOfAll(db: App.Locals['db'], most: number): Promise<void> {
  try {
    await takeDetection(db, most)
  } catch (error) {
    if (storageTrouble(error)) return limit('breed-detections a day', 'all', most, DAY, DETECTION_TEXTS.tooMany)
    if (error instanceof AppError) tally('refused', 'breed-detections a day')
    throw error
  }
}
