/** What a decoder's header tells of a picture: the part of sharp's metadata that says what it costs. */
export interface PictureHeader {
  format: string
  width: number
  height: number
  channels: number
  /** Of one channel: `uchar` is 8 bits, all others are more. */
  depth?: string | undefined
  isProgressive?: boolean | undefined
  chromaSubsampling?: string | undefined
  /** EXIF: from 5 on the picture lies on its side. */
  orientation?: number | undefined
}

const MB = 1024 * 1024

/** 8192 x 6144, the largest that phones send without asking, and a little more. */
export const MAX_PIXELS = 52_000_000
/** What decoding one picture may take beside the process itself, bytes. */
export const MAX_DECODE_BYTES = 110 * MB
/** Above this a picture is decoded while no other as heavy is, bytes. */
export const MAX_LIGHT_DECODE_BYTES = 36 * MB

/**
 * Bytes that decoding a picture takes at most, by its header (measured with libvips 8.18, rounded up). Baseline JPEG and
 * plain PNG are read in strips, whatever their size; the others lie whole in memory: as coefficients, passes, frames or planes.
 */
export function estimateDecodeBytes(picture: PictureHeader): number {
  return picture.width * picture.height * (bytesPerPixel(picture) + (isRotatedInMemory(picture) ? picture.channels : 0))
}

function bytesPerPixel({ format, channels, depth, isProgressive, chromaSubsampling }: PictureHeader): number {
  const isDeep = depth !== undefined && depth !== 'uchar'
  if (format === 'jpeg') return isProgressive ? (chromaSubsampling === '4:2:0' ? 3.2 : 2.1 * channels) : 0.2
  if (format === 'png') return isProgressive ? 1.4 * channels * (isDeep ? 2 : 1) : 1
  if (format === 'gif') return 5
  if (format === 'webp') return 4.5
  // AVIF: planes, frames and the decoder's own copies of them.
  return isDeep ? 27 : 16
}

/** A JPEG is shrunk while it is read; anything else that lies on its side is turned whole. */
const isRotatedInMemory = ({ format, orientation = 1 }: PictureHeader) => orientation >= 5 && format !== 'jpeg'
