import { type UploadResponse, sendForm } from '#features/photos/upload.client.ts'
import { paths } from '#lib/paths.ts'
import { fetchOrExplain } from '#lib/http/fetch-or-explain.ts'
import { HONEYPOT_FIELD } from '#lib/honeypot.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { FILL_TIME_FIELD } from '#features/dogs/write/min-fill-time.ts'
import type { Photo } from '#features/dogs/form/photos/gallery.ts'
import type { SaveOutcome } from './save-outcome.ts'
import { problemDetail } from '#features/dogs/form/form-api.client.ts'
import { changedValues, type FormValues, toWireValues } from '#features/dogs/form/form-values.ts'

/** What tells a person's form from a program's: what stands in the trap, and how long the form was open, ms. */
export interface BotSignals {
  honeypot: string
  fillTimeMs: number
}

/** Sends a new dog. `key` makes one dog of however many sends (the server's Idempotency-Key). */
export function sendNewDog(
  values: FormValues,
  photos: readonly Photo[],
  key: string,
  { honeypot, fillTimeMs }: BotSignals,
  onProgress: (share: number) => void,
): Promise<SaveOutcome> {
  const form = toDogFormData(values, photos)
  form.set(FILL_TIME_FIELD, String(Math.round(fillTimeMs)))
  if (honeypot) form.set(HONEYPOT_FIELD, honeypot)
  return toSaveOutcome(() => sendUnlessStalled(form, key, onProgress))
}

/** A phone with no signal often thinks it has some: after so long without anything leaving or coming, it has none, ms. */
const STALL_TIMEOUT_MS = 45_000

function sendUnlessStalled(form: FormData, key: string, onProgress: (share: number) => void): Promise<UploadResponse> {
  const stop = new AbortController()
  const wait = () => setTimeout(() => stop.abort(), STALL_TIMEOUT_MS)
  let timer = wait()
  const progressed = (share: number) => {
    clearTimeout(timer)
    timer = wait()
    onProgress(share)
  }
  const headers = { 'Idempotency-Key': key }
  return sendForm('POST', paths.api.dogs, form, { onProgress: progressed, headers, signal: stop.signal }).finally(() =>
    clearTimeout(timer),
  )
}

export type SendablePhoto = Pick<Photo, 'url' | 'file' | 'alt'>

/** A new dog as it travels. */
export function toDogFormData(values: FormValues, photos: readonly SendablePhoto[]): FormData {
  const form = toGalleryFormData(photos)
  for (const [name, value] of Object.entries(toWireValues(values))) form.set(name, value)
  return form
}

/** Saves what changed: the fields that differ from `before`, and the whole gallery if it is another one. */
export async function saveEdits(
  dogId: string,
  { values, before }: { values: FormValues; before: FormValues },
  { photos, isChanged }: { photos: readonly SendablePhoto[]; isChanged: boolean },
  onProgress: (share: number) => void,
): Promise<SaveOutcome> {
  const changes = changedValues(values, before)
  const fields = () => patchDog(dogId, changes)
  const gallery = () =>
    toSaveOutcome(() => sendForm('PUT', paths.api.dogImages(dogId), toGalleryFormData(photos), { onProgress }))
  // Sent even without changes when there is no gallery to send: the answer then says whether one may still edit.
  if (!isChanged) return fields()
  if (Object.keys(changes).length === 0) return gallery()
  const [first, last] = (await hasDoubtfulText(changes)) ? [gallery, fields] : [fields, gallery]
  const saved = await first()
  if (saved.kind !== 'saved') return saved
  const outcome = await last()
  return outcome.kind === 'saved' ? { ...outcome, skipped: saved.skipped + outcome.skipped } : outcome
}

/** Doubtful words take the dog out of sight till somebody has read them: whatever came after them would find no dog. */
const hasDoubtfulText = ({ name, description, breed, zone }: Record<string, string>): Promise<boolean> =>
  import('#features/moderation/text-filter.ts').then(
    ({ findTextFlag }) => findTextFlag(name, description, breed, zone) !== null,
    () => false,
  )

const patchDog = (dogId: string, changes: Record<string, string>) =>
  toSaveOutcome(async () => {
    const response = await fetchOrExplain(paths.api.dog(dogId), {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(changes),
    })
    return { status: response.status, body: await response.json().catch(() => null) }
  })

/** The gallery in order: a stored address as text, a new photo as a file; and what is said of each. */
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

interface SavedBody {
  dog: Dog
  association?: { token: string }
  skipped?: unknown[]
}

/** What an answer means, or that there was none. */
export async function toSaveOutcome(send: () => Promise<UploadResponse>): Promise<SaveOutcome> {
  try {
    const { status, body } = await send()
    if (isSaved(status, body)) {
      const { dog, association, skipped } = body
      return { kind: 'saved', dog, token: association?.token ?? null, skipped: skipped?.length ?? 0 }
    }
    return { kind: 'refused', status, message: problemDetail(body) ?? '', errors: readFieldErrors(body) }
  } catch (error) {
    return { kind: 'broken', message: error instanceof Error ? error.message : '' }
  }
}

const isSaved = (status: number, body: unknown): body is SavedBody =>
  status < 300 && typeof body === 'object' && body !== null && 'dog' in body

function readFieldErrors(body: unknown): Record<string, string> | undefined {
  if (typeof body !== 'object' || body === null || !('errors' in body)) return undefined
  const { errors } = body
  return typeof errors === 'object' && errors !== null ? (errors as Record<string, string>) : undefined
}
