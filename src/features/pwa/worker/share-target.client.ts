import { MAX_PHOTOS } from '#features/photos/photos.ts'
import { CACHES } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'

/** The most stored photos: those of two shares. The form reports what is too many. */
const MAX_WAITING_PHOTOS = 2 * MAX_PHOTOS

/**
 * Stores photos that another app shares (the manifest's share target) in a cache until the form takes them, and redirects to
 * the list with the form open, or offline to the offline page with it open.
 *
 * Any site can make a browser post a form here, which cannot be told from the system's share: stored photos therefore stay,
 * and new ones are appended.
 */
export async function receiveSharedPhotos(request: Request): Promise<Response> {
  try {
    const form = await request.formData()
    const files = form
      .getAll('fotos')
      .filter((part): part is File => part instanceof File && part.size > 0)
      .slice(0, MAX_PHOTOS)
    const cache = await caches.open(CACHES.shared)
    const storedCount = (await cache.keys()).length
    for (const [index, file] of files.slice(0, MAX_WAITING_PHOTOS - storedCount).entries())
      await cache.put(
        `/${storedCount + index}`,
        new Response(file, { headers: { 'Content-Type': file.type, 'X-Name': encodeURIComponent(file.name) } }),
      )
    return Response.redirect(files.length > 0 ? paths.shared : paths.sharedNotFound, 303)
  } catch {
    return Response.redirect(paths.sharedNotFound, 303)
  }
}
