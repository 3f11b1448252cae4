import { randomBytes } from 'node:crypto'
import sharp from 'sharp'

/** Encoded once in a process: fixtures ask for the same photo hundreds of times. */
const encoded = new Map<string, Promise<Buffer>>()

/** A small real JPEG; another `shade` makes another picture. */
export async function photo(shade = 120, width = 64, height = 48): Promise<Buffer<ArrayBuffer>> {
  const key = `${shade} ${width} ${height}`
  if (!encoded.has(key))
    encoded.set(
      key,
      sharp({ create: { width, height, channels: 3, background: { r: shade, g: 90, b: 60 } } })
        .jpeg()
        .toBuffer(),
    )
  return Buffer.from((await encoded.get(key))!) as Buffer<ArrayBuffer>
}

/** Points by lot: the heaviest photo of its size. */
export const noisePhoto = (width: number, height: number): Promise<Buffer<ArrayBuffer>> =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer() as Promise<Buffer<ArrayBuffer>>

/** What a person may pick by mistake: it says it is a photo and is none. */
export const textFile = new Uint8Array(Buffer.from('Esto no es una foto.'))
