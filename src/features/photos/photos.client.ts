import { isHdr, readCicp } from './cicp.ts'
import { PHOTO_TEXTS, PHOTO_UPLOAD_MAX_BYTES } from './photos.ts'
import { shrink } from './shrink.client.ts'
import { sniff } from './sniff.ts'
import { isTruncated } from './truncated.ts'

/**
 * A photo ready to be sent: at most 0.2 MB and 800 px (docs/product.md §24.1). Shrinking saves the sender's data plan, and the
 * server does it again: where this browser cannot, the original is sent if the server accepts it.
 * @throws Error with the sentence to show: a format that is not taken, truncated, too heavy (docs/product.md §24.3)
 * @throws NotReadableError where the device cannot read the file (`explainError`)
 */
export async function compressPhoto(file: File): Promise<File> {
  const type = sniff(new Uint8Array(await file.slice(0, 128).arrayBuffer()))
  if (type === 'other') throw new Error(PHOTO_TEXTS.unreadable)
  const bytes = new Uint8Array(await file.arrayBuffer())
  // Encoding fills the missing part with white, and the server could not detect it afterwards.
  if (isTruncated(bytes, type)) throw new Error(PHOTO_TEXTS.damaged)
  const isTooHeavy = bytes.length > PHOTO_UPLOAD_MAX_BYTES
  // Not every browser shows HDR as SDR: the server does.
  if (isTooHeavy || type !== 'avif' || !isHdr(readCicp(bytes)))
    try {
      const small = await shrink(bytes, type).catch(async (error: unknown) => {
        if (type !== 'heic') throw error
        return shrink(await decodeHeic(file), 'jpeg')
      })
      return new File([small], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: 'image/jpeg' })
    } catch {}
  if (type === 'heic') throw new Error(PHOTO_TEXTS.heic)
  if (isTooHeavy) throw new Error(PHOTO_TEXTS.tooHeavy)
  // In memory: the device may lose the file.
  return new File([bytes], file.name, { type: `image/${type}` })
}

/** An iPhone's HEIC as JPEG, where the browser does not decode it (Safari does): by a decoder of 730 kB, loaded once. */
async function decodeHeic(file: File): Promise<Uint8Array<ArrayBuffer>> {
  // The build without eval: the content security policy refuses eval.
  const { heicTo } = await import('heic-to/csp')
  const jpeg = await heicTo({ blob: file, type: 'image/jpeg', quality: 0.92 })
  return new Uint8Array(await jpeg.arrayBuffer())
}
