import { createStore, del, delMany, getMany, keys, set, setMany } from 'idb-keyval'
import { AGE_UNITS } from '#lib/age.ts'
import { fromStored, toStored } from '#lib/stored-file.client.ts'
import { DAY_MS } from '#lib/time.ts'
import { SIZES } from '#features/dogs/dogs.ts'
import { RELATIONSHIPS } from '#features/dogs/write/dog-fields.ts'
import { EMPTY_VALUES, type FormValues } from './form-values.ts'
import type { Photo } from './photos/gallery.ts'

/** The draft of an unfinished form: for each member and for visitors, one for adding and one for each dog being edited. */
export interface Draft {
  values: FormValues
  /** The gallery in order: the URL of a stored photo, or the id of a new one in IndexedDB. */
  photos: DraftPhoto[]
  savedAt: number
}
type DraftPhoto = ({ url: string } | { id: string; name: string }) & { alt?: string }

/** A draft with its new photos, by id. */
export interface SavedDraft extends Draft {
  files: Map<string, File>
}

const PREFIX = 'perrario-borrador-'

/** What the keys of all drafts of a member begin with. */
export const memberDraftPrefix = (member: string): string => `${PREFIX}de-${member}-`

/**
 * The draft's storage key. A member's draft is theirs alone: whoever uses the device after them is not offered it.
 * @param dogId null when adding
 * @param member who opened the form; null for a visitor
 */
export const draftKey = (dogId: string | null, member: string | null): string =>
  (member === null ? PREFIX : memberDraftPrefix(member)) + (dogId ?? 'nuevo')

/** Older drafts are ignored. */
export const DRAFT_RETENTION_DAYS = 30

/**
 * Parses a stored draft; null when it is invalid or too old. The stored text is not trusted: each field is checked, and an
 * invalid one becomes empty.
 */
export function readDraft(text: string | null, now: number): Draft | null {
  const stored = parse(text)
  if (!stored || typeof stored.savedAt !== 'number' || now - stored.savedAt > DRAFT_RETENTION_DAYS * DAY_MS) return null
  const storedValues = isRecord(stored.values) ? stored.values : {}
  const fitting = Object.entries(EMPTY_VALUES).map(([name, empty]) => {
    const value = storedValues[name]
    const choices: readonly unknown[] | undefined = CHOICES[name as keyof FormValues]
    return [name, (choices ? choices.includes(value) : typeof value === typeof empty) ? value : empty]
  })
  const photos = Array.isArray(stored.photos) ? stored.photos.filter(isDraftPhoto) : []
  return { values: Object.fromEntries(fitting) as FormValues, photos, savedAt: stored.savedAt }
}

/** The fields that hold one of some values. */
const CHOICES: { readonly [Name in keyof FormValues]?: readonly unknown[] } = {
  age_unit: AGE_UNITS,
  size: SIZES,
  relationship: RELATIONSHIPS,
}

function parse(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isDraftPhoto = (value: unknown): value is DraftPhoto =>
  isRecord(value) &&
  (typeof value.url === 'string' || (typeof value.id === 'string' && typeof value.name === 'string')) &&
  (value.alt === undefined || typeof value.alt === 'string')

// Text goes to localStorage, which is synchronous; photos go to IndexedDB, which has space for megabytes.
let openedStore: ReturnType<typeof createStore> | undefined
const photosStore = () => (openedStore ??= createStore('perrario-borradores', 'fotos'))
const photoKey = (key: string, id: string) => `${key}/${id}`

let lastWrite: Promise<unknown> = Promise.resolve()

/**
 * Runs one write after the other. A photo stored while `clearDraft` runs would otherwise be deleted with the rest.
 * @returns false when the device refuses: private mode, a full disk, no storage
 */
function write(work: () => Promise<unknown>): Promise<boolean> {
  const done = lastWrite.then(work).then(
    () => true,
    () => false,
  )
  lastWrite = done
  return done
}

/** Stores a form's values and gallery. @returns false when the device refuses: closing would lose them */
export function saveDraft(key: string, values: FormValues, gallery: readonly Photo[]): boolean {
  const photos = gallery.flatMap(({ id, url, file, name, alt }): DraftPhoto[] => {
    const description = alt ? { alt } : {}
    return url ? [{ url, ...description }] : file ? [{ id, name, ...description }] : []
  })
  try {
    const draft: Draft = { values, photos, savedAt: Date.now() }
    localStorage.setItem(key, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

/** Stores one new photo. @returns false when the device refuses */
export const saveDraftPhoto = (key: string, id: string, file: File): Promise<boolean> =>
  write(async () => set(photoKey(key, id), await toStored(file), photosStore()))

export const deleteDraftPhoto = (key: string, id: string): Promise<boolean> =>
  write(() => del(photoKey(key, id), photosStore()))

/**
 * The draft with its photos, without those the device has deleted since.
 * @param member who opens the form. A member without a draft takes over the visitors': they may have begun it before they signed in
 */
export async function loadDraft(dogId: string | null, member: string | null): Promise<SavedDraft | null> {
  const key = draftKey(dogId, member)
  if (member !== null && readText(key) === null) await moveDraft(draftKey(dogId, null), key)
  const draft = readDraft(readText(key), Date.now())
  if (!draft) return null
  const added = draft.photos.filter((photo) => 'id' in photo)
  const found: unknown[] = await getMany(
    added.map(({ id }) => photoKey(key, id)),
    photosStore(),
  ).catch(() => [])
  const files = new Map<string, File>()
  for (const [index, { id, name }] of added.entries()) {
    const file = fromStored(found[index], name)
    if (file) files.set(id, file)
  }
  return { ...draft, photos: draft.photos.filter((photo) => 'url' in photo || files.has(photo.id)), files }
}

/** What cannot be moved, because the device is full or has no database, is missing from the draft. */
async function moveDraft(from: string, to: string): Promise<void> {
  const text = readText(from)
  if (text === null) return
  await write(async () => {
    localStorage.setItem(to, text)
    localStorage.removeItem(from)
    const old = await photoKeys(`${from}/`)
    const files = await getMany<unknown>(old, photosStore())
    await setMany(
      old.map((key, index) => [to + key.slice(from.length), files[index]]),
      photosStore(),
    )
    await delMany(old, photosStore())
  })
}

/** Deletes the draft and its photos. */
export async function clearDraft(key: string): Promise<void> {
  removeTexts((other) => other === key)
  await deletePhotos(`${key}/`)
}

/** Deletes all drafts of a member who has signed out. */
export async function clearMemberDrafts(member: string): Promise<void> {
  const prefix = memberDraftPrefix(member)
  removeTexts((key) => key.startsWith(prefix))
  await deletePhotos(prefix)
}

function removeTexts(isOf: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(localStorage)) if (isOf(key)) localStorage.removeItem(key)
  } catch {
    // A device without storage has no drafts.
  }
}

async function photoKeys(prefix: string): Promise<string[]> {
  const all = await keys<string>(photosStore())
  return all.filter((key) => key.startsWith(prefix))
}

const deletePhotos = (prefix: string): Promise<boolean> =>
  write(async () => delMany(await photoKeys(prefix), photosStore()))

function readText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
