import type { Sharp } from 'sharp'
import { StoreUnavailableError } from '#features/storage/store-unavailable.ts'
import { BLUR_SIDE } from './blur.ts'
import { readOriginal } from './original.server.ts'
import { photoName } from './photos.ts'
import { loadSharp, RenderQueueFull, renderState } from './render/sharp.server.ts'

/** The blur of a picture that is upright already, in base64 without its padding (format: blur.ts). */
export async function computeBlur(picture: Sharp): Promise<string> {
  const pixels = await picture
    .resize(BLUR_SIDE, BLUR_SIDE, { fit: 'cover' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer()
  const packed = Buffer.alloc(BLUR_SIDE * BLUR_SIDE * 2)
  const toFiveBits = (value: number) => Math.round((value * 31) / 255)
  for (let y = 0; y < BLUR_SIDE; y++)
    for (let x = 0; x < BLUR_SIDE; x++) {
      const [red = 0, green = 0, blue = 0] = pixels.subarray((y * BLUR_SIDE + x) * 3)
      const at = ((BLUR_SIDE - 1 - y) * BLUR_SIDE + x) * 2
      packed.writeUInt16LE((toFiveBits(red) << 10) | (toFiveBits(green) << 5) | toFiveBits(blue), at)
    }
  return packed.toString('base64').replace('=', '')
}

/**
 * The blur of a stored photo, computed while no request waits for a render; empty where the photo cannot be read.
 * @throws StoreUnavailableError, RenderQueueFull where it may be readable later
 */
export async function computeStoredBlur(dataDir: string, url: string): Promise<string> {
  const name = photoName(url)
  if (!name) return ''
  const readAndCompute = async () => {
    const photo = await readOriginal(dataDir, name)
    return photo ? computeBlur((await loadSharp())(photo, { failOn: 'error' })) : ''
  }
  const emptyIfUnreadable = (error: unknown): string => {
    if (error instanceof StoreUnavailableError || error instanceof RenderQueueFull) throw error
    return ''
  }
  return renderState.limiter.run(() => readAndCompute().catch(emptyIfUnreadable), { priority: 'prerender' })
}
