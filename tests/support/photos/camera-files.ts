import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { phonePhoto, quarteredPicture } from './test-pictures.ts'

// Files as cameras write them: with more in them than one picture.

/** A segment of a JPEG. */
export function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** A box of an ISO media file. */
export function box(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** Whole files by name, each ending with its picture. */
export async function cameraFiles(): Promise<Record<string, Buffer>> {
  const photo = await phonePhoto(1600, 1200)
  const thumbnail = await sharp(photo).resize(320).jpeg().toBuffer()
  const preview = await sharp(photo).resize(640).jpeg({ quality: 60 }).toBuffer()
  const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0', 'latin1'), thumbnail]))
  const maker = segment(0xe4, preview.subarray(0, 65_000))
  const start = photo.subarray(0, 2)
  const rest = photo.subarray(2)
  return {
    'JPEG with a thumbnail': Buffer.concat([start, exif, rest]),
    'JPEG with thumbnail and preview': Buffer.concat([start, exif, maker, rest]),
    'JPEG on its side': await quarteredPicture(1200, 900).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    HEIC: readFileSync(new URL('./fixtures/quarters.heic', import.meta.url)),
  }
}
