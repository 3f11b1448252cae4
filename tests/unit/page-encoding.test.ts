import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encode, encodingFor } from '#app/page-cache/encoding.ts'

const encoding = suite('page encoding')

encoding('brotli before gzip before plain, as the browser takes them', () => {
  assert.is(encodingFor('gzip, deflate, br, zstd'), 'br')
  assert.is(encodingFor('gzip, deflate'), 'gzip')
  assert.is(encodingFor('*'), 'br')
  assert.is(encodingFor('br;q=0, gzip;q=0.5'), 'gzip')
  assert.is(encodingFor('br;q=0.000, *;q=0'), 'identity')
  assert.is(encodingFor('identity'), 'identity')
  assert.is(encodingFor(''), 'identity')
  assert.is(encodingFor(undefined), 'identity')
  assert.is(encodingFor('BR'), 'br')
})

encoding('nonsense gets plain bytes or what it names, and is never remembered without end', () => {
  for (const text of [',,,;;;', 'brr, gzipp', 'br;q=0', '💥', 'gz'.repeat(5000)])
    assert.is(encodingFor(text), 'identity')
  for (let i = 0; i < 5000; i++) assert.is(encodingFor(`x${i}, br`), 'br')
})

encoding('what is packed unpacks to the same bytes', async () => {
  const body = Buffer.from('Perrario, el álbum de los perros. '.repeat(500))
  assert.equal(brotliDecompressSync(await encode(body, 'br')), body)
  assert.equal(gunzipSync(await encode(body, 'gzip')), body)
})

encoding.run()
