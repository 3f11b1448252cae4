import { existsSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Box, BOXES, photoSrc, photoSrcSet } from '#features/photos/photos.ts'
import { preparePhoto } from '#features/photos/photos.server.ts'
import { PhotosOfDog } from '#tests/support/photos/photos-of-dog.ts'
import { noisePhoto, photo } from '#tests/support/photos/sample-photos.ts'
import { answered, assert, startServer, suite } from '#tests/support/suites.ts'

// What visitors' GETs of pictures take of the disk and of the processor.

const renders = suite('api/photos/render-limits')

const MB = 1_000_000

renders('below the minimum visitors get every render of every picture, and no GET writes one', async () => {
  await using server = await startServer({ MIN_FREE_MB: '999999999' })
  const url = await (await PhotosOfDog.of(server)).store(await preparePhoto(await photo(90, 400, 300)))
  mkdirSync(join(server.dataDir, 'razas'))
  writeFileSync(join(server.dataDir, 'razas/beagle.jpg'), await photo(90, 400, 300))
  const pictures = (Object.keys(BOXES) as Box[]).flatMap((box) => [
    photoSrc(url, box),
    ...(photoSrcSet(url, box) ?? '').split(', ').flatMap((entry) => entry.split(' ')[0] || []),
  ])
  pictures.push(...['breed', 'thumb', 'small'].map((box) => `/retratos/foto/beagle?t=${box}`))
  for (const path of pictures)
    for (const accept of ['image/avif,image/webp', 'image/webp', '*/*']) {
      const { status, headers } = await fetch(server.url + path, { headers: { accept }, redirect: 'manual' })
      assert.is(status, 200, `${path} ${accept}`)
      assert.match(headers.get('cache-control')!, /immutable/)
    }
  assert.not(existsSync(join(server.dataDir, 'cache')))
})

renders('RENDER_CACHE_MB bounds what visitors’ GETs store', async () => {
  await using server = await startServer({ RENDER_CACHE_MB: '1', RENDERS_PER_MINUTE: '0' })
  const heavy = await preparePhoto(await noisePhoto(500, 400))
  const bytes = () =>
    globSync('cache/**/*.*', { cwd: server.dataDir })
      .map((path) => statSync(join(server.dataDir, path)))
      .reduce((sum, info) => sum + (info.isFile() ? info.size : 0), 0)
  const photos = await PhotosOfDog.of(server)
  for (let n = 0; n < 4; n++) {
    const url = await photos.store(heavy)
    for (const box of ['carousel', 'breed', 'default'] as const)
      for (const accept of ['image/webp', '*/*'])
        assert.is((await fetch(server.url + photoSrc(url, box), { headers: { accept } })).status, 200)
  }
  assert.ok(bytes() <= MB && bytes() > MB / 2, String(bytes()))
})

renders('a network has a quarter of its pages of renders a minute, and photos themselves beyond', async () => {
  await using server = await startServer({ TRUST_PROXY: '1', RENDERS_PER_MINUTE: '8' })
  const url = await (await PhotosOfDog.of(server)).store(await preparePhoto(await photo(90, 400, 300)))
  const typeOf = async (box: Box, network: string) => {
    const headers = { accept: 'image/webp', 'X-Forwarded-For': network }
    return (await answered(200, fetch(server.url + photoSrc(url, box), { headers }))).headers.get('content-type')
  }
  assert.is(await typeOf('card', '192.0.2.1'), 'image/webp')
  assert.is(await typeOf('thumb', '192.0.2.1'), 'image/webp')
  assert.is(await typeOf('carousel', '192.0.2.1'), 'image/jpeg')
  assert.is(await typeOf('carousel', '192.0.2.1:5000'), 'image/jpeg')
  assert.is(await typeOf('card', '192.0.2.1'), 'image/webp', 'what is stored')
  assert.is(await typeOf('carousel', '192.0.2.2'), 'image/webp')
  assert.is(await typeOf('carousel', '192.0.2.1'), 'image/webp', 'what another had made')
})
