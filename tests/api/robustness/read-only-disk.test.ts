import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { runCommand } from '#tests/support/operator-command.ts'
import { mountTestDisk, type TestDisk } from '#tests/support/faults/test-disk.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { signIn, accountDeletionBody } from '#tests/support/seed.ts'
import { freePort, runToEnd, startServer, type TestServer } from '#tests/support/server.ts'
import { assert, call, detailOf, formOf, suite } from '#tests/support/suites.ts'

// A real disk: what Linux does to one that reports errors, while the server has its files open.
const DISK_MESSAGE = 'Ahora mismo no podemos guardar nada. Inténtalo dentro de un rato.'

const disk = suite('api/robustness/read-only-disk')
const mounted = mountTestDisk()

async function createWorld(drive: TestDisk) {
  const dataDir = join(drive.dir, 'var')
  mkdirSync(dataDir, { recursive: true })
  const server = await startServer({ DATA_DIR: dataDir })
  const { id, cookie } = await signIn(server, 'ana@ejemplo.es')
  const add = async (name: string) => {
    const form = formOf({ name, breed: 'beagle', relationship: 'owner', images: new Blob([await photo(90, 400, 300)]) })
    return call(server, '/api/dogs', { method: 'POST', cookie, form })
  }
  return { server, id, cookie, add }
}

/** What a visitor and a member read is there. */
async function assertReadable(server: TestServer, cookie: string, paths: string[]): Promise<void> {
  for (const path of paths) {
    assert.is((await fetch(server.url + path, { headers: { cookie } })).status, 200, path)
  }
}

if ('missing' in mounted) {
  const { missing } = mounted
  disk('is skipped, because no disk can be created', () => {
    console.log(`SKIPPED: a read-only disk (${missing})`)
    assert.match(missing, /^(mkfs\.ext4 -q -F|mount -o loop) /, 'no other reason')
  })
} else {
  disk('serves reads, refuses writes, and has lost nothing once it is writable again', async () => {
    const { server, id, cookie, add } = await createWorld(mounted)
    try {
      const toby = (await add('Toby')).body.dog
      const comments = `/api/dogs/${toby.id}/comments`
      const like = `/api/dogs/${toby.id}/like`
      assert.is((await call(server, like, { method: 'PUT', cookie })).status, 200)
      assert.is((await call(server, comments, { method: 'POST', cookie, json: { content: 'Antes' } })).status, 201)
      const pid = server.pid()

      mounted.fail()
      for (let again = 0; again < 2; again++) {
        await assertReadable(server, cookie, [
          '/',
          '/perros',
          toby.path,
          '/razas',
          '/comunidad',
          '/perfil',
          '/?view=map',
        ])
        await assertReadable(server, cookie, ['/healthz', '/api/dogs', comments, '/api/session', toby.photo_url])
        assert.is((await call(server, '/api/session', { cookie })).body.user.id, id, 'still signed in')
        const render = await fetch(`${server.url}/_ipx/q_90,s_120x120${toby.photo_url}`, {
          headers: { accept: 'image/webp' },
        })
        assert.is(render.status, 200)
        assert.is((await sharp(Buffer.from(await render.arrayBuffer())).metadata()).width, 120)
        const writes: [string, Parameters<typeof call>[2]][] = [
          [like, { method: 'DELETE' }],
          [comments, { method: 'POST', json: { content: 'Hola' } }],
          [`/api/dogs/${toby.id}`, { method: 'PATCH', json: { name: 'Otro' } }],
          [`/api/dogs/${toby.id}`, { method: 'DELETE' }],
          ['/api/profile', { method: 'PUT', json: { alias: 'Otra Ana', emoji: '🐶' } }],
          ['/api/account', { method: 'DELETE', json: await accountDeletionBody(server, cookie) }],
          ['/api/auth/magic-link', { method: 'POST', json: { email: 'carla@ejemplo.es' } }],
        ]
        for (const [path, options] of writes) {
          const { status, body, headers } = await call(server, path, { ...options, cookie })
          assert.equal([status, body.detail, headers.get('retry-after')], [503, DISK_MESSAGE, '300'], path)
          assert.is(headers.get('content-type'), 'application/problem+json; charset=utf-8')
        }
        assert.equal(detailOf(await add('Luna')), [503, DISK_MESSAGE])
      }
      assert.is(server.pid(), pid, 'it never ended')
      assert.not.match(server.output(), /unhandled|uncaught|SIGBUS/i)

      assert.is(await server.stop(), 0)
      mounted.repair()
      await server.restart()
      const { dog } = (await call(server, `/api/dogs/${toby.id}`)).body
      assert.equal([dog.name, dog.likes, dog.comments], ['Toby', 1, 1])
      await assertReadable(server, cookie, [toby.photo_url])
      assert.is((await call(server, comments, { method: 'POST', cookie, json: { content: 'Después' } })).status, 201)
      assert.is((await add('Luna')).status, 201)
      const { code, output } = await runCommand('doctor', [], { DATA_DIR: server.dataDir })
      assert.is(code, 0, output)
    } finally {
      mounted.unlock()
      await server.dispose()
    }
  })

  disk('read-only photos refuse uploads alone, until the cause is removed', async () => {
    const { server, cookie, add } = await createWorld(mounted)
    try {
      const toby = (await add('Toby')).body.dog
      const unlock = mounted.lock(join(server.dataDir, 'photos'))
      assert.equal(detailOf(await add('Luna')), [503, DISK_MESSAGE])
      await assertReadable(server, cookie, ['/', toby.path, toby.photo_url])
      assert.is((await call(server, `/api/dogs/${toby.id}/like`, { method: 'PUT', cookie })).status, 200)
      unlock()
      assert.is((await add('Luna')).status, 201)
    } finally {
      mounted.unlock()
      await server.dispose()
    }
  })

  disk('a read-only database file is served, and logged at the start', async () => {
    const { server, cookie, add } = await createWorld(mounted)
    try {
      const toby = (await add('Toby')).body.dog
      const file = join(server.dataDir, 'perrario.db')
      await server.stop()
      const unlock = mounted.lock(file)
      await server.restart()
      assert.match(server.output(), 'la base de datos es de solo lectura: se enseña lo que hay y no se guarda nada.')
      await assertReadable(server, cookie, ['/', toby.path, '/perfil', '/healthz', toby.photo_url])
      const { status, body } = await call(server, `/api/dogs/${toby.id}/like`, { method: 'PUT', cookie })
      assert.equal([status, body.detail], [503, DISK_MESSAGE])
      assert.is(await server.stop(), 0)
      unlock()
      await server.restart()
      assert.is((await call(server, `/api/dogs/${toby.id}/like`, { method: 'PUT', cookie })).body.likes, 1)
    } finally {
      mounted.unlock()
      await server.dispose()
    }
  })

  disk('a start that cannot write prints which path: the folder, or a database to migrate', async () => {
    const dataDir = join(mounted.dir, 'nueva')
    const file = join(dataDir, 'perrario.db')
    mkdirSync(dataDir)
    writeFileSync(file, '')
    const start = async (locked: string) => {
      const unlock = mounted.lock(locked)
      try {
        return await runToEnd({ DATA_DIR: dataDir, PORT: String(await freePort()) })
      } finally {
        unlock()
      }
    }
    assert.equal(await start(dataDir), {
      code: 1,
      output: `perrario · no se puede escribir en DATA_DIR (${dataDir}): crea la carpeta o dale permiso.\n`,
    })
    assert.equal(await start(file), {
      code: 1,
      output: `perrario · no se puede escribir en la base de datos de ${dataDir}: mira sus permisos y si el disco es de solo lectura.\n`,
    })
  })

  disk.after(() => mounted.dispose())
}
