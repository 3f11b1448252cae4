import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteOf } from '#db/client.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { takeInventory } from '#tests/support/earlier-databases/inventory.ts'
import { EARLIER_VERSIONS, readEarlierFiles, unpackEarlierFiles } from '#tests/support/earlier-databases/unpack.ts'
import { assert, startServer, suite, type TestServer } from '#tests/support/suites.ts'

// An earlier version's data folder under today's program: what was seen is seen, and what was hidden is not.

const served = suite<{ dataDir: string; server: TestServer }>('api/maintenance/earlier-databases')
served.after.each(async ({ dataDir, server }) => {
  await server.dispose()
  rmSync(dataDir, { recursive: true, force: true })
})

for (const version of EARLIER_VERSIONS)
  served(`${version} is served with its photos, and nothing hidden of it`, async (t) => {
    const db = sqliteDb(readEarlierFiles(version)['perrario.db'])
    const [shown, photos] = ['SELECT path_breed, path_slug FROM dogs', 'SELECT url FROM dog_images'].map((statement) =>
      (sqliteOf(db).prepare(statement).raw().all() as string[][]).map((columns) => columns.join('/')),
    ) as [string[], string[]]
    const inventory = takeInventory(db)
    await db.destroy()
    const files = Object.keys(readEarlierFiles(version)).map((path) => path.split('/').at(-1))
    const stored = inventory.photos.filter((url) => files.includes(url.split('/').at(-1)))
    t.dataDir = mkdtempSync(join(tmpdir(), 'perrario-earlier-'))
    unpackEarlierFiles(version, t.dataDir)
    t.server = await startServer({ DATA_DIR: t.dataDir })
    const statusOf = async (path: string) => (await fetch(t.server.url + path, { redirect: 'manual' })).status
    const faults: string[] = []
    for (const path of inventory.paths.map((line) => `/${line.split(' ')[0]}`)) {
      const isShown = shown.includes(path.slice(1))
      const status = await statusOf(path)
      if (isShown ? status !== 200 : status === 200) faults.push(`${path} ${status}`)
    }
    for (const url of stored) {
      const status = await statusOf(url)
      if (status !== (photos.includes(url) ? 200 : 404)) faults.push(`${url} ${status}`)
    }
    assert.ok(stored.some((url) => photos.includes(url)) && stored.some((url) => !photos.includes(url)))
    assert.equal(faults, [])
  })
