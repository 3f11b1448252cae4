import type { Sharp } from 'sharp'
import { invalid } from '#lib/errors.ts'
import { blurOf } from './blur.server.ts'
import { PHOTO_MAX_SIDE, PHOTO_TEXTS } from './photos.ts'
import { sharp, withRoom } from './sharp.server.ts'
import { sniff } from './sniff.ts'

/** A photo fit to be stored: upright, sRGB, opaque, without metadata, within spec.md §5's limits. */
export interface PreparedPhoto {
  data: Buffer
  width: number
  height: number
  ext: 'jpg'
  /** What stands in its place until it has come (blur.ts). */
  blur: string
}

/** 0.2 MB, read strictly. */
const MAX_BYTES = 200_000
/** 8192 x 6144, the largest that phones send without asking, and a little more. */
const MAX_PIXELS = 52_000_000
/** A decoder that a crafted file keeps busy gives up after this many seconds. */
const MAX_SECONDS = 20

/** 88 suits nearly every photo; the rest are steps down for grass, fur and noise. */
const QUALITIES = [88, 80, 70, 55, 40, 25]

const refuse = (detail: string) => invalid(detail, { images: detail })

/**
 * Turns an upload into what we store. Nothing about it is believed: the type comes from its bytes, the pixels are counted
 * from the header before any is decoded, and the picture is decoded once and encoded anew, which leaves behind GPS
 * position, comments, profiles and whatever else was hidden in the file.
 * @param side the longest side it may have, in pixels
 * @throws AppError 422 with the sentence to show
 */
export async function preparePhoto(bytes: Uint8Array, side = PHOTO_MAX_SIDE): Promise<PreparedPhoto> {
  const type = sniff(bytes)
  if (type === 'heic') throw refuse(PHOTO_TEXTS.heic)
  if (type === 'other') throw refuse(PHOTO_TEXTS.unreadable)
  // `failOn: error`: phones write harmless oddities that libvips only warns of; a file cut short is an error.
  const input = sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS })
  const { width, height } = await input.metadata().catch((error: Error) => {
    throw refuse(/pixel limit/i.test(error.message) ? PHOTO_TEXTS.tooLarge : PHOTO_TEXTS.damaged)
  })
  if (width * height > MAX_PIXELS) throw refuse(PHOTO_TEXTS.tooLarge)
  return withRoom(width * height, async () => {
    const pixels = await decode(input, side).catch(() => {
      throw refuse(PHOTO_TEXTS.damaged)
    })
    return encode(pixels)
  })
}

/** Upright, small and opaque, in raw pixels: what the encoder may then try at several qualities. */
const decode = (input: Sharp, side: number) =>
  input
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .timeout({ seconds: MAX_SECONDS })
    .raw()
    .toBuffer({ resolveWithObject: true })

async function encode({ data, info }: Awaited<ReturnType<typeof decode>>): Promise<PreparedPhoto> {
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const blur = await blurOf(sharp(data, { raw }))
  for (const quality of QUALITIES) {
    const jpeg = await sharp(data, { raw }).jpeg({ quality }).toBuffer()
    if (jpeg.length <= MAX_BYTES) return { data: jpeg, width: raw.width, height: raw.height, ext: 'jpg', blur }
  }
  // Pure noise, which no camera makes: fewer pixels, and 25 fits.
  const half = await sharp(data, { raw })
    .resize(Math.ceil(raw.width / 2))
    .jpeg({ quality: QUALITIES.at(-1)! })
    .toBuffer({ resolveWithObject: true })
  return { data: half.data, width: half.info.width, height: half.info.height, ext: 'jpg', blur }
}
