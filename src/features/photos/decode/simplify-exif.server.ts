import { crc32 } from 'node:zlib'
import type { SniffedType } from '../sniff.ts'

/**
 * Replaces a picture's EXIF, in place, by the only thing that is used of it: the orientation. libvips parses all of EXIF before anything else
 * of the file is known, and 90 kB of directories that refer to each other take it seconds. AVIF says its orientation elsewhere and loses
 * all of its EXIF.
 * @param bytes the file, of any content
 */
export function simplifyExif(bytes: Uint8Array, type: SniffedType): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (const { start, end, finish } of FINDERS[type]?.(view, bytes) ?? []) {
    const tiffStart = asciiAt(bytes, start, EXIF_PREFIX) ? start + EXIF_PREFIX.length : start
    const tiff = bytes.subarray(tiffStart, end)
    writeOrientation(tiff, readOrientation(tiff))
    finish?.()
  }
}

/** Where a file has EXIF, and what is to be done once it is another. */
interface ExifBlock {
  start: number
  end: number
  finish?: () => void
}

const EXIF_PREFIX = 'Exif\0\0'
const asciiAt = (bytes: Uint8Array, at: number, text: string) =>
  Buffer.from(
    bytes.buffer,
    bytes.byteOffset + Math.min(at, bytes.length),
    Math.max(0, Math.min(text.length, bytes.length - at)),
  ).equals(Buffer.from(text, 'latin1'))

type Finder = (view: DataView, bytes: Uint8Array) => Iterable<ExifBlock>

/** Segments before the picture's data (ITU T.81 §B.1.1), read as libjpeg reads them: what is no marker is skipped. */
const jpeg: Finder = function* (view, bytes) {
  for (let at = 2; (at = bytes.indexOf(0xff, at)) >= 0 && at + 4 <= bytes.length;) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xda || marker === 0xd9) return
    // First a fill byte; then markers without a length.
    if (marker === 0xff) at++
    else if (marker < 2 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else {
      const end = Math.min(at + 2 + view.getUint16(at + 2), bytes.length)
      // libvips looks at the letters only, and libexif searches for what they announce.
      if (marker === 0xe1 && asciiAt(bytes, at + 4, 'Exif')) yield { start: at + 4, end }
      at = Math.max(end, at + 2)
    }
  }
}

/** Chunks (PNG §5.3); a changed one needs its checksum. */
const png: Finder = function* (view, bytes) {
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + view.getUint32(at)
    if (end + 4 > bytes.length) return
    if (asciiAt(bytes, at + 4, 'eXIf')) {
      const chunk = bytes.subarray(at + 4, end)
      yield { start: at + 8, end, finish: () => view.setUint32(end, crc32(chunk)) }
    }
    at = end + 4
  }
}

/** RIFF chunks of an even length. */
const webp: Finder = function* (view, bytes) {
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = view.getUint32(at + 4, true)
    const end = Math.min(at + 8 + size, bytes.length)
    if (asciiAt(bytes, at, 'EXIF')) yield { start: at + 8, end }
    at = end + (size % 2)
  }
}

/** Entries of the items' table (ISO 14496-12 §8.11.6). One of another type than EXIF is skipped by libheif. */
const avif: Finder = (_view, bytes) => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = file.indexOf('infe'); at >= 0; at = file.indexOf('infe', at + 4)) {
    // Version and flags, the item's number (16 bits up to version 2), its protection.
    const type = at + 4 + 4 + ((file[at + 4] ?? 0) > 2 ? 4 : 2) + 2
    if (asciiAt(bytes, type, 'Exif')) file.write('none', type, 'latin1')
  }
  return []
}

const FINDERS: Partial<Record<SniffedType, Finder>> = { jpeg, png, webp, avif }

const ORIENTATION_TAG = 0x0112
const TYPE_SHORT = 3
const UPRIGHT = 1
/** A header of eight bytes, the number of entries, one entry, the end of directories. */
const MIN_TIFF_BYTES = 26

/** The orientation in a TIFF structure's first directory (TIFF 6.0 §2), 1 to 8. */
function readOrientation(tiff: Uint8Array): number {
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

/** Overwrites a TIFF structure with one that says only the orientation. Of one too short for that nothing is left. */
function writeOrientation(tiff: Uint8Array, orientation: number): void {
  tiff.fill(0)
  if (tiff.length < MIN_TIFF_BYTES) return
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length)
  view.setUint32(0, 0x49492a00)
  view.setUint32(4, 8, true)
  view.setUint16(8, 1, true)
  view.setUint16(10, ORIENTATION_TAG, true)
  view.setUint16(12, TYPE_SHORT, true)
  view.setUint32(14, 1, true)
  view.setUint16(18, orientation, true)
}
