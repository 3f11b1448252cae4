import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '#tests/support/operator-command.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { startBucket } from '#tests/support/storage/bucket.ts'
import { answered, assert, call, formOf, signIn, startServer, suite } from '#tests/support/suites.ts'

// Photos go to a bucket and come back, as docs/operations.md describes it.

const env: Record<string, string> = {}
const server = await startServer(env)
const bucket = await startBucket()
const move = (word: string) => runCommand('move', [word], { DATA_DIR: server.dataDir, ...bucket.env })

const moved = suite('api/maintenance/move-photos')
moved.after(async () => {
  await server.dispose()
  await bucket.dispose()
})

moved('a running site is refused, a stopped one moves its photos to a bucket and back', async () => {
  const { cookie } = await signIn(server, 'ana@ejemplo.es')
  const images = [new Blob([await photo(40)]), new Blob([await photo(180)])]
  const form = formOf({ name: 'Toby', breed: 'beagle', relationship: 'owner', images })
  const { dog } = (await call(server, '/api/dogs', { method: 'POST', cookie, form })).body
  const read = async () => {
    const response = await fetch(`${server.url}/_ipx/q_90,s_120x120${dog.images[0].url}`)
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const before = await answered(200, read())

  const refused = await move('--to-bucket')
  assert.is(refused.code, 1)
  assert.is(refused.output, 'perrario · el sitio está en marcha sobre estos datos: páralo antes de mover las fotos.\n')
  assert.equal(await bucket.listKeys(), [])

  await server.stop()
  const there = await move('--to-bucket')
  assert.is(there.code, 0, there.output)
  assert.match(
    there.output,
    /\nperrario · 2 fotos iguales en los dos lados \([\d,]+ k?B, [\da-f]{16}\)\nperrario · arranca el sitio/,
  )
  assert.is((await bucket.listKeys()).length, 2)
  const left = new RegExp(
    `\\nperrario · las fotos de ${join(server.dataDir, 'photos')} se quedan como estaban: bórralas cuando no las necesites, .*\\n$`,
  )
  assert.match(there.output, left)
  // From now on only the bucket has them.
  for (const folder of ['photos', 'cache']) rmSync(join(server.dataDir, folder), { recursive: true, force: true })
  Object.assign(env, bucket.env)
  await server.restart()
  assert.equal(await read(), before)

  await server.stop()
  const back = await move('--from-bucket')
  assert.is(back.code, 0, back.output)
  assert.match(
    back.output,
    /\nperrario · quita los cinco valores S3_… y arranca el sitio: ya usa DATA_DIR\nperrario · las fotos de photos\/ y lost\/ del bucket se quedan/,
  )
  for (const name of Object.keys(bucket.env)) delete env[name]
  rmSync(join(server.dataDir, 'cache'), { recursive: true, force: true })
  await bucket.setMode('refused')
  await server.restart()
  assert.equal(await read(), before)
})

moved('a bucket that does not answer, missing settings and unknown words are each one line', async () => {
  await server.stop()
  const refused = await move('--to-bucket')
  assert.is(refused.code, 1)
  assert.match(refused.output, /bucket/)
  assert.not.match(refused.output, /\n {4}at /)
  const unset = await runCommand('move', ['--to-bucket'], { DATA_DIR: server.dataDir })
  assert.equal(unset, { code: 2, output: 'perrario · faltan los valores S3_… del bucket.\n' })
  for (const words of [[], ['--to-bucket', '--from-bucket'], ['--to-bucket', 'x']])
    assert.match((await runCommand('move', words, { DATA_DIR: server.dataDir })).output, /^Uso: npm run move/)
})
