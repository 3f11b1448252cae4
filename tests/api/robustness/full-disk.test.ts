import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { photoName } from '#features/photos/photos.ts'
import { isPostgresRun } from '#tests/support/db.ts'
import { listDriftedCounts } from '#tests/support/maintenance/count-drift.ts'
import { allowWriting, canForbidWriting, forbidWriting } from '#tests/support/faults/test-disk.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { answered, assert, call, detailOf, formOf, signIn, startServer, suite, update } from '#tests/support/suites.ts'

const server = await startServer()
const { cookie, id } = await signIn(server, 'ana@ejemplo.es')
const add = async (name: string) => {
  const form = formOf({ name, breed: 'beagle', relationship: 'owner', images: [new Blob([await photo(90, 400, 300)])] })
  return call(server, '/api/dogs', { method: 'POST', cookie, form })
}
const ask = (path: string, accept = '*/*') => fetch(server.url + path, { headers: { accept, cookie } })

const disk = suite('api/robustness/full-disk')

if (canForbidWriting)
  disk('reads are answered, writes are refused with the reason, and nothing is lost or left behind', async () => {
    const [toby, kira] = [(await add('Toby')).body.dog, (await add('Kira')).body.dog]
    const comment = `/api/dogs/${toby.id}/comments`
    // A session past half its life, which a page would renew; and one that ended, which it would sweep.
    await update(server.db, 'sessions', { user_id: id }, { expires_at: Math.floor(Date.now() / 1000) + 3600 })
    const old = await signIn(server, 'berta@ejemplo.es')
    await server.db.updateTable('sessions').set({ expires_at: 1000 }).where('user_id', '=', old.id).execute()
    const before = readdirSync(join(server.dataDir, 'photos'))
    const pid = server.pid()

    forbidWriting(pid)
    try {
      for (const path of [
        '/',
        '/perros',
        toby.path,
        '/razas',
        '/comunidad',
        '/perfil',
        '/?view=map',
        '/healthz',
        '/api/dogs',
        '/api/session',
        toby.photo_url,
      ]) {
        assert.is((await ask(path)).status, 200, path)
      }
      assert.is((await (await ask('/api/session')).json()).user.id, id, 'still signed in')
      const ended = await fetch(`${server.url}/api/session`, { headers: { cookie: old.cookie } })
      assert.equal([ended.status, (await ended.json()).user], [200, null])
      // A first render is served, though it cannot be stored.
      const render = await answered(200, ask(`/_ipx/q_90,s_120x120${toby.photo_url}`, 'image/webp'))
      assert.is((await sharp(Buffer.from(await render.arrayBuffer())).metadata()).width, 120)

      const writes: [string, Parameters<typeof call>[2]][] = [
        [comment, { method: 'POST', json: { content: 'Hola' } }],
        [`/api/dogs/${toby.id}`, { method: 'PATCH', json: { name: 'Otro' } }],
        ['/api/profile', { method: 'PUT', json: { alias: 'Otra Ana', emoji: '🐶' } }],
        [`/api/dogs/${toby.id}/like`, { method: 'PUT' }],
        [`/api/dogs/${kira.id}`, { method: 'DELETE' }],
      ]
      for (const [path, options] of writes) {
        const { status, body, headers } = await call(server, path, { ...options, cookie })
        // PostgreSQL has its own disk.
        if (isPostgresRun) {
          assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(body)}`)
          continue
        }
        assert.equal(
          [status, body.detail],
          [503, 'Ahora mismo no podemos guardar nada. Inténtalo dentro de un rato.'],
          path,
        )
        assert.is(headers.get('content-type'), 'application/problem+json; charset=utf-8')
        assert.is(headers.get('retry-after'), '300')
      }
      // Without a mail server mails are files.
      const mail = await call(server, '/api/auth/magic-link', { method: 'POST', json: { email: 'carla@ejemplo.es' } })
      assert.is(mail.status, isPostgresRun ? 507 : 503)
      const upload = await add('Luna')
      assert.equal(detailOf(upload), [507, 'Ahora mismo no nos queda sitio para guardar nada. Inténtalo más tarde.'])
    } finally {
      allowWriting(pid)
    }

    assert.is(server.pid(), pid, 'it never ended')
    const named = isPostgresRun ? before.filter((name) => !name.startsWith(kira.id)) : before
    assert.equal(readdirSync(join(server.dataDir, 'photos')), named, 'no photo is left that no row names')
    assert.is((await call(server, `/api/dogs/${toby.id}`)).body.dog.name, isPostgresRun ? 'Otro' : 'Toby')
    assert.is((await call(server, `/api/dogs/${toby.id}/like`, { method: 'PUT', cookie })).body.likes, 1)
    assert.is((await call(server, comment, { method: 'POST', cookie, json: { content: 'Hola' } })).status, 201)
    assert.is((await add('Luna')).status, 201)
    assert.equal(await listDriftedCounts(server.db), [])
    assert.not.match(server.output(), /unhandled|uncaught/i)
  })

disk('truncated, empty or foreign render files are rendered again', async () => {
  const dog = (await add('Kira')).body.dog
  const fileOf = (format: string) =>
    join(server.dataDir, 'cache', 'photos', photoName(dog.photo_url)!, `small@1x.${format}`)
  const fetched = async (format: string) =>
    Buffer.from(await (await ask(`/_ipx/q_80,s_100x100${dog.photo_url}`, `image/${format}`)).arrayBuffer())
  const good = { avif: await fetched('avif'), webp: await fetched('webp'), jpeg: await fetched('jpeg') }
  truncateSync(fileOf('avif'), good.avif.length - 1)
  writeFileSync(fileOf('webp'), 'esto no es una foto, aunque sea un archivo con un texto bastante largo')
  truncateSync(fileOf('jpeg'), 0)
  // Those in memory end with the process.
  await server.restart()
  for (const [format, bytes] of Object.entries(good)) {
    assert.equal(await fetched(format), bytes, format)
    assert.equal(readFileSync(fileOf(format)), bytes, format)
  }
})

disk.after(() => server.dispose())
