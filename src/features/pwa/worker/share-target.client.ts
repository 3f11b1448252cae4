import { MAX_PHOTOS } from '#features/photos/photos.ts'
import { CACHES } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'

/** What waits at most: photos of two times. The form says what is too many. */
const MAX_WAITING_PHOTOS = 2 * MAX_PHOTOS

/**
 * Photos that another app shares (the manifest's share target) wait in a cache until the form takes them. The person
 * lands on the list with the form open, without network on the offline page with it open.
 *
 * Any site may have a browser send a form here, and nothing tells it from the system's: what waits already stays, first in
 * line, and what comes joins it.
 */
export async function receiveSharedPhotos(request: Request): Promise<Response> {
  try {
    const form = await request.formData()
    const files = form
      .getAll('fotos')
      .filter((part): part is File => part instanceof File && part.size > 0)
      .slice(0, MAX_PHOTOS)
    const cache = await caches.open(CACHES.shared)
    const waiting = (await cache.keys()).length
    for (const [at, file] of files.slice(0, MAX_WAITING_PHOTOS - waiting).entries())
      await cache.put(
        `/${waiting + at}`,
        new Response(file, { headers: { 'Content-Type': file.type, 'X-Name': encodeURIComponent(file.name) } }),
      )
    return Response.redirect(files.length > 0 ? paths.shared : paths.sharedNotFound, 303)
  } catch {
    return Response.redirect(paths.sharedNotFound, 303)
  }
}
