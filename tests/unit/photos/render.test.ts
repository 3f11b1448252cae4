import { existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { preparePhoto } from '#features/photos/photos.server.ts'
import { type Render, renderPhoto } from '#features/photos/render/render.server.ts'
import { allowWriting, canForbidWriting, forbidWriting } from '#tests/support/faults/test-disk.ts'
import { PhotosOfDog } from '#tests/support/photos/photos-of-dog.ts'
import { quarteredPicture } from '#tests/support/photos/test-pictures.ts'
import { assert, captureConsole, folderSuite } from '#tests/support/suites.ts'

const CARD: Render = { box: 'card', scale: 1 }

const renders = folderSuite<{ photos: PhotosOfDog; url: string; name: string; cache: string }>('unit/photos/render')
renders.before.each(async (t) => {
  const photo = await preparePhoto(await quarteredPicture(800, 600).jpeg().toBuffer())
  t.photos = await PhotosOfDog.open(t.dir)
  t.url = await t.photos.store(photo)
  t.name = t.url.slice('/photos/'.length)
  t.cache = join(t.dir, 'cache', 'photos', t.name)
})
renders.after.each((t) => t.photos.close())

async function sizeOf(picture: Buffer | null): Promise<unknown[]> {
  const { format, width, height, compression } = await sharp(picture!).metadata()
  return [compression ?? format, width, height]
}

renders(
  'fills square boxes with the middle and shows the carousel uncropped, never enlarged',
  async ({ dir, name }) => {
    const made = async (render: Render) => (await sizeOf(await renderPhoto(dir, name, render, 'webp'))).slice(1)
    assert.equal(await made(CARD), [300, 300])
    assert.equal(await made({ box: 'card', scale: 2 }), [600, 600])
    assert.equal(await made({ box: 'carousel', scale: 1 }), [800, 600])
    assert.equal(await made({ box: 'carousel', scale: 2 }), [800, 600])
    assert.equal(await made({ box: 'breed', scale: 1 }), [700, 600])
    assert.equal(await made({ box: 'default', scale: 1 }), [500, 600])
    assert.equal(await made({ box: 'blur', scale: 1 }), [24, 24])
  },
)

renders('renders the three formats', async ({ dir, name }) => {
  assert.equal(await sizeOf(await renderPhoto(dir, name, CARD, 'avif')), ['av1', 300, 300])
  assert.equal(await sizeOf(await renderPhoto(dir, name, CARD, 'webp')), ['webp', 300, 300])
  assert.equal(await sizeOf(await renderPhoto(dir, name, CARD, 'jpeg')), ['jpeg', 300, 300])
  assert.equal(readdirSync(join(dir, 'cache/photos', name)).toSorted(), [
    'card@1x.avif',
    'card@1x.jpeg',
    'card@1x.webp',
  ])
})

renders('renders a picture once for simultaneous requests', async ({ dir, name }) => {
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => renderPhoto(dir, name, CARD, 'webp')))
  assert.ok(first)
  // The very same buffer: nobody drew or read another.
  assert.ok(others.every((other) => other === first))
})

renders('stores it on disk and does not render it again', async ({ dir, name, cache }) => {
  const first = (await renderPhoto(dir, name, CARD, 'webp'))!
  const file = join(cache, 'card@1x.webp')
  const { ino } = statSync(file)
  assert.equal(await renderPhoto(dir, name, CARD, 'webp'), first)
  assert.is(statSync(file).ino, ino, 'the same file')
  writeFileSync(file, '')
  assert.equal(await renderPhoto(dir, name, CARD, 'webp'), first, 'an empty file is made again')
  writeFileSync(file, first.subarray(0, 500))
  assert.equal(await renderPhoto(dir, name, CARD, 'webp'), first, 'and one that was cut short')
  const kept = await sharp(first).negate().webp().toBuffer()
  writeFileSync(file, kept)
  assert.equal(await renderPhoto(dir, name, CARD, 'webp'), kept, 'a whole one is sent as it is')
  assert.equal(readdirSync(cache), ['card@1x.webp'])
})

renders('returns null for a missing or broken photo, and stores nothing', async ({ dir, url, name, cache }) => {
  using errors = captureConsole()
  truncateSync(join(dir, url), 2000)
  assert.equal([await renderPhoto(dir, name, CARD, 'webp'), errors.length], [null, 1])
  assert.match(errors[0]!, `perrario · la foto ${name} no se puede preparar:`)
  rmSync(join(dir, url))
  assert.is(await renderPhoto(dir, name, CARD, 'webp'), null)
  assert.not(existsSync(cache))
})

renders('a photo deleted while it is rendered leaves nothing behind', async ({ dir, photos, url, name, cache }) => {
  const drawing = renderPhoto(dir, name, { box: 'carousel', scale: 1 }, 'avif')
  // The source has been read by now and its picture takes several times as long.
  await new Promise((done) => setTimeout(done, 10))
  await photos.remove(url)
  await drawing
  assert.not(existsSync(cache))
})

renders('still answers when the cache is not writable', async ({ dir, name }) => {
  using _ = captureConsole()
  writeFileSync(join(dir, 'cache'), 'a file where the folder should be')
  assert.equal(await sizeOf(await renderPhoto(dir, name, CARD, 'jpeg')), ['jpeg', 300, 300])
})

renders('renders that cannot be stored are served, with one log line each', async ({ dir, name, cache }) => {
  // A limit of this process stands for the disk: EFBIG.
  if (!canForbidWriting) return
  using logged = captureConsole()
  forbidWriting(process.pid)
  try {
    assert.ok(await renderPhoto(dir, name, CARD, 'webp'))
    allowWriting(process.pid)
    assert.is(logged.length, 1)
    assert.match(logged[0]!, /^perrario · una foto reducida no se pudo guardar: Error: EFBIG/)
    assert.not.ok(existsSync(join(cache, 'card@1x.webp')))
  } finally {
    allowWriting(process.pid)
  }
})
