import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type RawRequest, requestRaw } from '#tests/support/raw-request.ts'
import { root } from '#tests/support/sources.ts'
import { assert, contentOf, startServer, suite } from '#tests/support/suites.ts'

const client = join(root, 'dist/client')
const server = await startServer()

const ask = (...what: RawRequest) => requestRaw(server, ...what)

const all = readdirSync(client, { recursive: true }).map((name) => `/${name}`)
const script = all.find((path) => /^\/_astro\/client\..*\.js$/.test(path))!
const font = all.find((path) => path.endsWith('.woff2'))!
const largest = all.find((path) => /^\/_astro\/heic-to.*\.js$/.test(path))!
const page = '/terminos'

const files = suite('api/server/static-files')

files('files are served in the best accepted encoding, each with its own ETag', async () => {
  const whole = readFileSync(join(client, script))
  const tags = new Set<string>()
  for (const [accept, encoding, decode] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['br;q=0', undefined, (body: Buffer) => body],
    ['brrr, ;;;, gzip;q=tres', undefined, (body: Buffer) => body],
    ['', undefined, (body: Buffer) => body],
  ] as const) {
    const { status, headers, body } = await ask(script, { 'accept-encoding': accept })
    assert.equal([status, headers['content-encoding'], headers.vary], [200, encoding, 'Accept-Encoding'], accept)
    assert.is(headers['content-length'], String(body.length))
    assert.equal(decode(body), whole, accept)
    tags.add(headers.etag!)
    assert.is((await ask(script, { 'accept-encoding': accept, 'if-none-match': headers.etag! })).status, 304)
  }
  assert.is(tags.size, 3)
})

files('files of compressed formats have no encoded copies', async () => {
  const { headers, body } = await ask(font, { 'accept-encoding': 'br' })
  assert.equal(
    [headers['content-type'], headers['content-encoding'], headers.vary],
    ['font/woff2', undefined, undefined],
  )
  assert.equal(body, readFileSync(join(client, font)))
  assert.is((await ask(`${script}.br`)).status, 404, 'a copy has no address of its own')
})

files('hashed files are immutable, data files are cached for an hour, others are revalidated', async () => {
  const kept = async (path: string) => (await ask(path)).headers['cache-control']
  assert.is(await kept(script), 'public, max-age=31536000, immutable')
  for (const path of ['/mapa/provincias.json', '/mapa/municipios/28.json', '/retratos/beagle.svg'])
    assert.is(await kept(path), 'public, max-age=3600, stale-while-revalidate=604800', path)
  assert.is(await kept('/placeholder.svg'), 'public, max-age=0, must-revalidate')
  assert.is(await kept(page), 'public, max-age=0, must-revalidate')
  assert.is(await kept('/sw.js'), 'no-cache')
})

files('a prerendered page is served at its address, encoded and public', async () => {
  for (const path of [page, `${page}/`, `${page}?utm_source=x`]) {
    const { status, headers, body } = await ask(path, { 'accept-encoding': 'br' })
    assert.equal(
      [status, headers['content-type'], headers['content-encoding']],
      [200, 'text/html; charset=utf-8', 'br'],
    )
    assert.is(headers['perrario-session'], 'any')
    assert.match(String(brotliDecompressSync(body)), '<h1')
  }
})

files('the worker is encoded and revalidated too', async () => {
  const { headers, body } = await ask('/sw.js', { 'accept-encoding': 'br' })
  assert.equal(brotliDecompressSync(body), readFileSync(join(client, 'sw.js')))
  assert.is(headers['service-worker-allowed'], '/')
  assert.is((await ask('/sw.js', { 'accept-encoding': 'br', 'if-none-match': headers.etag! })).status, 304)
})

files('one range is served, of the encoding that the client has', async () => {
  const { headers, body } = await ask(script, { 'accept-encoding': 'br' })
  const part = await ask(script, { 'accept-encoding': 'br', range: 'bytes=100-', 'if-range': headers.etag! })
  assert.equal([part.status, part.headers['content-range']], [206, `bytes 100-${body.length - 1}/${body.length}`])
  assert.equal(Buffer.concat([body.subarray(0, 100), part.body]), body)
  const other = await ask(script, { range: 'bytes=100-', 'if-range': headers.etag! })
  assert.equal(contentOf(other), [200, readFileSync(join(client, script))])
})

files('no range crashes the server or costs more than the file', async () => {
  const size = readFileSync(join(client, 'placeholder.svg')).length
  const overlapping = `bytes=${Array.from({ length: 1000 }, () => '0-').join(',')}`
  const asked: [string, number, number][] = [
    ['bytes=5-2', 200, size],
    ['bytes=0-99999999999999999999', 206, size],
    ['bytes=0-0', 206, 1],
    ['bytes=-3', 206, 3],
    ['bytes=-0', 416, 0],
    [`bytes=${'9'.repeat(3000)}-`, 416, 0],
    ['bytes=0-0,1-1', 200, size],
    [overlapping, 200, size],
    ['conejos=1-2', 200, size],
  ]
  for (const [range, status, length] of asked) {
    const answer = await ask('/placeholder.svg', { range })
    assert.equal([answer.status, answer.body.length], [status, length], range.slice(0, 40))
  }
})

files('serves no file outside the build', async () => {
  for (const path of [
    '/../package.json',
    '/%2e%2e/package.json',
    '/_astro/../files.json',
    '/_astro/%00',
    '/_astro/%ff',
    '/files.json',
    '/_astro/',
  ])
    assert.is((await ask(path)).status, /\/(?:\.\.|%2e%2e)\//.test(path) ? 400 : 404, path)
})

files('readers that stop reading leave no open file and delay nobody', async () => {
  const openFiles = () => {
    const folder = `/proc/${server.pid()}/fd`
    return existsSync(folder) ? readdirSync(folder).length : 0
  }
  await ask(largest)
  const before = openFiles()
  const sockets = Array.from({ length: 200 }, () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => {}).pause()
    socket.write(`GET ${largest} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return socket
  })
  await Promise.all(sockets.map((socket) => new Promise((done) => socket.once('readable', done))))
  assert.is((await ask(script)).status, 200)
  if (before) assert.ok(openFiles() - before <= sockets.length, 'no more than their sockets')
  for (const socket of sockets) socket.destroy()
  const end = Date.now() + 10_000
  while (openFiles() > before + 5 && Date.now() < end) await new Promise((done) => setTimeout(done, 20))
  assert.ok(openFiles() <= before + 5, `${openFiles()} files are open, ${before} before`)
})

files('pipelined requests are answered in order', async () => {
  const paths = [script, '/', '/healthz', '/placeholder.svg', '/perros', '/nada.js', largest]
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(paths.map((path) => `HEAD ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  let seen = ''
  const statuses = () => [...seen.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
  const whole = new Promise<void>((done) =>
    socket.on('data', (chunk) => {
      seen += chunk
      if (statuses().length === paths.length && seen.endsWith('\r\n\r\n')) done()
    }),
  )
  await whole
  assert.equal(statuses(), [200, 200, 200, 200, 200, 404, 200])
  socket.destroy()
})

files.after(() => server.dispose())
