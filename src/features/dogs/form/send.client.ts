import { type Answer, sendForm } from '#features/photos/upload.client.ts'
import { paths } from '#lib/paths.ts'
import { reach } from '#lib/reach.ts'
import { TRAP } from '#lib/trap.ts'
import type { Dog } from '../dogs.ts'
import { PACE_FIELD } from '../pace.ts'
import type { Photo } from './gallery.ts'
import type { Outcome } from './outcome.ts'
import { detailOf } from './source.client.ts'
import { changesOf, type FormValues, wireOf } from './values.ts'

/** What tells a person's form from a program's: what stands in the trap, and how long the form was open, ms. */
export interface Signs {
  trap: string
  openFor: number
}

/** Sends a new dog. `key` makes one dog of however many sends (the server's Idempotency-Key). */
export function addDog(
  values: FormValues,
  photos: readonly Photo[],
  key: string,
  { trap, openFor }: Signs,
  onProgress: (share: number) => void,
): Promise<Outcome> {
  const form = dogForm(values, photos)
  form.set(PACE_FIELD, String(Math.round(openFor)))
  if (trap) form.set(TRAP, trap)
  return outcomeOf(() => sendUnlessStalled(form, key, onProgress))
}

/** A phone with no signal often thinks it has some: after so long without anything leaving or coming, it has none, ms. */
const STALLED = 45_000

function sendUnlessStalled(form: FormData, key: string, onProgress: (share: number) => void): Promise<Answer> {
  const stop = new AbortController()
  const wait = () => setTimeout(() => stop.abort(), STALLED)
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

export type Sendable = Pick<Photo, 'url' | 'file' | 'alt'>

/** A new dog as it travels. */
export function dogForm(values: FormValues, photos: readonly Sendable[]): FormData {
  const form = galleryForm(photos)
  for (const [name, value] of Object.entries(wireOf(values))) form.set(name, value)
  return form
}

/** Saves what changed: the fields that differ from `before`, and the whole gallery if it is another one. */
export async function editDog(
  dogId: string,
  { values, before }: { values: FormValues; before: FormValues },
  { photos, isChanged }: { photos: readonly Sendable[]; isChanged: boolean },
  onProgress: (share: number) => void,
): Promise<Outcome> {
  const changes = changesOf(values, before)
  const fields = () => patch(dogId, changes)
  const gallery = () =>
    outcomeOf(() => sendForm('PUT', paths.api.dogImages(dogId), galleryForm(photos), { onProgress }))
  // Sent even without changes when there is no gallery to send: the answer then says whether one may still edit.
  if (!isChanged) return fields()
  if (Object.keys(changes).length === 0) return gallery()
  const [first, last] = (await isDoubtful(changes)) ? [gallery, fields] : [fields, gallery]
  const saved = await first()
  if (saved.kind !== 'saved') return saved
  const outcome = await last()
  return outcome.kind === 'saved' ? { ...outcome, skipped: saved.skipped + outcome.skipped } : outcome
}

/** Doubtful words take the dog out of sight till somebody has read them: whatever came after them would find no dog. */
const isDoubtful = ({ name, description, breed, zone }: Record<string, string>): Promise<boolean> =>
  import('#features/moderation/words.ts').then(
    ({ doubtOf }) => doubtOf(name, description, breed, zone) !== null,
    () => false,
  )

const patch = (dogId: string, changes: Record<string, string>) =>
  outcomeOf(async () => {
    const response = await reach(paths.api.dog(dogId), {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(changes),
    })
    return { status: response.status, body: await response.json().catch(() => null) }
  })

/** The gallery in order: a stored address as text, a new photo as a file; and what is said of each. */
function galleryForm(photos: readonly Sendable[]): FormData {
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
export async function outcomeOf(send: () => Promise<Answer>): Promise<Outcome> {
  try {
    const { status, body } = await send()
    if (isSaved(status, body)) {
      const { dog, association, skipped } = body
      return { kind: 'saved', dog, token: association?.token ?? null, skipped: skipped?.length ?? 0 }
    }
    return { kind: 'refused', status, message: detailOf(body) ?? '', errors: errorsOf(body) }
  } catch (error) {
    return { kind: 'broken', message: error instanceof Error ? error.message : '' }
  }
}

const isSaved = (status: number, body: unknown): body is SavedBody =>
  status < 300 && typeof body === 'object' && body !== null && 'dog' in body

function errorsOf(body: unknown): Record<string, string> | undefined {
  if (typeof body !== 'object' || body === null || !('errors' in body)) return undefined
  const { errors } = body
  return typeof errors === 'object' && errors !== null ? (errors as Record<string, string>) : undefined
}
