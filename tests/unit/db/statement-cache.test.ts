import { sql } from 'kysely'
import { sqliteDb } from '#tests/support/db.ts'
import { assert, member, seed, suite } from '#tests/support/suites.ts'

const statements = suite('unit/db/statement-cache')

statements('a cached query returns current rows each time', async () => {
  const db = sqliteDb()
  const aliases = () => db.selectFrom('profiles').select('alias').orderBy('alias').execute()
  assert.equal(await aliases(), [])
  await seed(db, member({ alias: 'Ana' }))
  assert.equal(await aliases(), [{ alias: 'Ana' }])
  await sql`ALTER TABLE profiles_all ADD COLUMN shade TEXT`.execute(db)
  assert.equal(await aliases(), [{ alias: 'Ana' }])
  assert.equal(
    await sql`SELECT * FROM profiles_all`.execute(db).then(({ rows }) => Object.keys(rows[0]!).includes('shade')),
    true,
  )
})

statements('more statements than the cache holds still run', async () => {
  const db = sqliteDb()
  for (let n = 0; n < 700; n++) {
    const { rows } = await sql<{ n: number }>`SELECT ${sql.lit(n)} AS n`.execute(db)
    assert.is(rows[0]!.n, n)
  }
  const { rows } = await sql<{ n: number }>`SELECT ${sql.lit(0)} AS n`.execute(db)
  assert.is(rows[0]!.n, 0)
})
