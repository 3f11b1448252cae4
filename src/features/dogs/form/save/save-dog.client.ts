import { sendWithProof } from '#features/moderation/proof-of-work/with-proof.client.ts'
import { type UploadResponse, sendForm } from '#features/photos/upload.client.ts'
import { paths } from '#lib/paths.ts'
import { fetchOrExplain } from '#lib/http/fetch-or-explain.ts'
import { HONEYPOT_FIELD } from '#lib/honeypot.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import type { Photo } from '#features/dogs/form/photos/gallery.ts'
import { explainError } from '#lib/error-text.ts'
import type { SaveOutcome } from './save-outcome.ts'
import { problemDetail } from '#features/dogs/form/form-api.client.ts'
import {
  changedValues,
  FILL_TIME_FIELD,
  type FormValues,
  MEMBER_FIELD,
  toWireValues,
} from '#features/dogs/form/form-values.ts'

/** Tells people from programs: the honeypot's value, and how long the form was open, ms. */
export interface BotSignals {
  honeypot: string
  fillTimeMs: number
}

/** Who opened the form: null for a visitor. */
type Member = string | null

/** Sends a new dog. `key` is the Idempotency-Key: repeated sends make one dog. */
export function sendNewDog(
  values: FormValues,
  photos: readonly Photo[],
  key: string,
  member: Member,
  { honeypot, fillTimeMs }: BotSignals,
  onProgress: (share: number) => void,
): Promise<SaveOutcome> {
  const form = toDogFormData(values, photos, member)
  form.set(FILL_TIME_FIELD, String(Math.round(fillTimeMs)))
  if (honeypot) form.set(HONEYPOT_FIELD, honeypot)
  const headers = { 'Idempotency-Key': key }
  return toSaveOutcome(() => sendWithProof((proof) => sendUnlessStalled(form, { ...headers, ...proof }, onProgress)))
}

/** A phone often takes a dead connection for a live one: after this long without progress the send is aborted. */
const STALL_TIMEOUT_MS = 45_000

function sendUnlessStalled(
  form: FormData,
  headers: Record<string, string>,
  onProgress: (share: number) => void,
): Promise<UploadResponse> {
  const controller = new AbortController()
  const startTimer = () => setTimeout(() => controller.abort(), STALL_TIMEOUT_MS)
  let timer = startTimer()
  const onSendProgress = (share: number) => {
    clearTimeout(timer)
    timer = startTimer()
    onProgress(share)
  }
  return sendForm('POST', paths.api.dogs, form, {
    onProgress: onSendProgress,
    headers,
    signal: controller.signal,
  }).finally(() => clearTimeout(timer))
}

export type SendablePhoto = Pick<Photo, 'url' | 'file' | 'alt'>

/** A new dog as multipart form data. A member's is refused once their session has ended, instead of becoming a visitor's. */
export function toDogFormData(values: FormValues, photos: readonly SendablePhoto[], member: Member): FormData {
  const form = toGalleryFormData(photos)
  if (member !== null) form.set(MEMBER_FIELD, member)
  for (const [name, value] of Object.entries(toWireValues(values))) form.set(name, value)
  return form
}

/** Saves the changes: the fields that differ from `before`, and the whole gallery if it changed. */
export async function saveEdits(
  dogId: string,
  { values, before }: { values: FormValues; before: FormValues },
  { photos, isChanged }: { photos: readonly SendablePhoto[]; isChanged: boolean },
  onProgress: (share: number) => void,
): Promise<SaveOutcome> {
  const changes = changedValues(values, before)
  const saveFields = () => patchDog(dogId, changes)
  const saveGallery = () =>
    toSaveOutcome(() => sendForm('PUT', paths.api.dogImages(dogId), toGalleryFormData(photos), { onProgress }))
  // An empty PATCH is sent too when the gallery is unchanged: the response tells whether the member may still edit.
  if (!isChanged) return saveFields()
  if (Object.keys(changes).length === 0) return saveGallery()
  const saved = await saveFields()
  if (saved.kind !== 'saved') return saved
  const outcome = await saveGallery()
  if (outcome.kind !== 'saved') return outcome
  const in_review = [...(saved.dog.in_review ?? []), ...(outcome.dog.in_review ?? [])]
  return { ...outcome, dog: { ...outcome.dog, ...(in_review.length > 0 && { in_review }) } }
}

const patchDog = (dogId: string, changes: Record<string, string>) =>
  toSaveOutcome(async () => {
    const response = await fetchOrExplain(paths.api.dog(dogId), {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(changes),
    })
    return { status: response.status, body: await response.json().catch(() => null) }
  })

/** The gallery in order: the URL of a stored photo as text, a new photo as a file; and the description of each. */
function toGalleryFormData(photos: readonly SendablePhoto[]): FormData {
  const form = new FormData()
  for (const { url, file, alt } of photos) {
    if (url) form.append('images', url)
    else if (file) form.append('images', file, file.name)
    else continue
    form.append('alts', alt)
  }
  return form
}

/** What the endpoints of dogs answer: a dog, or a problem. */
interface Answer {
  dog?: Dog
  association?: { token: string }
  skipped?: unknown[]
  errors?: Record<string, string>
}

/** Interprets a response, or its absence. */
export async function toSaveOutcome(send: () => Promise<UploadResponse>): Promise<SaveOutcome> {
  try {
    const { status, body } = await send()
    const { dog, association, skipped, errors } = (body ?? {}) as Answer
    if (status < 300 && dog)
      return { kind: 'saved', dog, token: association?.token ?? null, skipped: skipped?.length ?? 0 }
    return { kind: 'refused', status, message: problemDetail(body) ?? '', errors: errors ?? undefined }
  } catch (error) {
    return { kind: 'broken', message: explainError(error, '') }
  }
}
