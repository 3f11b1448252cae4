import type { SniffedType } from './sniff.ts'

/** Returns whether the structure is complete. Reading past the end, as of a truncated file, throws RangeError. */
type StructureCheck = (view: DataView, bytes: Uint8Array) => boolean

/**
 * Whether a picture ends before its structure does. Browsers draw the part they have of such a file and leave the rest white or
 * grey, and encoding it anew would hide the damage. Data after the picture's end is allowed: cameras append previews, videos
 * and tables. Only the structure is read, so a changed pixel passes.
 */
export function isTruncated(bytes: Uint8Array, type: SniffedType): boolean {
  try {
    return !(STRUCTURE_CHECKS[type]?.(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), bytes) ?? true)
  } catch (error) {
    if (error instanceof RangeError) return true
    throw error
  }
}

/** Segments carry their length, so the end marker of an embedded thumbnail is skipped. A scan's data run up to the next marker. */
const jpeg: StructureCheck = (view, bytes) => {
  for (let at = 2; (at = bytes.indexOf(0xff, at)) >= 0;) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xd9) return true
    // First a fill byte; then an escaped 0xff of the data, restart markers and others without a length.
    if (marker === 0xff) at++
    else if (marker < 2 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else at += 2 + view.getUint16(at + 2)
  }
  return false
}

const png: StructureCheck = (view) => {
  let at = 8
  while (view.getUint32(at + 4) !== 0x49454e44) at += 12 + view.getUint32(at)
  return true
}

const webp: StructureCheck = (view) => 8 + view.getUint32(4, true) <= view.byteLength

/** Checks up to the end of the first picture, the only one used of an animation. */
const gif: StructureCheck = (view) => {
  const afterColours = (at: number, flags: number) => at + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  const afterBlocks = (at: number) => {
    for (let size = view.getUint8(at); size > 0; size = view.getUint8(at)) at += size + 1
    return at + 1
  }
  let at = afterColours(13, view.getUint8(10))
  while (view.getUint8(at) === 0x21) at = afterBlocks(at + 2)
  if (view.getUint8(at) === 0x2c) afterBlocks(afterColours(at + 10, view.getUint8(at + 9)) + 1)
  return true
}

/** ISO boxes, one after another; `mdat` holds the pictures. A video after them (`mpvd`, or another file) may be truncated. */
const isoBoxes: StructureCheck = (view) => {
  let hasData = false
  let at = 0
  while (at + 8 <= view.byteLength) {
    const type = view.getUint32(at + 4)
    if (hasData && type === FTYP) return true
    const isPicture = type === META || type === MOOV || type === MDAT
    let size = view.getUint32(at)
    if (size === 1) size = Number(view.getBigUint64(at + 8))
    // Size 0: the box reaches to the end of the file.
    if (size === 0 && isPicture) return true
    at += size
    if (size < 8 || at > view.byteLength) return hasData && !isPicture
    hasData ||= type === MDAT
  }
  return hasData || at === view.byteLength
}
const FTYP = 0x66747970
const META = 0x6d657461
const MOOV = 0x6d6f6f76
const MDAT = 0x6d646174

const STRUCTURE_CHECKS: Partial<Record<SniffedType, StructureCheck>> = {
  jpeg,
  png,
  webp,
  gif,
  avif: isoBoxes,
  heic: isoBoxes,
}
