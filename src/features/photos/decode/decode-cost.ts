/** The part of sharp's metadata that determines what decoding costs. */
export interface PictureHeader {
  format: string
  width: number
  height: number
  channels: number
  /** Of one channel: `uchar` is 8 bits, all others are more. */
  depth?: string | undefined
  isProgressive?: boolean | undefined
  chromaSubsampling?: string | undefined
  /** EXIF: from 5 on the picture is rotated by 90 degrees. */
  orientation?: number | undefined
}

/** 8192 x 6144, the largest that phones send by default, and a little more. */
export const MAX_PIXELS = 52_000_000
/** Memory that decoding one picture may take beside the process itself. */
export const MAX_DECODE_BYTES = 110 * 1024 * 1024

/**
 * Upper bound of the bytes that decoding a picture takes, by its header (measured with libvips 8.18, rounded up). Baseline JPEG
 * and plain PNG are read in strips of any size; the others are held in memory as coefficients, passes, frames or planes.
 */
export function estimateDecodeBytes(picture: PictureHeader): number {
  return picture.width * picture.height * (bytesPerPixel(picture) + (isRotatedInMemory(picture) ? picture.channels : 0))
}

const isDeep = (depth: string | undefined) => depth !== undefined && depth !== 'uchar'

function bytesPerPixel({ format, channels, depth, isProgressive, chromaSubsampling }: PictureHeader): number {
  if (format === 'jpeg') return isProgressive ? (chromaSubsampling === '4:2:0' ? 3.2 : 2.1 * channels) : 0.2
  if (format === 'png') return isProgressive ? 1.4 * channels * (isDeep(depth) ? 2 : 1) : 1
  if (format === 'gif') return 5
  if (format === 'webp') return 4.5
  // AVIF: planes, frames and the decoder's own copies of them.
  return isDeep(depth) ? 27 : 16
}

/** JPEG is shrunk while it is read; other rotated formats are rotated at full size. */
const isRotatedInMemory = ({ format, orientation = 1 }: PictureHeader) => orientation >= 5 && format !== 'jpeg'
