import type { APIContext } from 'astro'
import { requireProof } from '#features/moderation/proof-of-work/proof-of-work.http.ts'
import type { UploadSender } from '#features/photos/ingest.server.ts'
import { assertDiskRoom } from '#features/photos/storage-budget.server.ts'
import { uploadSenderOf } from '#features/photos/upload-sender.http.ts'
import { invalid } from '#lib/errors.ts'
import { HONEYPOT_FIELD, isHoneypotFilled } from '#lib/honeypot.ts'
import type { Quota } from '#lib/quota.ts'
import { DAY_SECONDS } from '#lib/time.ts'
import { incrementCounter } from '#server/counters.ts'
import { findRequester, processForm } from '#server/endpoint.ts'
import { getEnv } from '#server/env.ts'
import { countRefusal, countRefusals, HONEYPOT_OFFENCE, recordOffence } from '#server/limits/network-conduct.ts'
import { limit, limitSuccessful } from '#server/limits/rate-limit.ts'
import { readFormKey, readRequestKey, type RequestKey } from '#server/request-key.ts'

/** A photo of 4 MB and the fields. */
const BODY_MAX_BYTES = 5 * 1024 * 1024
/** Per network, failed ones too: their photos are read. */
const TRIES_PER_WINDOW = 30
const WINDOW_SECONDS = 600

/** A form with a photo that members and visitors send. */
export interface PublicForm {
  /** The name of its limits and of its proof of work. */
  name: 'sighting' | 'found'
  /** What one member, or one visitors' network, sends in a day. */
  perDay: number
  texts: { honeypot: string; manyTries: string; manyInDay: string }
}

export interface PublicSubmission {
  form: FormData
  /** Null for a visitor. */
  userId: string | null
  /** The Idempotency-Key with its sender; undefined without one. */
  requestKey: RequestKey | undefined
  /** Whose budgets the photo is taken from. */
  uploadSender: UploadSender
  /** What the sender has left of the day. */
  dayQuota: Quota
}

/**
 * Receives a form that anybody may send, from a program or a page, within the limits of its network and the room on the disk.
 * @param onForm is given the form once it is read, for a page that shows it again
 * @throws AppError 413, 415; 422 for a filled honeypot; 429; 503; and what `save` throws
 */
export async function receivePublicForm<T>(
  context: APIContext,
  { name, perDay, texts }: PublicForm,
  onForm: ((form: FormData) => void) | undefined,
  save: (submission: PublicSubmission) => Promise<T>,
): Promise<T> {
  const { network } = context.locals
  const userId = findRequester(context)?.id ?? null
  // Before the photo is received, but for a page, which shows again what was written. Members need no proof of work: their account can be banned.
  const proving = userId === null ? requireProof(context, name) : Promise.resolve()
  const unproved = await proving.then(
    () => null,
    (error: unknown) => ({ error }),
  )
  if (unproved && !onForm) throw unproved.error
  await countRefusal(network, () => limit(`${name}-try`, network, TRIES_PER_WINDOW, WINDOW_SECONDS, texts.manyTries))
  const env = getEnv()
  await assertDiskRoom(env.dataDir, env)
  const headerKey = readRequestKey(context, userId)
  const ofDay = limitSuccessful(name, userId ?? network, perDay, DAY_SECONDS, texts.manyInDay)
  return processForm(context, BODY_MAX_BYTES, async (form, work) => {
    onForm?.(form)
    if (unproved) throw unproved.error
    if (isHoneypotFilled(form.get(HONEYPOT_FIELD))) {
      incrementCounter('refused', `trap of the ${name} form`)
      await recordOffence(network, HONEYPOT_OFFENCE)
      throw invalid(texts.honeypot)
    }
    return save({
      form,
      userId,
      requestKey: headerKey ?? readFormKey(form, userId ?? 'anonymous'),
      uploadSender: uploadSenderOf(context, work),
      dayQuota: userId === null ? countRefusals(network, ofDay) : ofDay,
    })
  })
}
