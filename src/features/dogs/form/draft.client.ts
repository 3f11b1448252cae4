import { createStore, del, delMany, getMany, keys, set } from 'idb-keyval'
import { fromStored, toStored } from '#features/photos/stored-file.client.ts'
import { type Draft, draftKey, readDraft, writeDraft } from './draft.ts'

// Text goes to localStorage, which is synchronous; photos go to IndexedDB, which has space for megabytes.
let openedStore: ReturnType<typeof createStore> | undefined
const photosStore = () => (openedStore ??= createStore('perrario-borradores', 'fotos'))
const photoKey = (dogId: string | null, id: string) => `${draftKey(dogId)}/${id}`

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
export function saveDraft(dogId: string | null, draft: Draft): boolean {
  try {
    localStorage.setItem(draftKey(dogId), writeDraft(draft))
    return true
  } catch {
    return false
  }
}

/** Stores one new photo. @returns false when the device refuses */
export async function saveDraftPhoto(dogId: string | null, id: string, file: File): Promise<boolean> {
  try {
    await runInSequence(async () => set(photoKey(dogId, id), await toStored(file), photosStore()))
    return true
  } catch {
    return false
  }
}

export async function deleteDraftPhoto(dogId: string | null, id: string): Promise<void> {
  await runInSequence(() => del(photoKey(dogId, id), photosStore())).catch(() => undefined)
}

/** The draft with its photos, without those the device has deleted since. */
export async function loadDraft(dogId: string | null): Promise<SavedDraft | null> {
  const draft = readDraft(readText(draftKey(dogId)), Date.now())
  if (!draft) return null
  const ids = draft.photos.flatMap((photo) => ('id' in photo ? [photo.id] : []))
  const found: unknown[] = await getMany(
    ids.map((id) => photoKey(dogId, id)),
    photosStore(),
  ).catch(() => [])
  const files = new Map<string, File>()
  for (const photo of draft.photos) {
    const file = 'id' in photo && fromStored(found[ids.indexOf(photo.id)], photo.name)
    if (file) files.set(photo.id, file)
  }
  return { ...draft, photos: draft.photos.filter((photo) => 'url' in photo || files.has(photo.id)), files }
}

/** Deletes the draft and its photos. */
export async function clearDraft(dogId: string | null): Promise<void> {
  try {
    localStorage.removeItem(draftKey(dogId))
    const prefix = `${draftKey(dogId)}/`
    await runInSequence(async () => {
      const all = await keys<string>(photosStore())
      await delMany(
        all.filter((key) => key.startsWith(prefix)),
        photosStore(),
      )
    })
  } catch {
    // A device without storage has no draft.
  }
}

function readText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
