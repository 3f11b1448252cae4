import { CACHES } from '#lib/offline.ts'

/** Reads and deletes the photos that another app shared with Perrario (features/pwa/worker/share-target.client.ts). */
export async function takeSharedPhotos(): Promise<File[]> {
  try {
    if (!(await caches.has(CACHES.shared))) return []
    const cache = await caches.open(CACHES.shared)
    const files: File[] = []
    for (const key of await cache.keys()) {
      const response = await cache.match(key)
      if (!response) continue
      const name = decodeURIComponent(response.headers.get('X-Name') ?? '') || 'foto'
      files.push(new File([await response.blob()], name, { type: response.headers.get('Content-Type') ?? '' }))
    }
    await caches.delete(CACHES.shared)
    return files
  } catch {
    // Browsers without the Cache API (plain http) have no share target either.
    return []
  }
}
