import { join } from 'node:path'
import { BOXES } from '#features/photos/photos.ts'
import { isIntactImage } from '#features/photos/render/image-integrity.ts'
import { readRender, writeRender } from '#features/photos/render/render-cache.server.ts'
import { cropSquare } from '#features/photos/ingest.server.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { operatorPhotos } from '#features/breeds/operator-photos.server.ts'

/** The boxes in which a breed's picture is shown. */
export const BREED_BOXES = ['breed', 'thumb', 'small'] as const
export type BreedBox = (typeof BREED_BOXES)[number]

/**
 * The operator's photo of a breed in a box (docs/product.md §24.2: 700 x 700, quality 90), as WebP, rendered once per version of
 * the file. Null where there is none or it cannot be read: the page then shows the portrait.
 */
export async function renderOperatorPhoto(dataDir: string, slug: string, box: BreedBox): Promise<Buffer | null> {
  const photo = (await operatorPhotos(dataDir)).get(slug)
  if (!photo) return null
  const cacheFile = join(dataDir, 'cache', 'razas', `${slug}-${photo.version}-${box}.webp`)
  const cached = await readRender(cacheFile)
  if (cached && isIntactImage(cached, 'webp')) return cached
  try {
    const source = await photoStore(dataDir).get(photo.key)
    if (!source) return null
    // Twice the box for high-density screens where the photo is large enough; never enlarged, always square.
    const { width, quality } = BOXES[box]
    const picture = await cropSquare(source, { side: width * 2, format: 'webp', quality })
    await writeRender(dataDir, cacheFile, picture).catch((error) =>
      console.error('perrario · la foto de una raza no se pudo guardar en la caché:', error),
    )
    return picture
  } catch (error) {
    console.error(`perrario · la foto de ${slug} no se puede preparar:`, error)
    return null
  }
}
