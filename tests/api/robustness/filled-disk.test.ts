import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { mountTestDisk } from '#tests/support/faults/test-disk.ts'
import { runCommand } from '#tests/support/operator-command.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { assert, assertNone, call, formOf, signIn, startServer, suite } from '#tests/support/suites.ts'

// A real disk to its last byte, with a job that has something to write: every five seconds, for as long as it fails.
const DISK_MB = 64
const TOKEN = 'x'.repeat(20)

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; !(await condition());) {
    if (Date.now() > end) assert.unreachable(`not within half a minute: ${condition}`)
    await new Promise((done) => setTimeout(done, 200))
  }
}

const disk = suite('api/robustness/filled-disk')
const mounted = mountTestDisk(DISK_MB)

if ('missing' in mounted) {
  const { missing } = mounted
  disk('is skipped, because no disk can be created', () => {
    console.log(`SKIPPED: a filled disk (${missing})`)
    assert.match(missing, /^(mkfs\.ext4 -q -F|mount -o loop) /, 'no other reason')
  })
} else {
  disk('an outage is a few lines and a metric, and ends by itself once there is space', async () => {
    const dataDir = join(mounted.dir, 'var')
    mkdirSync(dataDir)
    const server = await startServer({ DATA_DIR: dataDir, MIN_FREE_MB: '0', METRICS_TOKEN: TOKEN })
    try {
      const [ana, bea] = [await signIn(server, 'ana@ejemplo.es'), await signIn(server, 'bea@ejemplo.es')]
      const add = async (name: string) => {
        const images = new Blob([await photo(90, 400, 300)])
        const form = formOf({ name, breed: 'beagle', relationship: 'owner', images })
        return call(server, '/api/dogs', { method: 'POST', cookie: ana.cookie, form })
      }
      const toby = (await add('Toby')).body.dog
      const follow = await call(server, `/api/follows/member/${ana.id}`, { method: 'PUT', cookie: bea.cookie })
      assert.is(follow.status, 200)
      const file = new Database(join(dataDir, 'perrario.db'))
      const queue = file.prepare('insert into jobs (topic, key, run_at, queued_at) values (?, ?, ?, ?)')
      queue.run('follow-alerts', `${toby.id} member ${ana.id}`, Date.now(), Date.now())
      // The log keeps the space that it has had.
      file.pragma('wal_checkpoint(TRUNCATE)')
      // The job waits until the disk is full.
      file.exec('begin immediate')
      const makeRoom = mounted.fill()
      file.exec('rollback')
      file.close()
      const like = () => call(server, `/api/dogs/${toby.id}/like`, { method: 'PUT', cookie: bea.cookie })
      const readMetric = async () => {
        const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
        return /^perrario_disk_ok (\d)$/m.exec(await answer.text())?.[1]
      }
      const lines = (pattern: RegExp) =>
        server
          .output()
          .split('\n')
          .filter((line) => pattern.test(line))
      const count = (pattern: RegExp) => lines(pattern).length

      for (let i = 0; i < 10; i++) assert.is((await like()).status, 507)
      await until(() => count(/el disco no guarda nada: no queda sitio en el disco/) === 1)
      assert.is(await readMetric(), '0')
      // Two rounds of the jobs.
      await new Promise((done) => setTimeout(done, 11_000))
      assert.is((await like()).status, 507)
      assert.is(count(/no se pudo guardar: no queda sitio en el disco \(SQLITE_FULL\)/), 1)
      assert.is(count(/no se pudo avisar a quien sigue: no queda sitio en el disco \(SQLITE_FULL\)/), 1)
      assert.is(count(/el disco no guarda nada/), 1)
      assert.equal(lines(/^\s+at /), [], 'no stack')
      assert.is((await fetch(`${server.url}/perros`)).status, 200)
      assert.is((await fetch(`${server.url}/healthz`)).status, 200)

      makeRoom()
      await until(() => count(/el disco vuelve a guardar: quedan \d+ MB/) === 1)
      assert.is(await readMetric(), '1')
      assert.is((await like()).status, 200)
      await until(
        async () => (await call(server, '/api/notifications', { cookie: bea.cookie })).body.notifications.length === 1,
      )
      assert.is((await add('Luna')).status, 201)
      assert.is(await server.stop(), 0)
      const { output } = await runCommand('doctor', [], { DATA_DIR: dataDir, BACKUPS: 'off' })
      // So small a disk is nearly full at any time.
      assertNone(output.split('\n'), (line) => /^(error|aviso)/.test(line) && !/^\w+ +(disco|copias) /.test(line))
    } finally {
      await server.dispose()
    }
  })

  disk.after(() => mounted.dispose())
}
