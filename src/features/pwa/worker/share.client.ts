import { PHOTOS_MAX } from '#features/photos/photos.ts'
import { CACHES } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'

/**
 * Photos that another app shares (the manifest's share target) wait in a cache until the form takes them. The person
 * lands on the list with the form open, without network on the offline page with it open.
 */
export async function takeShared(request: Request): Promise<Response> {
  try {
    const form = await request.formData()
    const files = form
      .getAll('fotos')
      .filter((part): part is File => part instanceof File && part.size > 0)
      .slice(0, PHOTOS_MAX)
    await caches.delete(CACHES.shared)
    const cache = await caches.open(CACHES.shared)
    for (const [at, file] of files.entries())
      await cache.put(
        `/${at}`,
        new Response(file, { headers: { 'Content-Type': file.type, 'X-Name': encodeURIComponent(file.name) } }),
      )
    return Response.redirect(files.length > 0 ? paths.shared : paths.sharedLost, 303)
  } catch {
    await caches.delete(CACHES.shared)
    return Response.redirect(paths.sharedLost, 303)
  }
}
