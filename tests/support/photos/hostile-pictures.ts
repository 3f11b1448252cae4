import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { pngChunk, phonePhoto, makePng } from './test-pictures.ts'

// Pictures that cost a decoder far more than they weigh, or are not what they say. All under 4 MB.

const flatImage = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#c85a3c' }, limitInputPixels: false })

/** A progressive JPEG whose last scan stands there `times` over: each goes through all of the picture again. */
export async function jpegWithScans(times: number, side = 3000): Promise<Buffer> {
  const jpeg = await flatImage(side).jpeg({ progressive: true, quality: 30 }).toBuffer()
  const at = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))
  const scan = jpeg.subarray(at, jpeg.length - 2)
  return Buffer.concat([jpeg.subarray(0, at), ...Array.from({ length: times }, () => scan), jpeg.subarray(-2)])
}

/** A GIF of 3000 x 3000 with `count` frames. */
function gifWithFrames(count: number): Buffer {
  const side = Buffer.from([0xb8, 0x0b])
  const head = Buffer.concat([Buffer.from('GIF89a'), side, side, Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])])
  const frame = Buffer.concat([Buffer.from([0x2c, 0, 0, 0, 0]), side, side, Buffer.from([0, 2, 2, 0x44, 1, 0])])
  return Buffer.concat([head, ...Array.from({ length: count }, () => frame), Buffer.from([0x3b])])
}

/** A PNG of one pixel with a profile, or a text, of `megabytes` of zeros. */
function pngWithInflatedChunk(type: 'iCCP' | 'zTXt', megabytes: number): Buffer {
  const small = makePng(1, 1)
  const body = Buffer.concat([Buffer.from('x\0\0', 'latin1'), deflateSync(Buffer.alloc(megabytes * 1024 * 1024))])
  return Buffer.concat([small.subarray(0, 33), pngChunk(type, body), small.subarray(33)])
}

/** A JPEG with `count` EXIF segments of 64 kB. */
async function jpegWithExifSegments(count: number): Promise<Buffer> {
  const jpeg = await flatImage(64).jpeg().toBuffer()
  const body = Buffer.concat([Buffer.from('Exif\0\0MM\0*\0\0\0\x08', 'latin1'), Buffer.alloc(65_000, 1)])
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1]), Buffer.alloc(2), body])
  segment.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: count }, () => segment), jpeg.subarray(2)])
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="7200" height="7200"><rect width="9" height="9"/></svg>'

const readFixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

/** An AVIF that says of itself that it is an animation. */
function markAsAnimation(avif: Buffer): Buffer {
  const copy = Buffer.from(avif)
  copy.write('avis', 8, 'latin1')
  return copy
}

/** The animation without its `meta` box, so without a picture that stands for it; of what is left the tables point nowhere. */
export function withoutFirstPicture(avif: Buffer): Buffer {
  const at = avif.indexOf('meta') - 4
  return Buffer.concat([avif.subarray(0, at), avif.subarray(at + avif.readUInt32BE(at))])
}

/** The animation with tables that claim four thousand million pictures. */
function withCountlessFrames(avif: Buffer): Buffer {
  const copy = Buffer.from(avif)
  // Behind the name of the box stand its version and flags, then how many entries follow (`stsz`: then how many pictures).
  for (const [table, count] of [
    ['stts', 8],
    ['stsz', 12],
    ['stsc', 8],
    ['stco', 8],
  ] as const)
    copy.writeUInt32BE(0xffffffff, copy.indexOf(table) + count)
  return copy
}

const huge = () => readFixture('7200-12bit-444.avif')
const animated = () => readFixture('animated.avif')

const PICTURES: Record<string, () => Buffer | Promise<Buffer>> = {
  'AVIF 7200 x 7200, 12 bits, 4:4:4': () => huge(),
  'AVIF that ends early': () => huge().subarray(0, 700),
  'AVIF 7200 x 7200 that says it is animated': () => markAsAnimation(huge()),
  'animated AVIF': () => animated(),
  'animated AVIF that ends early': () => animated().subarray(0, 900),
  'animated AVIF without a first picture': () => withoutFirstPicture(animated()),
  'animated AVIF of countless frames': () => withCountlessFrames(animated()),
  'progressive JPEG 8192 x 6144, 4:4:4': async () =>
    await sharp(await flatImage(6144).resize(8192, 6144).raw().toBuffer(), {
      raw: { width: 8192, height: 6144, channels: 3 },
    })
      .jpeg({ quality: 20, progressive: true, chromaSubsampling: '4:4:4' })
      .toBuffer(),
  'progressive JPEG 4100 x 4100, 4:4:4': async () =>
    await flatImage(4100).jpeg({ quality: 20, progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  'JPEG of 400 scans': async () => await jpegWithScans(400),
  'JPEG of 60 scans': async () => await jpegWithScans(50),
  'small JPEG of 4000 scans': async () => await jpegWithScans(4000, 900),
  'JPEG of 60 EXIF segments': async () => await jpegWithExifSegments(60),
  'JPEG cut at a third': async () => {
    const photo = await phonePhoto(1600, 1200)
    return photo.subarray(0, photo.length / 3)
  },
  'interlaced PNG 7200 x 7200': async () =>
    await flatImage(7200).png({ progressive: true, compressionLevel: 9 }).toBuffer(),
  'PNG 7200 x 7200 without its rows': () => makePng(7200, 7200, 100),
  'PNG with a profile of 200 MB': () => pngWithInflatedChunk('iCCP', 200),
  'PNG with a text of 200 MB': () => pngWithInflatedChunk('zTXt', 200),
  'GIF 4500 x 4500': async () => await flatImage(4500).gif({ effort: 1 }).toBuffer(),
  'GIF of 100 000 frames': () => gifWithFrames(100_000),
  'lossless WebP 5000 x 5000': async () => await flatImage(5000).webp({ lossless: true, effort: 0 }).toBuffer(),
  'WebP that is an SVG': () => Buffer.from(`RIFF\0\0\0\0WEBP${svg}`, 'latin1'),
  SVG: () => Buffer.from(svg),
  TIFF: async () => await flatImage(200).tiff().toBuffer(),
  'TIFF that begins as a JPEG': async () =>
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), await flatImage(200).tiff().toBuffer()]),
  HEIC: () => Buffer.from(`\0\0\0\x18ftypheic\0\0\0\0mif1heic${'\0'.repeat(1000)}`, 'latin1'),
}

export const HOSTILE_PICTURE_NAMES: readonly string[] = Object.keys(PICTURES)

/** The pictures of these names. */
export async function hostilePictures(names = HOSTILE_PICTURE_NAMES): Promise<Record<string, Buffer>> {
  const pictures: Record<string, Buffer> = {}
  for (const name of names) pictures[name] = await PICTURES[name]!()
  return pictures
}
