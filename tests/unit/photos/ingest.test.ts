import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { preparePhoto } from '#features/photos/photos.server.ts'
import { jpegWithScans, withoutFirstPicture } from '#tests/support/photos/hostile-pictures.ts'
import { phonePhoto, makePng, quarteredPicture } from '#tests/support/photos/test-pictures.ts'
import { assert, refusalError, suite } from '#tests/support/suites.ts'

const UNREADABLE = 'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.'
const DAMAGED = 'La foto está dañada o incompleta. Prueba con otra.'
const TOO_LARGE = 'La foto es demasiado grande: como máximo, 52 megapíxeles.'
const HEIC =
  'No podemos leer fotos HEIC. En el iPhone, elige «Más compatible» en Ajustes › Cámara › Formatos, o guarda la foto como JPEG y vuelve a subirla.'
const ANIMATED = 'Es una animación, y no podemos sacar una foto de ella. Guarda una de sus imágenes como JPEG y súbela.'

const animatedAvif = () => readFileSync(join(import.meta.dirname, '../../support/photos/fixtures/animated.avif'))

async function refusal(bytes: Uint8Array): Promise<string> {
  const { status, errors, message } = await refusalError(preparePhoto(bytes))
  assert.equal([status, errors], [422, { images: message }])
  return message
}

/** The colour at a point, each channel rounded to 0 or f: lossy encoders shift the rest. */
async function colourAt(photo: Buffer, x: number, y: number): Promise<string> {
  const pixel = await sharp(photo).extract({ left: x, top: y, width: 1, height: 1 }).raw().toBuffer()
  return [...pixel].map((v) => (v > 127 ? 'f' : '0')).join('')
}

const taken = suite('unit/photos/ingest: accepted photos')

taken('a 12-megapixel phone photo becomes a JPEG of at most 800 px and 0.2 MB', async () => {
  const photo = await preparePhoto(await phonePhoto())
  const made = await sharp(photo.data).metadata()
  assert.equal([made.format, made.width, made.height], ['jpeg', 800, 600])
  assert.equal([photo.ext, photo.width, photo.height], ['jpg', 800, 600])
  assert.ok(photo.data.length <= 200_000, `${photo.data.length} bytes`)
  assert.ok(photo.data.length > 30_000, `${photo.data.length} bytes: needlessly coarse`)
})

taken('a picture that compresses badly still fits', async () => {
  const noise = sharp({
    create: {
      width: 800,
      height: 800,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 90 },
    },
  })
  const photo = await preparePhoto(await noise.png().toBuffer())
  assert.ok(photo.data.length <= 200_000, `${photo.data.length} bytes`)
  const made = await sharp(photo.data).metadata()
  assert.equal([made.width, made.height], [photo.width, photo.height])
})

// What the camera's orientation tag means: where the picture's upper left and upper right quarters end up upright.
const UPRIGHT: Record<number, [string, string]> = {
  1: ['f00', '0f0'],
  2: ['0f0', 'f00'],
  3: ['fff', '00f'],
  4: ['00f', 'fff'],
  5: ['f00', '00f'],
  6: ['00f', 'f00'],
  7: ['fff', '0f0'],
  8: ['0f0', 'fff'],
}
for (const [orientation, corners] of Object.entries(UPRIGHT))
  taken(`orientation ${orientation} is applied`, async () => {
    const file = await quarteredPicture()
      .withExif({ IFD0: { Orientation: orientation } })
      .withMetadata({ orientation: Number(orientation) })
      .jpeg({ quality: 95 })
      .toBuffer()
    assert.is((await sharp(file).metadata()).orientation, Number(orientation))
    const { data, width, height } = await preparePhoto(file)
    assert.equal([width, height], Number(orientation) < 5 ? [80, 60] : [60, 80])
    assert.equal([await colourAt(data, 10, 10), await colourAt(data, width - 10, 10)], corners)
    assert.is((await sharp(data).metadata()).orientation, undefined)
  })

taken('GPS, camera, comments and colour profile are removed', async () => {
  const file = await quarteredPicture()
    .withExif({
      IFD0: { Make: 'SecretCamera', ImageDescription: 'Calle Mayor 7' },
      IFD3: { GPSLatitude: '40/1 25/1 0/1', GPSLatitudeRef: 'N', GPSLongitude: '3/1 42/1 0/1', GPSLongitudeRef: 'W' },
    })
    .withIccProfile('p3')
    .withXmp(
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>',
    )
    .jpeg()
    .toBuffer()
  const before = await sharp(file).metadata()
  assert.ok(before.exif && before.icc && before.xmp, 'the test file must carry what is to be stripped')
  const { data } = await preparePhoto(file)
  const { exif, icc, xmp, iptc, comments } = await sharp(data).metadata()
  assert.equal([exif, icc, xmp, iptc, comments], [undefined, undefined, undefined, undefined, undefined])
  assert.not(data.includes('SecretCamera'))
})

taken('PNG, WebP, AVIF and GIF are accepted', async () => {
  for (const format of ['png', 'webp', 'avif', 'gif'] as const) {
    const { data, width, height } = await preparePhoto(await quarteredPicture().toFormat(format).toBuffer())
    assert.equal([format, width, height, format, await colourAt(data, 10, 10)], [format, 80, 60, format, 'f00'])
  }
})

taken('an animated GIF gives its first frame', async () => {
  const frames = await Promise.all(
    ['#f00', '#0f0'].map((background) =>
      sharp({ create: { width: 40, height: 40, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  assert.is((await sharp(gif, { animated: true }).metadata()).pages, 2)
  const { data, width, height } = await preparePhoto(gif)
  assert.equal([width, height, await colourAt(data, 20, 20)], [40, 40, 'f00'])
})

taken('an animated AVIF gives its primary image', async () => {
  const { data, width, height } = await preparePhoto(animatedAvif())
  assert.equal([width, height], [64, 64])
  const pixel = await sharp(data).extract({ left: 20, top: 20, width: 1, height: 1 }).raw().toBuffer()
  for (const [at, value] of [255, 120, 255].entries())
    assert.ok(Math.abs(pixel[at]! - value) < 12, `${[...pixel].join()}: the first picture is pink`)
})

taken('transparency becomes white', async () => {
  const clear = sharp({ create: { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
  assert.is(await colourAt((await preparePhoto(await clear.png().toBuffer())).data, 10, 10), 'fff')
})

taken('CMYK, 16 bits a channel and grey become sRGB', async () => {
  const files = [
    await quarteredPicture().toColourspace('cmyk').jpeg().toBuffer(),
    await quarteredPicture().toColourspace('rgb16').png().toBuffer(),
    await quarteredPicture().greyscale().jpeg().toBuffer(),
  ]
  assert.is((await sharp(files[0]!).metadata()).space, 'cmyk')
  assert.is((await sharp(files[1]!).metadata()).depth, 'ushort')
  for (const file of files) {
    const made = await sharp((await preparePhoto(file)).data).metadata()
    assert.equal([made.space, made.channels, made.depth], ['srgb', 3, 'uchar'])
  }
})

taken('small photos stay small, one pixel included', async () => {
  const { width, height } = await preparePhoto(await quarteredPicture(300, 200).png().toBuffer())
  assert.equal([width, height], [300, 200])
  const dot = await preparePhoto(makePng(1, 1))
  assert.equal([dot.width, dot.height], [1, 1])
})

taken('a strip of 10000 x 20 keeps a row of pixels', async () => {
  const { width, height } = await preparePhoto(makePng(10_000, 20))
  assert.equal([width, height], [800, 2])
})

taken('twelve photos at once are accepted', async () => {
  const file = await quarteredPicture(1200, 900).jpeg().toBuffer()
  const photos = await Promise.all(Array.from({ length: 12 }, () => preparePhoto(file)))
  assert.ok(photos.every(({ width }) => width === 800))
})

const sample = join(import.meta.dirname, '../../../../shared/photos/samoyedo.jpg')
if (existsSync(sample))
  taken('a camera’s photo is accepted', async () => {
    const { data, width, height } = await preparePhoto(readFileSync(sample))
    assert.equal([width, height], [800, 628])
    assert.ok(data.length <= 200_000)
  })

const refused = suite('unit/photos/ingest: refused photos')

refused('text named .jpg, an empty file and an executable are refused', async () => {
  for (const text of ['esto no es una foto, aunque se llame foto.jpg', '', '\x7fELF and so on and so forth', 'GIF'])
    assert.is(await refusal(Buffer.from(text, 'latin1')), UNREADABLE)
})

refused('an SVG is refused, with or without script, whatever its beginning', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  for (const start of ['', '<?xml version="1.0"?>', '\ufeff', '  \n'])
    assert.is(await refusal(Buffer.from(start + svg)), UNREADABLE)
})

refused('other formats known to the decoder are refused: TIFF, PDF, BMP', async () => {
  assert.is(await refusal(await quarteredPicture().tiff().toBuffer()), UNREADABLE)
  assert.is(await refusal(Buffer.from('%PDF-1.7 something to fill the header')), UNREADABLE)
  assert.is(await refusal(Buffer.from('BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00', 'latin1')), UNREADABLE)
})

refused('HEIC is refused with advice', async () => {
  for (const brand of ['heic', 'heix', 'mif1'])
    assert.is(await refusal(Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`, 'latin1')), HEIC)
})

refused('truncated files of every format are refused', async () => {
  const photo = quarteredPicture(400, 300).blur(3)
  for (const format of ['jpeg', 'png', 'webp', 'avif', 'gif'] as const) {
    const whole = await photo.clone().toFormat(format).toBuffer()
    assert.is(await refusal(whole.subarray(0, Math.floor(whole.length * 0.6))), DAMAGED, format)
    assert.is(await refusal(whole.subarray(0, 24)), DAMAGED, format)
  }
})

refused('an animated AVIF is refused with its defect', async () => {
  const animated = animatedAvif()
  assert.is(await refusal(withoutFirstPicture(animated)), ANIMATED)
  for (const length of [200, 700, 1500, 1850]) assert.is(await refusal(animated.subarray(0, length)), DAMAGED)
})

refused('a JPEG of more scans than any encoder makes is refused, however small', async () => {
  const photo = await sharp(await phonePhoto(900, 700))
    .jpeg({ progressive: true })
    .toBuffer()
  assert.is((await preparePhoto(photo)).width, 800)
  const sentence = 'La foto es demasiado grande para su formato. Guárdala como JPEG normal y vuelve a subirla.'
  for (const [times, side] of [
    [100, 300],
    [4000, 300],
    [400, 3000],
  ] as const)
    assert.is(await refusal(await jpegWithScans(times, side)), sentence)
})

refused('200 megapixels are refused by the header alone', async () => {
  const file = makePng(20_000, 10_000, 1)
  assert.ok(file.length < 1000)
  assert.is(await refusal(file), TOO_LARGE)
})

refused('a bomb of 100 actual megapixels in 100 kB is refused', async () => {
  const bomb = makePng(10_000, 10_000)
  assert.ok(bomb.length < 110_000)
  assert.is(await refusal(bomb), TOO_LARGE)
})

refused('a JPEG and a GIF whose headers claim more than they contain are refused', async () => {
  const jpeg = await quarteredPicture().jpeg().toBuffer()
  jpeg.set([0x4e, 0x20, 0x4e, 0x20], jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5)
  const gif = await quarteredPicture().gif().toBuffer()
  gif.set([0x4e, 0x20, 0x4e, 0x20], 6)
  gif.set([0x4e, 0x20, 0x4e, 0x20], gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0])) + 5)
  for (const file of [jpeg, gif]) assert.is(await refusal(file), TOO_LARGE)
})

refused('sizes that no decoder supports are refused', async () => {
  for (const [width, height] of [
    [2 ** 31 - 1, 2 ** 31 - 1],
    [0, 10],
    [2 ** 31, 1],
  ] as const)
    assert.match(await refusal(makePng(width, height, 0)), /^La foto es/)
})
