import { mkdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { blurs as topic } from '#features/dogs/backfills.server.ts'
import { getDog } from '#features/dogs/dog.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { enqueue } from '#features/outbox/jobs.server.ts'
import { startOutbox } from '#features/outbox/outbox.server.ts'
import { computeBlur } from '#features/photos/blur.server.ts'
import { BLUR_SIDE, blurSrc } from '#features/photos/blur.ts'
import { preparePhoto } from '#features/photos/photos.server.ts'
import { fillAll } from '#tests/support/jobs.ts'
import { quarteredPicture } from '#tests/support/photos/test-pictures.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { assert, dataSuite, type Db, dog, member, onlyOnSqlite, seed, suite } from '#tests/support/suites.ts'

/** The colours of a blur as a browser reads its BMP, rows from above, `rgb` of five bits each in base 32. */
function coloursOf(blur: string): string[][] {
  const file = Buffer.from(blurSrc(blur).replace('data:image/bmp;base64,', ''), 'base64')
  assert.equal([file.toString('latin1', 0, 2), file.readUInt32LE(2), file.length], ['BM', 86, 86])
  const [start, width, height, bits] = [10, 18, 22].map((at) => file.readUInt32LE(at)).concat(file.readUInt16LE(28))
  assert.equal([start, width, height, bits], [54, BLUR_SIDE, BLUR_SIDE, 16])
  const row = (y: number) =>
    Array.from({ length: 4 }, (_, x) => {
      const pixel = file.readUInt16LE(54 + (3 - y) * 8 + x * 2)
      return [10, 5, 0].map((shift) => ((pixel >> shift) & 31).toString(32)).join('')
    })
  return [0, 1, 2, 3].map(row)
}

/** Red and green above, blue and white below, of the size given. */
const corners = (width: number, height: number) => {
  const quarter = (colour: string, left: number, top: number) => ({
    input: { create: { width: width / 2, height: height / 2, channels: 3 as const, background: colour } },
    left,
    top,
  })
  const [x, y] = [width / 2, height / 2]
  return sharp({ create: { width, height, channels: 3, background: '#000' } }).composite([
    quarter('#f00', 0, 0),
    quarter('#0f0', x, 0),
    quarter('#00f', 0, y),
    quarter('#fff', x, y),
  ])
}

const colours = suite('unit/photos/blurs: colours')

colours('a placeholder has sixteen colours of its middle, in 43 characters', async () => {
  const blur = await computeBlur(sharp(await corners(400, 400).png().toBuffer()))
  assert.match(blur, /^[A-Za-z0-9+/]{43}$/)
  const [first, , , last] = coloursOf(blur)
  assert.equal([first![0], first![3], last![0], last![3]], ['v00', '0v0', '00v', 'vvv'])
})

colours('an upload stores its colours: upright, and of the visible part of a transparent picture', async () => {
  const turned = await corners(400, 400).jpeg({ quality: 100 }).withMetadata({ orientation: 6 }).toBuffer()
  // Turned by a quarter to the right: what was below on the left is now above on the left.
  const [first, , , last] = coloursOf((await preparePhoto(turned)).blur)
  const strong = (colour: string) => [...colour].map((digit) => (parseInt(digit, 32) > 15 ? 1 : 0)).join('')
  assert.equal(
    [first![0], first![3], last![0], last![3]].map((c) => strong(c!)),
    ['001', '100', '111', '010'],
  )
  const clear = sharp({ create: { width: 50, height: 50, channels: 4, background: '#0000' } })
  assert.equal(new Set(coloursOf((await preparePhoto(await clear.png().toBuffer())).blur).flat()), new Set(['vvv']))
  const grey = await sharp({ create: { width: 9, height: 90, channels: 3, background: '#808080' } })
    .toColourspace('b-w')
    .png()
    .toBuffer()
  assert.equal(new Set(coloursOf((await preparePhoto(grey)).blur).flat()), new Set(['ggg']))
})

const stored = dataSuite('unit/photos/blurs: database', { ana: member(), toby: dog({ photos: 3 }) }, async ({ dir }) =>
  mkdirSync(join(dir, 'photos')),
)

const blurs = async (db: Db) =>
  (await db.selectFrom('dog_images').select('blur').orderBy('order').execute()).map(({ blur }) => blur)

stored('a dog shows its cover’s colours, and a moved photo keeps its own', async ({ db, dir, ana, toby }) => {
  const before = await blurs(db)
  assert.is(toby.blur, before[0])
  const [first, second, third] = toby.images.map(({ url }) => url)
  const { dog } = await replaceGallery(db, dir, ana as never, toby.id, [
    third!,
    first!,
    await quarteredPicture().jpeg().toBuffer(),
  ])
  assert.is(dog.blur, before[2])
  const after = await blurs(db)
  assert.equal(after.slice(0, 2), [before[2], before[0]])
  assert.match(after[2]!, /^[A-Za-z0-9+/]{43}$/)
  assert.ok(second)
})

stored('earlier photos receive theirs, a lost or broken one none, and all once', async ({ db, dir, toby }) => {
  const files = toby.images.map(({ url }) => join(dir, url))
  await corners(800, 600).jpeg().toFile(files[0]!)
  await corners(800, 600).jpeg().toFile(files[1]!)
  truncateSync(files[1]!, 2000)
  await db.updateTable('dog_images_all').set({ blur: null }).execute()
  assert.is((await getDog(db, toby.id)).blur, null)
  await fillAll(db, topic(dir))
  const [first, ...others] = await blurs(db)
  assert.match(first!, /^[A-Za-z0-9+/]{43}$/)
  assert.equal(others, ['', ''])
  assert.is((await getDog(db, toby.id)).blur, first)
  // Nothing is left to be looked at: the lost one comes back, and stays as it is.
  await corners(800, 600).jpeg().toFile(files[2]!)
  await fillAll(db, topic(dir))
  assert.equal(await blurs(db), [first, '', ''])
})

onlyOnSqlite(stored)(
  'the backfill reads more photos than a batch, by an index, and never decodes for a drawing',
  async ({ db, dir }) => {
    await seed(db, ...Array.from({ length: 15 }, () => dog({ photos: 3 })))
    await db.updateTable('dog_images_all').set({ blur: null }).execute()
    await db
      .updateTable('dog_images_all')
      .set({ url: '/retratos/beagle.svg' })
      .where('order', '=', 2)
      .limit(1)
      .execute()
    const plans = await explainQueries(db, (db) => fillAll(db, topic(dir)))
    assert.equal(findSlowSteps(plans), [])
    assert.ok(plans.some(({ steps }) => steps.some((step) => step.includes('dog_images_unblurred'))))
    assert.equal(new Set(await blurs(db)), new Set(['']))
  },
)

stored('the job waits, and ends when it is closed', async ({ db, dir }) => {
  await db.updateTable('dog_images_all').set({ blur: null }).execute()
  await enqueue(db, 'blurs', [{ key: 'all' }])
  await startOutbox(db, [topic(dir)]).close()
  assert.equal(await blurs(db), [null, null, null])
})
