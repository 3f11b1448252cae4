import type { Readable } from 'node:stream'
import { LocalPhotoStore } from './local-store.server.ts'

/** A file of the store. */
export interface StoredFile {
  /** Its path under DATA_DIR, and its key in a bucket: `photos/…`, `razas/…`. */
  key: string
  bytes: number
  /** When it was stored, ms. */
  modifiedAt: number
}

/**
 * Where originals, hidden photos and the operator's pictures are: the local folder, or a bucket. No key ever gets other content but
 * by `put` for a damaged photo, so nothing depends on conditional writes, which not all stores offer.
 */
export interface PhotoStore {
  /** Whether it is reached over the network: it may be unavailable while the site runs, and other machines use it too. */
  readonly isRemote: boolean
  /** Sends nothing. @throws StoreUnavailableError while the store is known to be unavailable */
  assertAvailable: () => void
  /** Stores a file durably, whole or not at all. */
  put: (key: string, data: Uint8Array) => Promise<void>
  /** The file's content; null where there is none. */
  get: (key: string) => Promise<Buffer | null>
  /** The file as a stream; null where there is none. */
  stream: (key: string) => Promise<Readable | null>
  /** The file's bytes; null where there is none. */
  size: (key: string) => Promise<number | null>
  /** Whether the file is missing, empty, or as a power cut leaves it. */
  isBlank: (key: string) => Promise<boolean>
  /** Deletes files. Missing ones are no error. */
  delete: (...keys: string[]) => Promise<void>
  /** Moves a file, over one that is there. Repeating it after a failure completes it. @returns false where there is none at `from` */
  move: (from: string, to: string) => Promise<boolean>
  /** Stores the same content under another key. @returns false where there is none at `from` */
  copy: (from: string, to: string) => Promise<boolean>
  /** All files whose key begins with `prefix`, which ends in `/`. Read page by page. */
  list: (prefix: string) => AsyncIterable<StoredFile>
}

/** The store of each DATA_DIR of this process: one, and many in tests. */
const stores = new Map<string, PhotoStore>()

/** Replaces the local folder of `dataDir` by another store. Call it before anything reads photos. */
export const usePhotoStore = (dataDir: string, store: PhotoStore): void => void stores.set(dataDir, store)

/** The store of the data in `dataDir`: that folder, unless `usePhotoStore` set another. */
export function photoStore(dataDir: string): PhotoStore {
  let store = stores.get(dataDir)
  if (!store) stores.set(dataDir, (store = new LocalPhotoStore(dataDir)))
  return store
}
