import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { preparePhoto } from '#features/photos/photos.server.ts'
import { type RawRequest, requestRaw } from '#tests/support/raw-request.ts'
import { PhotosOfDog } from '#tests/support/photos/photos-of-dog.ts'
import { quarteredPicture } from '#tests/support/photos/test-pictures.ts'
import { root } from '#tests/support/sources.ts'
import { assert, contentOf, startServer, suite } from '#tests/support/suites.ts'

const server = await startServer()
const photo = await preparePhoto(await quarteredPicture(800, 600).jpeg().toBuffer())
const ofDog = await PhotosOfDog.of(server)
const newPhoto = () => ofDog.store(photo)
const url = await newPhoto()
const card = `/_ipx/s_300x300,q_95,f_auto${url}`

const ask = (...what: RawRequest) => requestRaw(server, ...what)

const CHROME = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

const photos = suite('api/photos/delivery')

photos('serves the addresses that unpic writes, in the best accepted format', async () => {
  const formats = [
    [CHROME, 'image/avif'],
    ['image/webp,*/*', 'image/webp'],
    ['image/avif;q=0, image/webp;q=0.5', 'image/webp'],
    ['*/*', 'image/jpeg'],
    ['', 'image/jpeg'],
  ] as const
  for (const [accept, type] of formats) {
    const { status, headers, body } = await ask(card, { accept })
    assert.equal([status, headers['content-type'], headers.vary], [200, type, 'Accept'], accept)
    const { width, height, format } = await sharp(body).metadata()
    assert.equal([width, height], [300, 300])
    assert.is(`image/${format === 'heif' ? 'avif' : format}`, type)
  }
})

photos('a render is cacheable for ever by everybody, without a cookie', async () => {
  const { headers, body } = await ask(card, { accept: CHROME, cookie: 'perrario=stale' })
  assert.is(headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.is(headers['x-content-type-options'], 'nosniff')
  assert.is(headers['content-length'], String(body.length))
  assert.is(headers['set-cookie'], undefined)
  assert.is((await ask(card, { accept: 'image/webp' })).headers.etag === headers.etag, false)
})

photos('answers 304 to a matching ETag', async () => {
  const { headers } = await ask(card, { accept: CHROME })
  for (const tag of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
    const again = await ask(card, { accept: CHROME, 'if-none-match': tag })
    assert.equal([again.status, again.body.length, again.headers.etag], [304, 0, headers.etag])
  }
  assert.is((await ask(card, { accept: CHROME, 'if-none-match': '"other"' })).status, 200)
})

photos('HEAD has the same headers without a body', async () => {
  const { headers, body } = await ask(card, { accept: CHROME })
  const head = await ask(card, { accept: CHROME }, 'HEAD')
  assert.equal([head.status, head.body.length], [200, 0])
  assert.is(head.headers['content-length'], String(body.length))
  assert.is(head.headers.etag, headers.etag)
})

photos('serves every box of the specification at 1x and 2x', async () => {
  const boxes = [
    [300, 300, 95],
    [120, 120, 90],
    [900, 900, 85],
    [700, 700, 90],
    [100, 100, 80],
    [250, 250, 85],
    [500, 600, 90],
    [24, 24, 50],
  ] as const
  for (const [width, height, quality] of boxes)
    for (const scale of [1, 2]) {
      const size = `s_${width * scale}x${height * scale},q_${quality}`
      assert.is((await ask(`/_ipx/${size},f_auto${url}`, { accept: 'image/webp' })).status, 200, size)
    }
})

photos('the order of the parts and the default format do not matter', async () => {
  assert.is((await ask(`/_ipx/q_95,s_300x300${url}`)).status, 200)
  assert.is((await ask(`/_ipx/f_auto,q_95,s_300x300${url}`)).status, 200)
})

photos('renders no other size or format', async () => {
  const others = [
    's_301x301,q_95,f_auto',
    's_300x300,q_94,f_auto',
    's_900x900,q_95',
    's_300x300',
    'w_300,h_300,q_95',
    's_300x300,q_95,f_svg',
    's_300x300,q_95,b_red',
    's_300x300,q_95,s_300x300',
    's_99999x99999,q_100',
    '_',
    '',
  ]
  for (const other of others) {
    const { status, headers, body } = await ask(`/_ipx/${other}${url}`)
    assert.equal([status, body.length, headers['cache-control']], [404, 0, 'no-store'], other)
  }
})

photos('serves no file but photos', async () => {
  writeFileSync(join(server.dataDir, 'photos', 'secret.txt'), 'secret')
  const name = url.slice('/photos/'.length)
  const paths = [
    '/_ipx/s_300x300,q_95,f_auto/photos/secret.txt',
    '/_ipx/s_300x300,q_95,f_auto/perrario.db',
    '/_ipx/s_300x300,q_95,f_auto/https://example.org/dog.jpg',
    `/_ipx/s_300x300,q_95,f_auto//photos/${name}`,
    '/photos/..%2fperrario.db',
    '/_ipx/s_300x300,q_95,f_auto/photos/..%2fperrario.db',
    '/photos/secret.txt',
    '/photos/',
    `/photos/${name}%00`,
  ]
  for (const path of paths) {
    const { status, body } = await ask(path)
    assert.equal([status, body.length], [404, 0], path)
  }
  for (const path of [
    '/photos/../perrario.db',
    ...['../perrario.db', '%2e%2e/perrario.db', `..\\${name}`].map(
      (escape) => `/_ipx/s_300x300,q_95,f_auto/photos/${escape}`,
    ),
  ]) {
    const { status, body } = await ask(path)
    assert.equal([status, JSON.parse(body.toString()).detail], [400, 'La dirección no es válida.'], path)
  }
})

photos('serves the stored photo itself, complete and cacheable for ever', async () => {
  const { status, headers, body } = await ask(url)
  assert.equal(
    [status, headers['content-type'], headers['cache-control']],
    [200, 'image/jpeg', 'public, max-age=31536000, immutable'],
  )
  assert.equal(body, photo.data)
  assert.is((await ask(url, { 'if-none-match': headers.etag! })).status, 304)
})

photos('renders a picture once, however many request it', async () => {
  const fresh = await newPhoto()
  const path = `/_ipx/s_600x600,q_95,f_auto${fresh}`
  const answers = await Promise.all(Array.from({ length: 24 }, () => ask(path, { accept: CHROME })))
  assert.ok(answers.every(({ status, body }) => status === 200 && body.equals(answers[0]!.body)))
  assert.equal(readdirSync(join(server.dataDir, 'cache', fresh)), ['card@2x.avif'])
})

photos('serves one range of a render or of the photo', async () => {
  for (const path of [card, url]) {
    const whole = await ask(path, { accept: CHROME })
    const { length } = whole.body
    const first = await ask(path, { accept: CHROME, range: 'bytes=0-99' })
    const rest = await ask(path, { accept: CHROME, range: 'bytes=100-', 'if-range': whole.headers.etag! })
    assert.equal([first.status, rest.status], [206, 206])
    assert.equal(
      [first.headers['content-range'], rest.headers['content-range']],
      [`bytes 0-99/${length}`, `bytes 100-${length - 1}/${length}`],
    )
    assert.equal(Buffer.concat([first.body, rest.body]), whole.body)
    assert.is(rest.headers['cache-control'], whole.headers['cache-control'])
    assert.equal(contentOf(await ask(path, { accept: CHROME, range: 'bytes=-10' })), [206, whole.body.subarray(-10)])
    const changed = await ask(path, { accept: CHROME, range: 'bytes=100-', 'if-range': '"other"' })
    assert.equal([changed.status, changed.body.length], [200, length])
  }
})

photos('no range costs more than the whole picture', async () => {
  const { length } = (await ask(card, { accept: CHROME })).body
  const many = `bytes=${Array.from({ length: 1000 }, (_, i) => `${i}-${i}`).join(',')}`
  const overlapping = `bytes=${Array.from({ length: 1000 }, () => '0-').join(',')}`
  for (const range of [many, overlapping, 'bytes=5-2', 'bytes=', 'bytes=a-b', 'perros=0-1', 'bytes=0-0,-1']) {
    const { status, body } = await ask(card, { accept: CHROME, range })
    assert.equal([status, body.length], [200, length], range.slice(0, 30))
  }
  for (const range of ['bytes=-0', `bytes=${length}-`, `bytes=${'9'.repeat(4000)}-`]) {
    const { status, headers, body } = await ask(card, { accept: CHROME, range })
    assert.equal([status, body.length, headers['cache-control']], [416, 0, 'no-store'], range.slice(0, 30))
    assert.is(headers['content-range'], `bytes */${length}`)
  }
  const huge = await ask(card, { accept: CHROME, range: `bytes=0-${'9'.repeat(4000)}` })
  assert.equal([huge.status, huge.body.length], [206, length])
})

photos('renders an uploaded photo for lists before the first request', async () => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ name: 'Toby', breed: 'Beagle', relationship: 'owner' }))
    form.set(name, value)
  form.append('images', new Blob([new Uint8Array(photo.data)], { type: 'image/jpeg' }), 'toby.jpg')
  const response = await fetch(`${server.url}/api/dogs`, {
    method: 'POST',
    body: form,
    headers: { origin: server.url },
  })
  assert.is(response.status, 201)
  const { dog } = (await response.json()) as { dog: { photo_url: string } }
  const folder = join(server.dataDir, 'cache', dog.photo_url)
  const wanted = ['card@1x.avif', 'card@1x.webp', 'card@2x.avif', 'card@2x.webp', 'carousel@1x.avif']
  const made = () => (existsSync(folder) ? readdirSync(folder).toSorted() : [])
  const end = Date.now() + 20_000
  while (made().join() !== wanted.join() && Date.now() < end) await new Promise((done) => setTimeout(done, 20))
  assert.equal(made(), wanted)
})

photos('renders one response for a connection that does not read, however many it pipelines', async () => {
  const assets = join(root, 'dist/client/_astro')
  const [largest] = readdirSync(assets).filter((name) => /^heic-to.*\.js$/.test(name))
  const [first, second] = [await newPhoto(), await newPhoto()]
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const render = (of: string) => get(`/_ipx/s_300x300,q_95,f_auto${of}`)
  const isMade = (of: string) => existsSync(join(server.dataDir, 'cache', of))
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {}).pause()
  // 30 MB: more than the connection holds.
  socket.write(render(first) + get(`/_astro/${largest}`).repeat(10) + render(second))
  const end = Date.now() + 20_000
  while (!isMade(first) && Date.now() < end) await new Promise((done) => setTimeout(done, 20))
  assert.ok(isMade(first))
  // Others are served meanwhile, and what was asked for behind the files is not begun.
  for (let i = 0; i < 20; i++) assert.is((await ask(card, { accept: CHROME })).status, 200)
  assert.not(isMade(second))
  // It is once they are read.
  socket.resume()
  while (!isMade(second) && Date.now() < end) await new Promise((done) => setTimeout(done, 20))
  assert.ok(isMade(second))
  socket.destroy()
})

photos('a deleted photo is gone with its renders', async () => {
  const fresh = await newPhoto()
  const path = `/_ipx/s_300x300,q_95,f_auto${fresh}`
  assert.is((await ask(path)).status, 200)
  await ofDog.remove(fresh)
  assert.is((await ask(path)).status, 404)
  assert.is((await ask(fresh)).status, 404)
  assert.not(readdirSync(join(server.dataDir, 'cache/photos')).some((name) => fresh.endsWith(name)))
})

photos('a photo broken on disk is a 404, and the server keeps running', async () => {
  const fresh = await newPhoto()
  writeFileSync(join(server.dataDir, fresh), photo.data.subarray(0, 3000))
  assert.is((await ask(`/_ipx/s_300x300,q_95,f_auto${fresh}`)).status, 404)
  assert.is((await ask(card)).status, 200)
})

photos('the cache may be deleted under the running server', async () => {
  const before = await ask(card, { accept: CHROME })
  rmSync(join(server.dataDir, 'cache'), { recursive: true })
  const after = await ask(card, { accept: CHROME })
  assert.equal([after.status, after.headers.etag], [200, before.headers.etag])
})

photos('refuses other methods', async () => {
  assert.is((await ask(card, { origin: server.url }, 'POST')).status, 405)
})

photos('the placeholder exists', async () => {
  const { status, headers } = await ask('/placeholder.svg')
  assert.equal([status, headers['content-type']], [200, 'image/svg+xml'])
})

photos.after(() => server.dispose())
