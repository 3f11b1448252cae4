/** Where a file has EXIF: a TIFF structure, after `EXIF_PREFIX` or without. */
export interface ExifBlock {
  start: number
  end: number
}
export type ExifFinder = (view: DataView, bytes: Uint8Array) => Iterable<ExifBlock>

export const EXIF_PREFIX = 'Exif\0\0'
export const asciiAt = (bytes: Uint8Array, at: number, text: string): boolean =>
  String.fromCharCode(...bytes.subarray(at, at + text.length)) === text

/** Chunks (PNG §5.3). */
export const pngExif: ExifFinder = function* (view, bytes) {
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + view.getUint32(at)
    if (end + 4 > bytes.length) return
    if (asciiAt(bytes, at + 4, 'eXIf')) yield { start: at + 8, end }
    at = end + 4
  }
}

/** RIFF chunks of an even length. */
export const webpExif: ExifFinder = function* (view, bytes) {
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = view.getUint32(at + 4, true)
    const end = Math.min(at + 8 + size, bytes.length)
    if (asciiAt(bytes, at, 'EXIF')) yield { start: at + 8, end }
    at = end + (size % 2)
  }
}

export const ORIENTATION_TAG = 0x0112
export const TYPE_SHORT = 3
const UPRIGHT = 1
/** A header of eight bytes, the number of entries, one entry, the end of directories. */
export const MIN_TIFF_BYTES = 26

/** The orientation in the first directory (TIFF 6.0 §2) of a file's EXIF, 1 to 8. */
export function readOrientation(exif: Uint8Array): number {
  const tiff = asciiAt(exif, 0, EXIF_PREFIX) ? exif.subarray(EXIF_PREFIX.length) : exif
  if (tiff.length < MIN_TIFF_BYTES) return UPRIGHT
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length)
  const isLittle = view.getUint16(0) === 0x4949
  const directory = view.getUint32(4, isLittle)
  if (directory + 2 > tiff.length) return UPRIGHT
  const count = view.getUint16(directory, isLittle)
  for (let n = 0, at = directory + 2; n < count && at + 12 <= tiff.length; n++, at += 12) {
    if (view.getUint16(at, isLittle) !== ORIENTATION_TAG) continue
    const isShort = view.getUint16(at + 2, isLittle) === TYPE_SHORT
    const value = isShort ? view.getUint16(at + 8, isLittle) : view.getUint32(at + 8, isLittle)
    return value >= 1 && value <= 8 ? value : UPRIGHT
  }
  return UPRIGHT
}
