import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { compress } from '../../../scripts/lib/compress.mjs'
import { assert, folderSuite, type FolderWorld } from '#tests/support/suites.ts'

interface Context extends FolderWorld {
  client: string
  cache: string
  run: () => Promise<Record<string, [number, string, number, number]>>
}
const build = folderSuite<Context>('unit/scripts/compress')
build.before.each(async (t) => {
  t.client = join(t.dir, 'client')
  t.cache = join(t.dir, 'cache')
  mkdirSync(join(t.client, '_astro'), { recursive: true })
  t.run = async () => {
    await compress(t.dir, t.cache)
    return JSON.parse(readFileSync(join(t.dir, 'files.json'), 'utf8'))
  }
})

const script = 'export const perro = "guau"\n'.repeat(200)

build('encoded copies exist for files that become smaller, and decode to the same bytes', async ({ client, run }) => {
  writeFileSync(join(client, '_astro/app.js'), script)
  writeFileSync(join(client, 'icono.png'), Buffer.alloc(5000))
  writeFileSync(join(client, 'corto.css'), 'a{color:red}')
  const index = await run()
  assert.equal(Object.keys(index), ['/_astro/app.js', '/corto.css', '/icono.png'])
  const [size, hash, br, gz] = index['/_astro/app.js']!
  assert.is(size, script.length)
  assert.match(hash, /^[0-9a-f]{20}$/)
  const file = join(client, '_astro/app.js')
  assert.is(String(brotliDecompressSync(readFileSync(`${file}.br`))), script)
  assert.is(String(gunzipSync(readFileSync(`${file}.gz`))), script)
  assert.equal([br, gz], [statSync(`${file}.br`).size, statSync(`${file}.gz`).size])
  assert.equal(index['/corto.css']!.slice(2), [0, 0], 'too small')
  assert.equal(index['/icono.png']!.slice(2), [0, 0], 'compressed already')
  assert.equal(readdirSync(client).toSorted(), ['_astro', 'corto.css', 'icono.png'])
})

build('unchanged copies are reused, and copies of deleted files are deleted', async ({ client, cache, run }) => {
  const file = join(client, 'app.js')
  writeFileSync(file, script)
  const index = await run()
  // A mark that only this copy carries: gzip ignores what stands behind its end.
  const [kept] = readdirSync(cache).filter((name) => name.endsWith('.gz'))
  const marked = Buffer.concat([readFileSync(join(cache, kept!)), Buffer.alloc(8)])
  writeFileSync(join(cache, kept!), marked)
  const again = await run()
  assert.equal(readFileSync(`${file}.gz`), marked)
  assert.equal(Object.keys(again), ['/app.js'], 'copies are no files of their own')
  assert.is(again['/app.js']![1], index['/app.js']![1])
  writeFileSync(file, `${script}// cambia`)
  await run()
  assert.not(readdirSync(cache).includes(kept!))
  assert.is(String(gunzipSync(readFileSync(`${file}.gz`))), `${script}// cambia`)
})
