import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { preparePhoto } from '#features/photos/photos.server.ts'
import { sniff } from '#features/photos/sniff.ts'
import { isTruncated } from '#features/photos/truncated.ts'
import { box, cameraFiles, segment } from '#tests/support/photos/camera-files.ts'
import { quarteredPicture } from '#tests/support/photos/test-pictures.ts'
import { assert, suite } from '#tests/support/suites.ts'

const DAMAGED = 'La foto está dañada o incompleta. Prueba con otra.'
const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../support/photos/fixtures', name))
const isCut = (bytes: Uint8Array) => isTruncated(bytes, sniff(bytes))

/** Something to see everywhere, so that every part of a file holds some of it. */
const grainy = () =>
  sharp({
    create: {
      width: 320,
      height: 240,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })

/** A file of each kind, whole. */
const stills: Record<string, Buffer> = {
  JPEG: await grainy().jpeg().toBuffer(),
  'progressive JPEG': await grainy().jpeg({ progressive: true }).toBuffer(),
  'grey JPEG': await grainy().greyscale().jpeg().toBuffer(),
  PNG: await grainy().png().toBuffer(),
  'interlaced PNG': await grainy().png({ progressive: true }).toBuffer(),
  WebP: await grainy().webp().toBuffer(),
  'lossless WebP': await grainy().webp({ lossless: true }).toBuffer(),
  'transparent WebP': await grainy().ensureAlpha(0.5).webp().toBuffer(),
  GIF: await grainy().gif().toBuffer(),
  AVIF: await grainy().avif({ effort: 0 }).toBuffer(),
  'animated AVIF': fixture('animated.avif'),
  ...(await cameraFiles()),
}
const real = join(import.meta.dirname, '../../../../shared/photos/samoyedo.jpg')
if (existsSync(real)) stills['a real photo'] = readFileSync(real)

const truncated = suite('unit/photos/truncated-files')

truncated('truncated files are detected wherever they were cut', () => {
  for (const [name, bytes] of Object.entries(stills)) {
    assert.not(isCut(bytes), name)
    for (const share of [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
      assert.ok(isCut(bytes.subarray(0, Math.floor(bytes.length * share))), `${name}, cut at ${share}`)
    // Of a GIF and a PNG the last bytes say only that this was all.
    for (const bytesLess of /GIF|PNG/.test(name) ? [16] : [1, 2, 3, 16])
      assert.ok(isCut(bytes.subarray(0, bytes.length - bytesLess)), `${name}, ${bytesLess} bytes less`)
  }
})

truncated('the same files are truncated for browser and server', async () => {
  for (const [name, bytes] of Object.entries(stills).filter(([kind]) => !kind.includes('HEIC'))) {
    assert.ok((await preparePhoto(bytes)).width > 0, name)
    // Of an animation the server needs the first picture only, and the form, which takes none with a part missing, all of it.
    for (const share of name.includes('animated') ? [0.3, 0.7] : [0.3, 0.7, 0.95]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * share))
      const sentence = await preparePhoto(cut).then(
        () => 'taken',
        (error: Error) => error.message,
      )
      assert.is(sentence, DAMAGED, `${name}, cut at ${share}`)
    }
  }
})

truncated('camera data behind the end is not a truncation, complete or cut itself', async () => {
  const jpeg = stills.JPEG!
  const film = Buffer.concat([box('ftyp', Buffer.from('isom')), box('mdat', Buffer.alloc(5000, 7))])
  const behind: Record<string, Buffer> = {
    'a second picture (MPF)': await quarteredPicture().jpeg().toBuffer(),
    'half a second picture': (await quarteredPicture().jpeg().toBuffer()).subarray(0, 200),
    'a film (motion photo)': film,
    'half a film': film.subarray(0, 2000),
    'Samsung’s table': Buffer.from('\0\0\x01\x0aImage_UTC_Data1700000000000SEFH\x6b\0\0\0SEFT', 'latin1'),
    zeros: Buffer.alloc(4096),
    'one byte': Buffer.from([0xff]),
  }
  for (const kind of ['JPEG', 'progressive JPEG', 'PNG', 'WebP', 'GIF', 'HEIC'])
    for (const [name, more] of Object.entries(behind))
      assert.not(isCut(Buffer.concat([stills[kind]!, more])), `${kind}, ${name}`)
  const motion = Buffer.concat([stills.HEIC!, box('mpvd', film)])
  for (const bytes of [motion, motion.subarray(0, motion.length - 3000)])
    assert.not(isCut(bytes), 'motion photo in HEIC')
  // What is cut is the picture itself, not what would have come behind it.
  assert.ok(
    isCut(Buffer.concat([jpeg.subarray(0, jpeg.length / 2), Buffer.alloc(jpeg.length)])),
    'filled up with zeros',
  )
})

truncated('of animations only the first picture is checked', async () => {
  const frames = await Promise.all([1, 2, 3].map(() => grainy().png().toBuffer()))
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  assert.not(isCut(gif))
  assert.not(isCut(gif.subarray(0, gif.length * 0.6)), 'its first third is there')
  assert.ok(isCut(gif.subarray(0, gif.length * 0.2)))
})

truncated('bytes that JPEG allows between its markers are not its end', () => {
  const scan = segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]))
  const bytes = (...parts: (Buffer | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))
  const soi = [0xff, 0xd8]
  const eoi = [0xff, 0xd9]
  const restarts = [1, 2, 0xff, 0, 3, 0xff, 0xd0, 4, 0xff, 0xd7, 5]
  const whole = bytes(soi, segment(0xe1, Buffer.from(eoi)), scan, restarts, [0xff, 0xff], eoi)
  assert.not(isTruncated(whole, 'jpeg'))
  for (let length = 3; length < whole.length; length++)
    assert.ok(isTruncated(whole.subarray(0, length), 'jpeg'), `${length} bytes`)
  // Stray bytes before a marker, as some cameras leave them.
  assert.not(isTruncated(bytes(soi, [0, 0, 0], scan, [9, 9], scan, [8], eoi), 'jpeg'))
})

truncated('any bytes give a result, also with invalid boxes and chunks', () => {
  let state = 7
  const random = () => (state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) >>> 16
  for (let round = 0; round < 300; round++) {
    const bytes = Buffer.from(Array.from({ length: 400 }, () => (random() & 3 ? random() & 255 : 0)))
    for (const type of ['jpeg', 'png', 'webp', 'gif', 'avif', 'heic', 'other'] as const)
      assert.type(isTruncated(bytes.subarray(0, random() % 400), type), 'boolean')
  }
  // Boxes of 64-bit lengths, and one up to the end of the file.
  const large = Buffer.concat([Buffer.from('\0\0\0\x01mdat\0\0\0\0\0\0\0\x20', 'latin1'), Buffer.alloc(16)])
  assert.not(isTruncated(Buffer.concat([box('ftyp', Buffer.from('avif')), large]), 'avif'))
  assert.ok(isTruncated(Buffer.concat([box('ftyp', Buffer.from('avif')), large.subarray(0, 20)]), 'avif'))
  const open = Buffer.concat([box('ftyp', Buffer.from('avif')), Buffer.from('\0\0\0\0mdat', 'latin1')])
  assert.not(isTruncated(open, 'avif'))
})

truncated('other formats are left to the decoder', () => {
  for (const text of ['', 'BM', 'esto no es una foto']) assert.not(isCut(Buffer.from(text)))
})
