import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { writeResponse } from 'astro/app/node'
import { withUnreadLimit } from '#server/connections/unread-answers.ts'
import { encodeCached, encodeResponse, negotiateEncoding } from '#server/encoding.ts'
import { assert, suite } from '#tests/support/suites.ts'

interface World {
  server: Server
  respond: () => Response
}
const encoding = suite<World>('unit/server/encoding')

encoding.before(async (t) => {
  const ServerResponse = withUnreadLimit({ unreadBytesPerSite: 0, trustProxy: false })
  t.server = createServer({ ServerResponse }, async (req, res) => {
    await writeResponse(await encodeResponse(req, t.respond()), res)
  }).listen(0, '127.0.0.1')
  await once(t.server, 'listening')
})
encoding.after(({ server }) => {
  server.closeAllConnections()
  server.close()
})

async function ask({ server }: World, accepted?: string, method = 'GET') {
  const { port } = server.address() as AddressInfo
  const headers = accepted === undefined ? {} : { 'Accept-Encoding': accepted }
  const [res] = (await once(get({ port, host: '127.0.0.1', headers, method }), 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of res) chunks.push(chunk as Buffer)
  return { status: res.statusCode, headers: res.headers, body: Buffer.concat(chunks) }
}

const TEXT = 'Qué guapo. '.repeat(500)
const textOf = (type: string, body: string | null = TEXT, more: Record<string, string> = {}) =>
  new Response(body, { headers: { 'Content-Type': type, ...more } })

const DECODERS: [accepted: string | undefined, encoding: string | undefined, decode: (body: Buffer) => Buffer][] = [
  [undefined, undefined, (body) => body],
  ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ['identity', undefined, (body) => body],
]
const TYPES = [
  'text/html; charset=utf-8',
  'application/json',
  'application/geo+json; charset=utf-8',
  'application/atom+xml',
]

const LONG_TEXT = TEXT.repeat(20)

for (const type of TYPES)
  for (const [accepted, expected, decode] of DECODERS)
    encoding(`${type} for «${accepted}» has the expected encoding`, async (t) => {
      t.respond = () => textOf(type)
      const { headers, body } = await ask(t, accepted)
      assert.is(headers['content-encoding'], expected)
      assert.is(headers['content-length'], String(body.length))
      assert.is(headers.vary, 'Accept-Encoding')
      assert.is(decode(body).toString(), TEXT)
    })

for (const [accepted, expected, decode] of DECODERS)
  encoding(`a long text for «${accepted}» has the expected encoding`, async (t) => {
    t.respond = () => textOf('text/html', LONG_TEXT)
    const { headers, body } = await ask(t, accepted)
    assert.is(headers['content-encoding'], expected)
    assert.is(headers['content-length'], String(body.length))
    assert.is(decode(body).toString(), LONG_TEXT)
  })

encoding('small responses, other types and encoded ones stay unchanged', async (t) => {
  for (const response of [
    () => textOf('application/json', '{}'),
    () => textOf('image/jpeg'),
    () => textOf('application/zip'),
    () => textOf('text/html', TEXT, { 'Cache-Control': 'private, no-transform' }),
  ]) {
    t.respond = response
    const { headers, body } = await ask(t, 'br')
    assert.is(headers['content-encoding'], undefined)
    assert.is(body.toString(), await response().text())
  }
})

encoding('status, cookies and Vary stay; an empty body stays empty', async (t) => {
  t.respond = () => {
    const response = textOf('text/html', null, { Vary: 'Accept, Accept-Encoding', Location: '/perros' })
    response.headers.append('Set-Cookie', 'a=1')
    response.headers.append('Set-Cookie', 'b=2')
    return new Response(null, { status: 302, headers: response.headers })
  }
  const { status, headers, body } = await ask(t, 'br')
  assert.equal([status, headers.location, headers.vary], [302, '/perros', 'Accept, Accept-Encoding'])
  assert.equal(headers['set-cookie'], ['a=1', 'b=2'])
  assert.equal([headers['content-encoding'], body.length], [undefined, 0])
  t.respond = () => textOf('text/html')
  const head = await ask(t, 'br', 'HEAD')
  assert.equal([head.status, head.body.length], [200, 0])
})

encoding('a cached page is brotli before gzip before plain, as far as the browser accepts them', () => {
  for (const [accepted, expected] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['*', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0.000, *;q=0', 'identity'],
    ['identity', 'identity'],
    ['', 'identity'],
    [undefined, 'identity'],
    ['BR', 'br'],
    [',,,;;;', 'identity'],
    ['brr, gzipp', 'identity'],
    ['br;q=0', 'identity'],
    ['💥', 'identity'],
    ['gz'.repeat(5000), 'identity'],
  ] as const)
    assert.is(negotiateEncoding(accepted), expected, accepted)
})

encoding('a cached page decodes to the same bytes, and takes no more memory than those', async () => {
  const plain = Buffer.from(TEXT)
  for (const [name, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { encoding, body } = await encodeCached(plain, name)
    assert.equal([encoding, decode(body)], [name, plain])
    assert.is(body.buffer.byteLength, body.length, name)
  }
})
