import { createStore, del, delMany, getMany, keys, set, setMany } from 'idb-keyval'
import { fromStored, toStored } from '#lib/stored-file.client.ts'
import { type Draft, draftKey, memberDraftPrefix, readDraft, writeDraft } from './draft.ts'

// Text goes to localStorage, which is synchronous; photos go to IndexedDB, which has space for megabytes. A draft's `key` is its
// `draftKey`.
let openedStore: ReturnType<typeof createStore> | undefined
const photosStore = () => (openedStore ??= createStore('perrario-borradores', 'fotos'))
const photoKey = (key: string, id: string) => `${key}/${id}`

let lastWrite: Promise<unknown> = Promise.resolve()

/** Runs one write after the other. A photo stored while `clearDraft` runs would otherwise be deleted with the rest. */
function runInSequence<T>(work: () => Promise<T>): Promise<T> {
  const write = lastWrite.then(work, work)
  lastWrite = write
  return write
}

export interface SavedDraft extends Draft {
  /** The new photos still stored, by id. */
  files: Map<string, File>
}

/** Stores the draft's text. @returns false when the device refuses (private mode, full): closing would lose it */
export function saveDraft(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(key, writeDraft(draft))
    return true
  } catch {
    return false
  }
}

/** Stores one new photo. @returns false when the device refuses */
export async function saveDraftPhoto(key: string, id: string, file: File): Promise<boolean> {
  try {
    await runInSequence(async () => set(photoKey(key, id), await toStored(file), photosStore()))
    return true
  } catch {
    return false
  }
}

export async function deleteDraftPhoto(key: string, id: string): Promise<void> {
  await runInSequence(() => del(photoKey(key, id), photosStore())).catch(() => undefined)
}

/**
 * The draft with its photos, without those the device has deleted since.
 * @param member who opens the form. A member without a draft takes over the visitors': they may have begun it before they signed in
 */
export async function loadDraft(dogId: string | null, member: string | null): Promise<SavedDraft | null> {
  const key = draftKey(dogId, member)
  if (member !== null && readText(key) === null) await moveDraft(draftKey(dogId, null), key)
  const draft = readDraft(readText(key), Date.now())
  if (!draft) return null
  const ids = draft.photos.flatMap((photo) => ('id' in photo ? [photo.id] : []))
  const found: unknown[] = await getMany(
    ids.map((id) => photoKey(key, id)),
    photosStore(),
  ).catch(() => [])
  const files = new Map<string, File>()
  for (const photo of draft.photos) {
    const file = 'id' in photo && fromStored(found[ids.indexOf(photo.id)], photo.name)
    if (file) files.set(photo.id, file)
  }
  return { ...draft, photos: draft.photos.filter((photo) => 'url' in photo || files.has(photo.id)), files }
}

async function moveDraft(from: string, to: string): Promise<void> {
  const text = readText(from)
  if (text === null) return
  try {
    localStorage.setItem(to, text)
    localStorage.removeItem(from)
    await runInSequence(async () => {
      const old = await photoKeys(`${from}/`)
      const files = await getMany<unknown>(old, photosStore())
      await setMany(
        old.map((key, index) => [to + key.slice(from.length), files[index]]),
        photosStore(),
      )
      await delMany(old, photosStore())
    })
  } catch {
    // The device is full, or has no database: what could not be moved is missing from the draft.
  }
}

/** Deletes the draft and its photos. */
export async function clearDraft(key: string): Promise<void> {
  try {
    localStorage.removeItem(key)
    await deletePhotos(`${key}/`)
  } catch {
    // A device without storage has no draft.
  }
}

/** Deletes all drafts of a member who has signed out. */
export async function clearMemberDrafts(member: string): Promise<void> {
  const prefix = memberDraftPrefix(member)
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
    await deletePhotos(prefix)
  } catch {
    // A device without storage has no drafts.
  }
}

async function photoKeys(prefix: string): Promise<string[]> {
  const all = await keys<string>(photosStore())
  return all.filter((key) => key.startsWith(prefix))
}

const deletePhotos = (prefix: string): Promise<void> =>
  runInSequence(async () => delMany(await photoKeys(prefix), photosStore()))

function readText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
