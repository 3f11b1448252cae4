import { allBreeds } from '#features/breeds/catalogue.server.ts'
import { MIXED_SLUG, normaliseBreed } from '#features/breeds/breeds.ts'
import { operatorPhotos } from '#features/breeds/operator-photos.server.ts'
import { portraitFile } from '#features/breeds/portraits.server.ts'
import { cropSquare } from '#features/photos/ingest.server.ts'
import { readOriginal } from '#features/photos/original.server.ts'
import { photoName } from '#features/photos/photos.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { StoreUnavailableError } from '#features/storage/store-unavailable.ts'
import { loadSharp } from '#features/photos/render/sharp.server.ts'
import { type Box, boxAttributes } from './svg-parts.server.ts'

const slugsWithPortrait = new Set(allBreeds.map((breed) => normaliseBreed(breed.nombre_castellano)))

/** An image as SVG that fills a given box. */
export type SvgImage = (box: Box) => string

/** The breed's portrait; that of mixed dogs where the breed has none. */
export function portraitImage(breedSlug: string): SvgImage {
  const drawing = portraitFile(slugsWithPortrait.has(breedSlug) ? breedSlug : MIXED_SLUG)
  const inner = drawing.slice(drawing.indexOf('>') + 1, drawing.lastIndexOf('</svg>'))
  return (box) => `<svg ${boxAttributes(box)} viewBox="0 0 200 200">${inner}</svg>`
}

const toSvgImage =
  (jpeg: Buffer): SvgImage =>
  (box) =>
    `<image ${boxAttributes(box)} preserveAspectRatio="none" href="data:image/jpeg;base64,${jpeg.toString('base64')}"/>`

const JPEG_QUALITY = 92

/** A card without its photo would be cached: it is made once the store answers. */
function nullIfUnreadable(error: unknown): null {
  if (error instanceof StoreUnavailableError) throw error
  return null
}

/** The centre of a stored photo as a square of `side` pixels; null where it is missing or unreadable. @throws StoreUnavailableError */
async function readStoredSquare(dataDir: string, name: string, side: number): Promise<SvgImage | null> {
  try {
    const photo = await readOriginal(dataDir, name)
    if (!photo) return null
    const sharp = await loadSharp()
    const square = sharp(photo, { failOn: 'error' }).resize(side, side, { fit: 'cover' })
    return toSvgImage(await square.jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' }).toBuffer())
  } catch (error) {
    return nullIfUnreadable(error)
  }
}

/** A dog's photo, or its breed's portrait where no photo is stored. */
export async function loadDogImage(dataDir: string, photo: string, breedSlug: string, side: number): Promise<SvgImage> {
  const name = photoName(photo)
  return (name && (await readStoredSquare(dataDir, name, side))) || portraitImage(breedSlug)
}

/** The operator's photo of a breed, or its portrait. */
export async function loadBreedImage(dataDir: string, slug: string, side: number): Promise<SvgImage> {
  const photo = (await operatorPhotos(dataDir)).get(slug)
  const square = async (key: string) => {
    const picture = await photoStore(dataDir).get(key)
    return picture && toSvgImage(await cropSquare(picture, { side, format: 'jpeg', quality: JPEG_QUALITY }))
  }
  return (photo && (await square(photo.key).catch(nullIfUnreadable))) || portraitImage(slug)
}
