import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { PHOTO_TEXTS, PHOTO_UPLOAD_MAX_BYTES } from '#features/photos/photos.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { getEnv } from '#server/env.ts'
import { endpoint, processForm } from '#server/endpoint.ts'
import { limitNetworkShare } from '#server/limits/network-share.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { incrementCounter } from '#server/counters.ts'
import { spendDetection } from './daily-budget.server.ts'
import type { DogDescription } from './description.ts'
import { describePhoto, detectBreed } from './detection.server.ts'
import { DETECTION_TEXTS } from './detection.ts'
import { detectionAnswer, detectionStateAnswer } from './answers.ts'
import { DAY_SECONDS, MINUTE_SECONDS } from '#lib/time.ts'

/** Of one network, and of one member over all networks; the operator pays for each (docs/product.md §23.4: no limit below 10 per IP). */
const TRIES_PER_MINUTE = 20
/** The same. Neither can spend the budget of the whole site (DETECTION_PER_DAY), of which a network has a share besides. */
const TRIES_PER_DAY = 100
/** The photo and the multipart overhead. */
const BODY_MAX_BYTES = PHOTO_UPLOAD_MAX_BYTES + 64 * 1024

/** Detections in progress, of all senders: the service may be slow, and each keeps its photo in memory. */
const MAX_CONCURRENT_DETECTIONS = 16
let running = 0

/** `GET /api/breed-detection`: whether the site offers the detection. A request of its own, since builds and cached pages must not depend on it. */
export const getDetectionState = endpoint({ 200: detectionStateAnswer }, () => ({
  available: getEnv().detection !== undefined,
}))

/** `POST /api/breed-detection` */
export const detectUploadedBreed = endpoint({ 200: detectionAnswer }, async (context) => {
  const { detection } = getEnv()
  if (!detection) throw new AppError(503, DETECTION_TEXTS.off)
  const { network, user } = context.locals
  await limitSenders('breed-detection', context.locals, TRIES_PER_MINUTE, MINUTE_SECONDS)
  return processForm(context, BODY_MAX_BYTES, async (form, work) => {
    const image = form.get('image')
    if (!(image instanceof File) || image.size === 0)
      throw invalid(DETECTION_TEXTS.image, { image: 'Falta la foto en «image».' })
    if (image.size > PHOTO_UPLOAD_MAX_BYTES) throw new AppError(413, PHOTO_TEXTS.tooHeavy)
    const upload = new Uint8Array(await image.arrayBuffer())
    const result = await runLimited(context.locals, (onAsk) =>
      detectBreed(detection, upload, {
        signal: AbortSignal.any([context.request.signal, work.signal]),
        onStart: work.start,
        onAsk,
        id: user?.id ?? network,
        network: toSitePrefix(network),
      }),
    )
    incrementCounter('detections', result.breed === null ? 'unknown' : 'found')
    return result
  })
})

/**
 * What a photo says of a dog, for forms that suggest it: of a found dog. Counts towards the same limits and the same daily budget as the
 * detection of a breed. A suggestion is no reason to refuse a form, so nothing is thrown.
 * @param upload a photo as it was uploaded; the service receives it small, re-encoded and without metadata
 * @returns null where the site has no detection, a limit or the budget is used up, the photo cannot be read or the service fails
 */
export async function describeDog(
  locals: App.Locals,
  upload: Uint8Array,
  signal?: AbortSignal,
): Promise<DogDescription | null> {
  const { detection } = getEnv()
  if (!detection) return null
  const { network, user } = locals
  try {
    await limitSenders('breed-detection', locals, TRIES_PER_MINUTE, MINUTE_SECONDS)
    const description = await runLimited(locals, (onAsk) =>
      describePhoto(detection, upload, { signal, onAsk, id: user?.id ?? network, network: toSitePrefix(network) }),
    )
    incrementCounter('detections', description.breeds.length === 0 ? 'unknown' : 'found')
    return description
  } catch (error) {
    if (!(error instanceof AppError)) console.error('perrario · el perro de una foto no se pudo describir:', error)
    return null
  }
}

/**
 * Runs a detection within the limits of the day and of those at the same time, and counts its failure.
 * @param detect is given what spends the operator's budget of the day: it calls it before it asks the service
 * @throws AppError 429
 */
async function runLimited<T>(locals: App.Locals, detect: (onAsk: () => Promise<void>) => Promise<T>): Promise<T> {
  const { detectionsPerDay } = getEnv()
  if (running >= MAX_CONCURRENT_DETECTIONS) {
    incrementCounter('detections', 'refused')
    throw new AppError(429, DETECTION_TEXTS.tooMany, { retryAfter: 5 })
  }
  await limitSenders('breed-detection-day', locals, TRIES_PER_DAY, DAY_SECONDS)
  const onAsk = async () => {
    await limitNetworkShare('breed-detection-network', locals.network, 1, detectionsPerDay, DETECTION_TEXTS.tooMany)
    if (detectionsPerDay) await spendSharedBudget(locals.db, detectionsPerDay)
  }
  running++
  try {
    return await detect(onAsk)
  } catch (error) {
    incrementCounter('detections', 'failed')
    throw error
  } finally {
    running--
  }
}

/** Takes from the member's limit and from the network's, which counts all its requests. @throws AppError 429 */
async function limitSenders(
  name: string,
  { network, user }: App.Locals,
  points: number,
  seconds: number,
): Promise<void> {
  if (user) await limit(`${name} of a member`, user.id, points, seconds, DETECTION_TEXTS.tooMany)
  await limit(name, network, points, seconds, DETECTION_TEXTS.tooMany)
}

/** Takes one detection from the site's daily budget; counts in memory while the disk cannot be written. @throws AppError 429 */
async function spendSharedBudget(db: App.Locals['db'], budget: number): Promise<void> {
  try {
    await spendDetection(db, budget)
  } catch (error) {
    if (findStorageFailure(error))
      return limit('breed-detection-total', 'all', budget, DAY_SECONDS, DETECTION_TEXTS.tooMany)
    if (error instanceof AppError) incrementCounter('refused', 'breed-detection-total')
    throw error
  }
}
