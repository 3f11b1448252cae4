import { deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A picture with something to see: four quarters of different colours, so that turning it shows. */
export const quarteredPicture = (width = 80, height = 60) => {
  const part = (colour: string, x: number, y: number) =>
    `<rect x="${x * 50}%" y="${y * 50}%" width="50%" height="50%" fill="${colour}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${part('#f00', 0, 0)}${part('#0f0', 1, 0)}${part('#00f', 0, 1)}${part('#fff', 1, 1)}</svg>`
  return sharp(Buffer.from(svg)).flatten()
}

/** A photo as a phone's camera makes one: soft shapes, detail everywhere, grain on top. */
export async function phonePhoto(width = 4000, height = 3000): Promise<Buffer> {
  const noise = (side: number, sigma: number) => ({
    create: {
      width: side,
      height: side,
      channels: 3 as const,
      background: '#000',
      noise: { type: 'gaussian' as const, mean: 128, sigma },
    },
  })
  const shapes = await sharp(noise(400, 90)).blur(5).normalise().png().toBuffer()
  const grain = await sharp(noise(500, 40)).blur(0.6).png().toBuffer()
  return sharp(shapes)
    .resize(width, height, { fit: 'fill' })
    .composite([{ input: grain, tile: true, blend: 'overlay' }])
    .jpeg({ quality: 92 })
    .toBuffer()
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1
  return n
})

/** A chunk of a PNG. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  let crc = 0xffffffff
  for (const byte of body) crc = CRC_TABLE[(crc ^ byte) & 255]! ^ (crc >>> 8)
  const frame = Buffer.alloc(4)
  frame.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, body, frame])
}

/** A PNG whose header says `width` x `height`; its rows are all there (grey, one byte a pixel) or only `rows` of them. */
export function makePng(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc((width + 1) * rows), { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
