import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeCached, negotiateEncoding } from '#app/page-cache/encoding.ts'

const encoding = suite('unit/app/page-cache/encoding')

encoding('prefers brotli over gzip over plain, as far as the browser accepts them', () => {
  assert.is(negotiateEncoding('gzip, deflate, br, zstd'), 'br')
  assert.is(negotiateEncoding('gzip, deflate'), 'gzip')
  assert.is(negotiateEncoding('*'), 'br')
  assert.is(negotiateEncoding('br;q=0, gzip;q=0.5'), 'gzip')
  assert.is(negotiateEncoding('br;q=0.000, *;q=0'), 'identity')
  assert.is(negotiateEncoding('identity'), 'identity')
  assert.is(negotiateEncoding(''), 'identity')
  assert.is(negotiateEncoding(undefined), 'identity')
  assert.is(negotiateEncoding('BR'), 'br')
})

encoding('malformed headers get plain bytes or a named encoding, and are remembered within a bound', () => {
  for (const text of [',,,;;;', 'brr, gzipp', 'br;q=0', '💥', 'gz'.repeat(5000)])
    assert.is(negotiateEncoding(text), 'identity')
  for (let i = 0; i < 5000; i++) assert.is(negotiateEncoding(`x${i}, br`), 'br')
})

encoding('an encoded page decodes to the same bytes', async () => {
  const body = Buffer.from('Perrario, el álbum de los perros. '.repeat(500))
  assert.equal(brotliDecompressSync(await encodeCached(body, 'br')), body)
  assert.equal(gunzipSync(await encodeCached(body, 'gzip')), body)
})

encoding('an encoded page keeps no more memory than its bytes', async () => {
  for (const name of ['br', 'gzip'] as const) {
    const encoded = await encodeCached(Buffer.from('Perrario, el álbum de los perros. '.repeat(500)), name)
    assert.is(encoded.buffer.byteLength, encoded.length, name)
  }
})

encoding.run()
