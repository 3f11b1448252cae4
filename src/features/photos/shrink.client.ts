import { inBackground } from '#lib/background.client.ts'
import { PHOTO_MAX_MB, PHOTO_MAX_SIDE_PX } from './photos.ts'

const importCompress = () => import('./compress.client.ts')

/** Loads what shrinks photos, while the person takes one. */
export const loadShrinker = (): void => inBackground(importCompress())

/**
 * Makes a photo as small as it is stored: a phone's own would take minutes on a slow network, or be too heavy.
 * @returns the photo itself where the browser cannot read it; the server says what is wrong with it
 */
export async function shrink(photo: File): Promise<File> {
  try {
    const { compress } = await importCompress()
    return await compress(photo, PHOTO_MAX_MB, PHOTO_MAX_SIDE_PX, () => {})
  } catch {
    return photo
  }
}
