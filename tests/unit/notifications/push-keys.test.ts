import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { loadPushKeys, readPushKeys } from '#features/notifications/push/vapid-keys.server.ts'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { assert, folderSuite } from '#tests/support/suites.ts'

const keys = folderSuite<{ dirs: [string, string] }>('unit/notifications/push-keys')
keys.before.each((t) => void (t.dirs = [mkdtempSync(join(t.dir, 'a-')), mkdtempSync(join(t.dir, 'b-'))]))

const never = (text: string): never => assert.unreachable(text) as never

keys('nodes that start at the same time have the same keys, in the database alone', async ({ dirs }) => {
  await using first = freshPostgresDb()
  await sql`SELECT 1`.execute(first)
  await using second = openPostgres(await postgresUrlOf(first))
  // Open connections: all four find nothing before one stores.
  await Promise.all([first, first, second, second].map((db) => sql`SELECT pg_sleep(0.05)`.execute(db)))
  const nodes = [first, second, first, second]
  const loaded = await Promise.all(nodes.map((db, i) => loadPushKeys(db, dirs[i % 2]!, never)))
  for (const pair of loaded) assert.equal(pair, loaded[0])
  for (const dir of dirs) assert.not.ok(existsSync(join(dir, 'push-keys.json')))
})

keys('the file of the first node is taken over, and another file is reported and not used', async ({ dirs }) => {
  await using db = freshPostgresDb()
  const own = readPushKeys(dirs[0])
  assert.equal(await loadPushKeys(db, dirs[0], never), own)
  readPushKeys(dirs[1])
  const said: string[] = []
  assert.equal(await loadPushKeys(db, dirs[1], (text) => void said.push(text)), own)
  assert.equal(said, ['push-keys.json no es el par de claves de la base de datos, y no se usa'])
})

keys('with SQLite the file has the keys, also those that a move brought from PostgreSQL', async ({ dirs }) => {
  await using db = sqliteDb()
  const own = readPushKeys(dirs[0])
  assert.equal(await loadPushKeys(db, dirs[0], never), own)
  await db.insertInto('push_keys').values({ id: 1, public_key: own.publicKey, private_key: own.privateKey }).execute()
  assert.equal(await loadPushKeys(db, dirs[1], never), own)
  assert.equal(JSON.parse(readFileSync(join(dirs[1], 'push-keys.json'), 'utf8')), own)
})
