/** The unit in which disks and file systems write. */
const BLOCK_BYTES = 4096

/**
 * Whether the bytes are a complete picture, by its container alone: it detects a file that is truncated, padded with zeros or
 * of another kind, not a changed pixel. Its cost is negligible beside reading the file.
 */
export function isIntactImage(bytes: Uint8Array, format: 'avif' | 'webp' | 'jpeg'): boolean {
  if (bytes.length < 32) return false
  // A block that a power cut kept from the disk reads as zeros. (Plain pictures end in a few zeros of their own.)
  const lastBlock = bytes.subarray(Math.floor((bytes.length - 1) / BLOCK_BYTES) * BLOCK_BYTES)
  if (lastBlock.length >= 64 && lastBlock.every((byte) => byte === 0)) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (format === 'jpeg') return view.getUint32(0) >>> 8 === 0xffd8ff && view.getUint16(bytes.length - 2) === 0xffd9
  if (format === 'webp')
    return (
      fourCharsAt(bytes, 0) === 'RIFF' &&
      fourCharsAt(bytes, 8) === 'WEBP' &&
      view.getUint32(4, true) + 8 === bytes.length
    )
  // AVIF: boxes one after another, each with its length; the first is ftyp.
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
