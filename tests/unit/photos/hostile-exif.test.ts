import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { DecoderProcess } from '#features/photos/decode/decoder-process.server.ts'
import { simplifyExif } from '#features/photos/decode/simplify-exif.server.ts'
import { sniff } from '#features/photos/sniff.ts'
import { root } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

const exif = suite('unit/photos/hostile-exif')

const SIZE = { width: 400, height: 300 }
const FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const
type Format = (typeof FORMATS)[number]
/** Found again in a file, to be replaced. */
const FILLER = 'relleno '.repeat(7900)
/** Entries that each refer to the directory they are in. */
const LOOPS = 5000
const EXIF_POINTER = 0x8769
const GPS_CANARY = 'CANARIO-40.4168'

function selfReferringTiff(entries: number): Buffer {
  const tiff = Buffer.alloc(8 + 2 + 12 * entries + 4)
  tiff.write('MM\0*\0\0\0\x08', 'latin1')
  tiff.writeUInt16BE(entries, 8)
  for (let at = 10; at < 10 + 12 * entries; at += 12) {
    tiff.writeUInt16BE(EXIF_POINTER, at)
    tiff.writeUInt16BE(4, at + 2)
    tiff.writeUInt32BE(1, at + 4)
    tiff.writeUInt32BE(8, at + 8)
  }
  return tiff
}

const picture = () => sharp({ create: { ...SIZE, channels: 3, background: '#c86' } })

/** A picture whose EXIF is `tiff`, at most as long as the filler. */
async function pictureWith(format: Format, tiff: Buffer): Promise<Buffer> {
  const file = await picture()
    .withExif({ IFD0: { Copyright: FILLER } })
    .toFormat(format)
    .toBuffer()
  const filler = file.indexOf(FILLER)
  assert.ok(filler > 0, format)
  const start = Math.max(file.lastIndexOf('II*\0', filler, 'latin1'), file.lastIndexOf('MM\0*', filler, 'latin1'))
  file.fill(0, filler, filler + FILLER.length)
  tiff.copy(file, start)
  if (format === 'png') {
    const chunk = file.lastIndexOf('eXIf', start)
    const end = chunk + 4 + file.readUInt32BE(chunk - 4)
    file.writeUInt32BE(crc32(file.subarray(chunk, end)), end)
  }
  return file
}

for (const format of FORMATS)
  exif(`${format}: directories that refer to each other take no time, and the picture is read`, async () => {
    const file = await pictureWith(format, selfReferringTiff(LOOPS))
    const slot = new DecoderProcess(join(root, 'src/features/photos/decode/child.server.ts'))
    try {
      // A fifth of what one picture may take.
      const limits = { resident: 1e9, cpu: 1500, wall: 60_000 }
      const decoded = await slot.run({ bytes: file, prepare: { side: 800 } }, limits)
      assert.ok('photo' in decoded, JSON.stringify(decoded))
      assert.equal([decoded.photo.width, decoded.photo.height], [SIZE.width, SIZE.height])
    } finally {
      slot.close()
    }
  })

for (const format of FORMATS)
  exif(`${format}: nothing of EXIF is left but the orientation`, async () => {
    for (const orientation of [1, 3, 6, 8]) {
      const file = await picture()
        .withExif({ IFD0: { Artist: GPS_CANARY, Copyright: 'x'.repeat(300) }, IFD3: { GPSLatitudeRef: 'N' } })
        .withMetadata({ orientation })
        .toFormat(format)
        .toBuffer()
      const before = await sharp(file).metadata()
      const bytes = Buffer.from(file)
      simplifyExif(bytes, sniff(bytes))
      const after = await sharp(bytes, { failOn: 'warning' }).metadata()
      assert.is(after.orientation, before.orientation, `${format} ${orientation}`)
      assert.is(bytes.length, file.length)
      if (format !== 'avif') assert.not.ok(bytes.includes(GPS_CANARY))
      assert.equal(await sharp(bytes).raw().toBuffer(), await sharp(file).raw().toBuffer())
    }
  })

exif('a segment that is announced otherwise than EXIF is not parsed either', async () => {
  const inner = Buffer.concat([Buffer.from('Exif\0\0'), selfReferringTiff(LOOPS)])
  const segment = (data: Buffer) => {
    const head = Buffer.from([0xff, 0xe1, 0, 0])
    head.writeUInt16BE(data.length + 2, 2)
    return Buffer.concat([head, data])
  }
  const jpeg = await picture().jpeg().toBuffer()
  for (const prefix of ['Exif\0\x01', 'ExifExif', 'Exif'])
    for (const content of [inner, Buffer.concat([Buffer.from([0xff, 0xd8]), segment(inner)])]) {
      const hidden = segment(Buffer.concat([Buffer.from(prefix, 'latin1'), content]))
      const bytes = Buffer.concat([jpeg.subarray(0, 2), hidden, jpeg.subarray(2)])
      simplifyExif(bytes, 'jpeg')
      assert.not.ok(bytes.includes(selfReferringTiff(10).subarray(10)), JSON.stringify(prefix))
      assert.is((await sharp(bytes).metadata()).orientation, undefined)
    }
})

exif('both orders of bytes are read', async () => {
  for (const isLittle of [true, false]) {
    const tiff = Buffer.alloc(40)
    const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length)
    tiff.write(isLittle ? 'II*\0' : 'MM\0*', 'latin1')
    view.setUint32(4, 8, isLittle)
    view.setUint16(8, 1, isLittle)
    for (const [at, value] of [
      [10, 0x0112],
      [12, 3],
      [18, 6],
    ] as const)
      view.setUint16(at, value, isLittle)
    view.setUint32(14, 1, isLittle)
    const bytes = await pictureWith('jpeg', tiff)
    simplifyExif(bytes, 'jpeg')
    assert.is((await sharp(bytes).metadata()).orientation, 6)
  }
})

exif('files of any content are taken, cut anywhere', async () => {
  for (const format of FORMATS) {
    const file = await pictureWith(format, selfReferringTiff(50))
    for (let length = 0; length < Math.min(file.length, 700); length++)
      for (const type of FORMATS) simplifyExif(Buffer.from(file.subarray(0, length)), type)
    for (let n = 0; n < 500; n++) {
      const broken = Buffer.from(file.subarray(0, 400))
      for (let i = 0; i < 20; i++) broken[(n * 7919 + i * 104_729) % broken.length] = (n * 31 + i * 17) % 256
      simplifyExif(broken, format)
    }
  }
})
