import { lostPaths } from '#lib/lost-paths.ts'
import { CACHES } from '#lib/offline.ts'
import { dogInSentence } from '#lib/text/names.ts'

// The form that is shown without network (pages/sin-conexion/visto.astro): the same for every dog.

/** The dog of the form's address. */
export const dogIdOfAddress = (): string => /^\/perdidos\/([0-9a-f-]{36})\//.exec(location.pathname)?.[1] ?? ''

/** The dog in a sentence, «a Toby», from the stored page that led here; undefined where there is none. */
export async function readStoredName(dogId: string): Promise<string | undefined> {
  if (!('caches' in window)) return undefined
  const cache = await caches.open(CACHES.pages)
  for (const request of await cache.keys()) {
    const html = (await (await cache.match(request))?.text()) ?? ''
    if (!html.includes(lostPaths.sightingForm(dogId))) continue
    const name = new DOMParser().parseFromString(html, 'text/html').querySelector('h1')?.textContent.trim()
    if (name) return dogInSentence(name, 'a')
  }
  return undefined
}
