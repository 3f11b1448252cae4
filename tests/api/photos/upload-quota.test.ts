import { globSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { msUntilMadridMidnight } from '#lib/dates.ts'
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { isPostgresRun } from '#tests/support/db.ts'
import { noisePhoto, photo } from '#tests/support/photos/sample-photos.ts'
import { runToEnd } from '#tests/support/server.ts'
import { assert, call, detailOf, formOf, serverSuite, type ServerWorld, signInMember } from '#tests/support/suites.ts'

// What uploads take of the disk: so much of one in a day, and nothing at all where it is full.

const flag = join(tmpdir(), `perrario-full-at-${process.pid}`)

const stored = serverSuite('api/photos/upload-quota', {
  TRUST_PROXY: '1',
  UPLOAD_MB_PER_DAY: '1',
  FULL_AT: flag,
  NODE_OPTIONS: `--import=${resolve(import.meta.dirname, '../../support/faults/disk-full-at.ts')}`,
})
stored.after(() => rmSync(flag, { force: true }))

const from = (ip: string) => ({ headers: { 'X-Forwarded-For': ip } })
const add = ({ server }: ServerWorld, cookie: string | undefined, images: Blob[], ip = '10.9.0.1') =>
  call(server, '/api/dogs', {
    method: 'POST',
    cookie,
    form: formOf({ name: 'Toby', breed: 'beagle', relationship: 'owner', images }),
    ...from(ip),
  })
const files = ({ server }: ServerWorld) => globSync('photos/**/*', { cwd: server.dataDir }).toSorted()

stored('a member has a daily quota of stored bytes, whatever was uploaded; others have their own', async (t) => {
  const { server } = t
  const [ana, luis] = [await signInMember(server, 'ana@ejemplo.es'), await signInMember(server, 'luis@ejemplo.es')]
  // Points by lot are the heaviest picture there is.
  const heavy = new Blob([await noisePhoto(800, 800)])
  const dog = await add(t, ana.cookie, [heavy])
  assert.is(dog.status, 201, JSON.stringify(dog.body))
  const size = statSync(join(server.dataDir, dog.body.dog.photo_url)).size
  assert.ok(size > 100_000, String(size))
  let refused = await add(t, ana.cookie, [heavy])
  for (let n = 0; refused.status === 201 && n < 10; n++) refused = await add(t, ana.cookie, [heavy])
  const kept = files(t)
  const bytes = kept.reduce((sum, path) => sum + statSync(join(server.dataDir, path)).size, 0)
  assert.ok(bytes <= 1_000_000 && bytes > 1_000_000 - size, String(bytes))
  const texts = async (answer: Awaited<ReturnType<typeof add>>) => {
    assert.equal(detailOf(answer), [429, 'Hoy ya has subido muchísimas fotos. Mañana podrás subir más.'])
    assert.is(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
    const seconds = Number(answer.headers.get('retry-after'))
    // Between nodes the day ends at midnight (docs/adr/0156-what-nodes-share.md), in one process 24 hours after its first upload.
    if (isPostgresRun) assert.ok(Math.abs(seconds * SECOND_MS - msUntilMadridMidnight(Date.now())) < MINUTE_MS)
    else assert.ok(seconds > 80_000)
  }
  await texts(refused)
  // Of an upload that goes beyond it nothing stays, and a gallery is left as it was.
  await texts(await add(t, ana.cookie, [new Blob([await photo(10)]), heavy]))
  const { id, images } = dog.body.dog
  const form = formOf({ images: [images[0].url, heavy] })
  await texts(await call(server, `/api/dogs/${id}/images`, { method: 'PUT', cookie: ana.cookie, form }))
  assert.equal(files(t), kept)
  assert.is((await call(server, `/api/dogs/${id}`)).body.dog.images.length, 1)
  // From the same network, and from nobody's account.
  assert.is((await add(t, luis.cookie, [heavy])).status, 201)
  assert.is((await add(t, ana.cookie, [new Blob([await photo(10)])])).status, 201, 'what still fits')
})

stored('a disk that fills up during a photo is 507 with a message, and stores nothing of it', async (t) => {
  const { server } = t
  const { cookie } = await signInMember(server, 'eva@ejemplo.es')
  const one = async () => new Blob([await photo(90, 400, 300)])
  const toby = (await add(t, cookie, [await one()])).body.dog
  const before = files(t)
  const rows = () => server.db.selectFrom('dog_images').select('url').execute()
  const named = await rows()
  writeFileSync(flag, '')
  try {
    const form = formOf({ images: [toby.images[0].url, await one()] })
    const answers = [
      await add(t, cookie, [await one(), await one()]),
      await add(t, undefined, [await one()]),
      await call(server, `/api/dogs/${toby.id}/images`, { method: 'PUT', cookie, form }),
    ]
    for (const { status, body, headers } of answers) {
      assert.equal(
        [status, body.detail],
        [507, 'Ahora mismo no nos queda sitio para guardar nada. Inténtalo más tarde.'],
      )
      assert.is(headers.get('content-type'), 'application/problem+json; charset=utf-8')
    }
  } finally {
    rmSync(flag)
  }
  assert.equal(files(t), before)
  assert.equal(await rows(), named)
  assert.is((await add(t, cookie, [await one()])).status, 201, 'and goes on')
  assert.not.match(server.output(), /unhandled|uncaught/i)
  assert.ok(readdirSync(join(server.dataDir, 'photos')).every((name) => !name.endsWith('.part')))
})

stored('an invalid number prevents the start', async () => {
  const { code, output } = await runToEnd({ PORT: '0', UPLOAD_MB_PER_DAY: 'mucho' })
  assert.is(code, 1)
  assert.match(output, /UPLOAD_MB_PER_DAY=mucho: valor no válido/)
})
