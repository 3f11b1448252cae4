import type { Sharp } from 'sharp'
import { computeBlur } from '../blur.server.ts'
import { loadSharp } from '#features/photos/render/sharp.server.ts'
import { type Cicp, readCicp } from '../cicp.ts'
import { sniff } from '../sniff.ts'
import { isTruncated } from '../truncated.ts'
import { estimateDecodeBytes, MAX_DECODE_BYTES, MAX_PIXELS } from './decode-cost.ts'
import { isForeign, mapColours } from './map-colours.ts'
import { simplifyExif } from './simplify-exif.server.ts'

/** A photo fit to be stored: upright, sRGB, opaque, without metadata, within docs/product.md §24.1's limits. */
export interface PreparedPhoto {
  data: Buffer
  width: number
  height: number
  ext: 'jpg'
  /** Placeholder until the photo has loaded (blur.ts). */
  blur: string
}

/** The middle of a picture as a square. */
export interface SquareOptions {
  /** Longest side in pixels; never enlarged. */
  side: number
  format: 'webp' | 'jpeg'
  quality: number
}

/** A picture, and what to make of it. */
export type DecodeTask = { bytes: Uint8Array } & ({ prepare: { side: number } } | { square: SquareOptions })

/** Why a picture is refused: a key of PHOTO_TEXTS, or an animation without a still picture. */
export type PictureRefusal = 'unreadable' | 'damaged' | 'tooLarge' | 'tooCostly' | 'animated'

export type DecodeResult = { photo: PreparedPhoto } | { square: Buffer } | { refused: PictureRefusal }

/** 0.2 MB of docs/product.md §24.1, as decimal megabytes. */
const MAX_STORED_BYTES = 200_000
/** 88 suits nearly every photo; the rest are steps down for grass, fur and noise. */
const LOWEST_QUALITY = 25
const QUALITIES = [88, 80, 70, 55, 40, LOWEST_QUALITY]

const LETTER_S = 0x73
const LETTER_F = 0x66

/** Each scan passes over the whole picture again. Encoders write some ten; an embedded preview has its own. */
const MAX_JPEG_SCANS = 64

/** Number of scans (SOS markers) in a JPEG and the pictures embedded in it. */
function countScans(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let count = 0
  for (let at = buffer.indexOf('ffda', 0, 'hex'); at >= 0; at = buffer.indexOf('ffda', at + 2, 'hex')) count++
  return count
}

/** Runs one task. A fault of the picture is part of the result. @throws only for a fault of the decoder itself */
export async function runDecodeTask(task: DecodeTask): Promise<DecodeResult> {
  const { bytes } = task
  const type = sniff(bytes)
  const isSequence = type === 'avif' && bytes[11] === LETTER_S
  // libvips knows only the major brand of a still AVIF (`avif`). With it, libvips reads the still picture of an animation (`avis`).
  if (isSequence) bytes[11] = LETTER_F
  simplifyExif(bytes, type)
  const sharp = await loadSharp()
  // `failOn: error`: phones write harmless oddities that libvips only warns about; a truncated file is an error.
  const input = sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS, autoOrient: true })
  const header = await input.metadata().catch((error: Error) => (/pixel limit/i.test(error.message) ? 'large' : null))
  if (header === 'large') return { refused: 'tooLarge' }
  if (!header) return { refused: isSequence && !isTruncated(bytes, type) ? 'animated' : 'damaged' }
  // Another decoder than the first bytes announce: a polyglot file.
  if (header.format !== (type === 'avif' ? 'heif' : type)) return { refused: 'unreadable' }
  if (header.width * header.height > MAX_PIXELS) return { refused: 'tooLarge' }
  if (type === 'jpeg' && countScans(bytes) > MAX_JPEG_SCANS) return { refused: 'tooCostly' }
  if (estimateDecodeBytes(header) > MAX_DECODE_BYTES) return { refused: 'tooCostly' }
  try {
    // A profile says it better, and libvips reads it.
    const cicp = type === 'avif' && !header.icc ? readCicp(bytes) : null
    if ('prepare' in task) return { photo: await encodeJpeg(await decodeRaw(input, task.prepare.side, cicp)) }
    const { side, format, quality } = task.square
    const shortest = Math.min(side, header.autoOrient.width, header.autoOrient.height)
    const square = input.resize(shortest, shortest, { fit: 'cover' })
    const encoded =
      format === 'webp' ? square.webp({ quality, effort: 2 }) : square.jpeg({ quality, chromaSubsampling: '4:4:4' })
    return { square: await encoded.toBuffer() }
  } catch {
    return { refused: 'damaged' }
  }
}

/** Upright, resized and opaque raw pixels, which the encoder may try at several qualities. */
async function decodeRaw(input: Sharp, side: number, cicp: Cicp | null) {
  const isMapped = cicp && isForeign(cicp)
  const { data, info } = await input
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace(isMapped ? 'rgb16' : 'srgb')
    .raw({ depth: isMapped ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { info, data: isMapped ? mapColours(data, cicp) : data }
}

async function encodeJpeg({ data, info }: Awaited<ReturnType<typeof decodeRaw>>): Promise<PreparedPhoto> {
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const sharp = await loadSharp()
  const blur = await computeBlur(sharp(data, { raw }))
  for (const quality of QUALITIES) {
    const jpeg = await sharp(data, { raw }).jpeg({ quality }).toBuffer()
    if (jpeg.length <= MAX_STORED_BYTES) return { data: jpeg, width: raw.width, height: raw.height, ext: 'jpg', blur }
  }
  // Pure noise, which no camera produces: at half the width quality 25 fits.
  const half = await sharp(data, { raw })
    .resize(Math.ceil(raw.width / 2))
    .jpeg({ quality: LOWEST_QUALITY })
    .toBuffer({ resolveWithObject: true })
  return { data: half.data, width: half.info.width, height: half.info.height, ext: 'jpg', blur }
}
