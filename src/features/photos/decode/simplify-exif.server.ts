import { crc32 } from 'node:zlib'
import {
  asciiAt,
  EXIF_PREFIX,
  type ExifFinder,
  MIN_TIFF_BYTES,
  ORIENTATION_TAG,
  pngExif,
  readOrientation,
  TYPE_SHORT,
  webpExif,
} from '../exif.ts'
import type { SniffedType } from '../sniff.ts'

/**
 * Replaces a picture's EXIF, in place, by the only thing that is used of it: the orientation. libvips parses all of EXIF before anything else
 * of the file is known, and 90 kB of directories that refer to each other take it seconds. AVIF says its orientation elsewhere and loses
 * all of its EXIF.
 * @param bytes the file, of any content
 */
export function simplifyExif(bytes: Uint8Array, type: SniffedType): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (const { start, end } of FINDERS[type]?.(view, bytes) ?? []) {
    const tiffStart = asciiAt(bytes, start, EXIF_PREFIX) ? start + EXIF_PREFIX.length : start
    writeOrientation(bytes.subarray(tiffStart, end), readOrientation(bytes.subarray(start, end)))
    // A changed chunk needs its checksum.
    if (type === 'png') view.setUint32(end, crc32(bytes.subarray(start - 4, end)))
  }
}

/** Segments before the picture's data (ITU T.81 §B.1.1), read as libjpeg reads them: what is no marker is skipped. */
const jpeg: ExifFinder = function* (view, bytes) {
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

/** Entries of the items' table (ISO 14496-12 §8.11.6). One of another type than EXIF is skipped by libheif. */
const avif: ExifFinder = (_view, bytes) => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = file.indexOf('infe'); at >= 0; at = file.indexOf('infe', at + 4)) {
    // Version and flags, the item's number (16 bits up to version 2), its protection.
    const type = at + 4 + 4 + ((file[at + 4] ?? 0) > 2 ? 4 : 2) + 2
    if (asciiAt(bytes, type, 'Exif')) file.write('none', type, 'latin1')
  }
  return []
}

const FINDERS: Partial<Record<SniffedType, ExifFinder>> = { jpeg, png: pngExif, webp: webpExif, avif }

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
