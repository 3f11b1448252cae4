import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { migrate } from '#db/client.ts'
import { aliasKey, normalizeAlias } from '#features/profiles/profiles.ts'
import { openDatabaseBefore } from '#tests/support/earlier-databases/before-migration.ts'
import { listHiddenItems } from '#tests/support/moderation/hidden-items.ts'
import { assert, type Db, suite } from '#tests/support/suites.ts'

const MIGRATION = '2026-11-23-1830-alias-keys'
const migration = suite('unit/db/alias-keys-migration')

const readAliases = async (db: Db) =>
  (await db.selectFrom('profiles_all').select(['alias', 'alias_key']).orderBy('created_at').execute()).map(
    ({ alias, alias_key }) => [alias, alias_key],
  )

/** A database of before, with members of these aliases, the oldest first. */
async function seedBefore(aliases: readonly string[]): Promise<{ db: Db; ids: string[] }> {
  const db = await openDatabaseBefore(MIGRATION)
  const ids: string[] = []
  for (const [created_at, alias] of aliases.entries()) {
    const id = randomUUID()
    await sql`INSERT INTO users (id, created_at) VALUES (${id}, ${created_at})`.execute(db)
    await sql`INSERT INTO profiles (id, alias, alias_key, emoji, created_at)
      VALUES (${id}, ${alias}, ${normalizeAlias(alias)}, '🐶', ${created_at})`.execute(db)
    ids.push(id)
  }
  return { db, ids }
}

/** A profile that was hidden lay in `held`. */
async function hide(db: Db, id: string) {
  const { rows } = await sql`SELECT * FROM profiles WHERE id = ${id}`.execute(db)
  await sql`DELETE FROM profiles WHERE id = ${id}`.execute(db)
  await sql`INSERT INTO held (kind, thing_id, user_id, cause, created_at, snapshot)
    VALUES ('profile', ${id}, ${id}, 'admin', 1, ${JSON.stringify(rows[0])})`.execute(db)
}

migration('recomputes every key as today’s function does', async () => {
  const aliases = [
    'Ana María',
    "O'Neil",
    'Peña',
    'Gal·la',
    '¡Ñam!',
    'P!lar 10',
    'Wamba',
    'Cœur d’or',
    'Mª José',
    'Łucja',
  ]
  const { db } = await seedBefore(aliases)
  await migrate(db)
  assert.equal(
    await readAliases(db),
    aliases.map((alias) => [alias, aliasKey(alias)]),
  )
  await db.destroy()
})

migration('where aliases collide the oldest has the key, and nobody is renamed', async () => {
  // «Pllar» has for its old key the new one of «Pilar».
  const { db, ids } = await seedBefore(['Pilar', 'Pllar', 'PiIar', 'Ana', 'Ana.'])
  await migrate(db)
  assert.equal(await readAliases(db), [
    ['Pilar', 'pllar'],
    ['Pllar', `pllar#${ids[1]}`],
    ['PiIar', `pllar#${ids[2]}`],
    ['Ana', 'ana'],
    ['Ana.', `ana#${ids[4]}`],
  ])
  await db.destroy()
})

migration('hidden profiles have their keys, in the same order of age', async () => {
  const { db, ids } = await seedBefore(['Olalla', '0lalla', 'Luis', 'Lu1s'])
  const [first, second, , last] = ids
  await hide(db, first!)
  await hide(db, last!)
  // What an older version let happen: the alias of the hidden profile was taken.
  await sql`UPDATE profiles SET alias = 'Olalla', alias_key = 'olalla' WHERE id = ${second}`.execute(db)
  await migrate(db)
  assert.equal(await readAliases(db), [
    ['Olalla', 'olalla'],
    ['Olalla', `olalla#${second}`],
    ['Luis', 'luls'],
    ['Lu1s', `luls#${last}`],
  ])
  assert.equal(
    (await listHiddenItems(db)).map(({ kind, id }) => [kind, id]),
    [first!, last!].toSorted().map((id) => ['profile', id]),
  )
  await db.destroy()
})

migration('imports only Kysely', () => {
  assert.not.match(readFileSync(`db/migrations/${MIGRATION}.ts`, 'utf8'), /from '(?!kysely)/)
})
