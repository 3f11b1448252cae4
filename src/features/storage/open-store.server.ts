import type { BucketSettings } from '#lib/bucket-settings.ts'
import type { BucketOptions, BucketPhotoStore } from './bucket-store.server.ts'
import { usePhotoStore } from './photo-store.server.ts'

export interface StoreSettings {
  dataDir: string
  /** Undefined: the photos are in `dataDir`. */
  bucket: BucketSettings | undefined
}

/**
 * Opens the bucket of the photos, where one is set, as the store of `dataDir`. Sends no request.
 * @param options by default those of a server, where a person waits for each request
 * @returns null where the photos are in `dataDir`
 */
export async function openBucket(
  { dataDir, bucket }: StoreSettings,
  options?: BucketOptions,
): Promise<BucketPhotoStore | null> {
  if (!bucket) return null
  // Loaded on use: most sites have none.
  const { BucketPhotoStore } = await import('./bucket-store.server.ts')
  const store = new BucketPhotoStore(bucket, options)
  usePhotoStore(dataDir, store)
  return store
}
