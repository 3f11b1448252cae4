import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { requestRaw } from '#tests/support/raw-request.ts'
import { assert, serverSuite, signIn } from '#tests/support/suites.ts'

// Answers that are rendered for one request: the API's, and pages of members.

const encoding = serverSuite<{ cookie: string }>('api/server/answer-encoding')

encoding.before(async (t) => {
  t.cookie = (await signIn(t.server, 'ana@ejemplo.es')).cookie
})

const DECODERS: [accepted: string | undefined, encoding: string | undefined, decode: (body: Buffer) => Buffer][] = [
  [undefined, undefined, (body) => body],
  ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['zstd;q=0.5, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ['identity', undefined, (body) => body],
]

for (const path of ['/buscar?q=perro', '/api/openapi.json', '/datos/perros.geojson'])
  for (const [accepted, expected, decode] of DECODERS)
    encoding(`${path} with «${accepted}» has the expected encoding`, async ({ server, cookie }) => {
      const { body: plain } = await requestRaw(server, path, { Cookie: cookie })
      const headers = { Cookie: cookie, ...(accepted !== undefined && { 'Accept-Encoding': accepted }) }
      const answer = await requestRaw(server, path, headers)
      const isLarge = plain.length >= 512
      assert.is(answer.headers['content-encoding'], isLarge ? expected : undefined)
      assert.is(answer.headers['content-length'], String(answer.body.length))
      assert.match(answer.headers.vary!, /Accept-Encoding/i)
      assert.is((isLarge ? decode(answer.body) : answer.body).toString().length, plain.toString().length)
      if (isLarge && expected) assert.ok(answer.body.length < plain.length / 2)
    })

encoding('an empty response has no encoding, and HEAD no body', async ({ server, cookie }) => {
  const head = await requestRaw(server, '/perfil', { Cookie: cookie, 'Accept-Encoding': 'br' }, 'HEAD')
  assert.equal([head.status, head.body.length], [200, 0])
  const redirect = await requestRaw(server, '/perros/mias', { 'Accept-Encoding': 'br' })
  assert.equal([redirect.status, redirect.headers['content-encoding']], [302, undefined])
})
