import { PHOTO_MAX_MB, PHOTO_MAX_SIDE_PX, PHOTO_TEXTS, PHOTO_UPLOAD_MAX_BYTES } from './photos.ts'

/**
 * A photo ready to be sent: at most 0.2 MB and 800 px (docs/product.md §24.1). Compression saves the sender's data plan, and the
 * server compresses again; so where this browser fails, the original is sent if the server accepts its size.
 * @param onProgress called with the share done, 0 to 1
 * @throws Error with the sentence to show: not an image (docs/product.md §24.3), truncated, HEIC that cannot be read, too large
 */
export async function compressPhoto(file: File, onProgress: (share: number) => void = () => {}): Promise<File> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const { compress, isTruncated, sniff } = await import('./compress.client.ts')
  const type = sniff(bytes)
  // Encoding fills the missing part with white, and the server could not detect it afterwards.
  if (isTruncated(bytes, type)) throw new Error(PHOTO_TEXTS.damaged)
  const photo = type === 'heic' ? await heicToJpeg(file) : file
  try {
    return await compress(photo, PHOTO_MAX_MB, PHOTO_MAX_SIDE_PX, onProgress)
  } catch (error) {
    if (!photo.type.startsWith('image/')) throw error
    if (type === 'other') throw new Error(PHOTO_TEXTS.unreadable, { cause: error })
    if (photo.size > PHOTO_UPLOAD_MAX_BYTES) throw new Error(PHOTO_TEXTS.tooHeavy, { cause: error })
    return photo
  }
}

/** An iPhone's HEIC as JPEG. Safari decodes it natively; other browsers load a decoder of 730 kB, once. */
async function heicToJpeg(file: File): Promise<File> {
  try {
    const jpeg = (await decodeNatively(file)) ?? (await decodeWithLibrary(file))
    return new File([jpeg], file.name.replace(/\.hei[cf]$/i, '.jpg'), { type: 'image/jpeg' })
  } catch (error) {
    throw new Error(PHOTO_TEXTS.heic, { cause: error })
  }
}

async function decodeNatively(file: File): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return null
  const canvas = document.createElement('canvas')
  const scale = Math.min(1, PHOTO_MAX_SIDE_PX / Math.max(bitmap.width, bitmap.height))
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.92))
}

async function decodeWithLibrary(file: File): Promise<Blob> {
  // The build without eval: the content security policy refuses eval.
  const { heicTo } = await import('heic-to/csp')
  return heicTo({ blob: file, type: 'image/jpeg', quality: 0.92 })
}
