/** What disks and file systems write at once, bytes. */
const BLOCK_BYTES = 4096

/**
 * Whether the bytes are a picture from beginning to end, by its frame alone: a file that was cut short, is filled up with
 * zeros or holds something else is seen, a changed pixel is not. Costs nothing beside reading it.
 */
export function isIntactImage(bytes: Uint8Array, format: 'avif' | 'webp' | 'jpeg'): boolean {
  if (bytes.length < 32) return false
  // A block that a power cut kept from the disk reads as zeros. (Flat pictures end in a few zeros of their own.)
  const last = bytes.subarray(Math.floor((bytes.length - 1) / BLOCK_BYTES) * BLOCK_BYTES)
  if (last.length >= 64 && last.every((byte) => byte === 0)) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (format === 'jpeg') return view.getUint32(0) >>> 8 === 0xffd8ff && view.getUint16(bytes.length - 2) === 0xffd9
  if (format === 'webp')
    return (
      fourCharsAt(bytes, 0) === 'RIFF' &&
      fourCharsAt(bytes, 8) === 'WEBP' &&
      view.getUint32(4, true) + 8 === bytes.length
    )
  // AVIF: boxes one after another, each saying its length, the first of them ftyp.
  if (fourCharsAt(bytes, 4) !== 'ftyp') return false
  let at = 0
  while (at + 8 <= bytes.length) {
    const size = view.getUint32(at)
    if (size < 8) return false
    at += size
  }
  return at === bytes.length
}

const fourCharsAt = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
