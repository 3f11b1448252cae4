import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { photoName } from '#features/photos/photos.ts'
import { type PreparedPhoto, removePhotos, storePhoto } from '#features/photos/photos.server.ts'
import { assert, folderSuite } from '#tests/support/suites.ts'

const DOG = '3b241101-e2bb-4255-8caf-4136c566a962'
const photo: PreparedPhoto = { data: Buffer.from('bytes'), width: 800, height: 600, ext: 'jpg', blur: 'colores' }

const store = folderSuite('unit/photos/store')

store('names the file after dog, time and a random part, and leaves no other file', async ({ dir }) => {
  const stored = await storePhoto(dir, DOG, photo)
  assert.match(stored.url, new RegExp(`^/photos/${DOG}_\\d{13}_[0-9a-z]{8}\\.jpg$`))
  assert.equal([stored.width, stored.height, stored.blur], [800, 600, 'colores'])
  assert.equal(
    readdirSync(join(dir, 'photos')).map((name) => `/photos/${name}`),
    [stored.url],
  )
  assert.is(readFileSync(join(dir, stored.url), 'utf8'), 'bytes')
})

store('stores photos also where the clock is at 1970', async ({ dir }) => {
  const { now } = Date
  Date.now = () => 61_000
  try {
    const { url } = await storePhoto(dir, DOG, photo)
    assert.match(url, /_0000000061000_/)
    assert.is(photoName(url), url.slice('/photos/'.length))
  } finally {
    Date.now = now
  }
})

store('gives two photos of one moment two names', async ({ dir }) => {
  const [a, b] = await Promise.all([storePhoto(dir, DOG, photo), storePhoto(dir, DOG, photo)])
  assert.is.not(a.url, b.url)
})

store('accepts only a UUID for a dog, so that no id changes the path', async ({ dir }) => {
  const refused = storePhoto(dir, '../../etc/passwd', photo)
  assert.match(String(await refused.catch((error) => error)), "Not a dog's id")
  assert.equal(readdirSync(dir), [])
})

store('deletes a photo with its renders, and no other file', async ({ dir }) => {
  const { url } = await storePhoto(dir, DOG, photo)
  const renders = join(dir, 'cache', url)
  mkdirSync(renders, { recursive: true })
  writeFileSync(join(renders, 'card.webp'), 'render')
  writeFileSync(join(dir, 'perrario.db'), 'database')
  const urls = [url, url, '/retratos/beagle.svg', '/photos/../perrario.db', '/photos/', '']
  await removePhotos(dir, { dogId: DOG, urls })
  assert.not(existsSync(join(dir, url)))
  assert.not(existsSync(renders))
  assert.ok(existsSync(join(dir, 'perrario.db')))
})

store('deletes half-written files that a crash left, but none that is being written', async ({ dir }) => {
  mkdirSync(join(dir, 'photos'))
  const [old, young] = ['old.jpg.0a.part', 'young.jpg.0b.part'].map((name) => join(dir, 'photos', name))
  for (const file of [old!, young!]) writeFileSync(file, 'half')
  utimesSync(old!, new Date(0), new Date(0))
  await storePhoto(dir, DOG, photo)
  assert.not(existsSync(old!))
  assert.ok(existsSync(young!))
})
