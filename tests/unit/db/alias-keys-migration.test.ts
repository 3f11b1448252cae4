import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import { migrations } from '#db/migrations/index.ts'
import { aliasKey, normalizeAlias } from '#features/profiles/profiles.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { member, seed } from '#tests/support/seed.ts'

const MIGRATION = '2026-11-23-1830-alias-keys'
const migration = suite('unit/db/alias-keys-migration')

const readAliases = async (db: Db) =>
  (await db.selectFrom('profiles').select(['alias', 'alias_key']).orderBy('created_at').execute()).map(
    ({ alias, alias_key }) => [alias, alias_key],
  )

/** A database of before, with members of these aliases, the oldest first. */
async function seedBefore(aliases: readonly string[]): Promise<{ db: Db; ids: string[] }> {
  const db = sqliteDb()
  await sql`DROP INDEX IF EXISTS held_alias`.execute(db)
  const ids: string[] = []
  for (const [created_at, alias] of aliases.entries()) {
    const [{ id }] = await seed(db, member({ alias: `Antes ${created_at}` }))
    await db
      .updateTable('profiles_all')
      .set({ alias, alias_key: normalizeAlias(alias), created_at })
      .where('id', '=', id)
      .execute()
    ids.push(id)
  }
  // Profiles were a table then.
  await sql`DROP VIEW profiles`.execute(db)
  await sql`ALTER TABLE profiles_all RENAME TO profiles`.execute(db)
  return { db, ids }
}

/** A profile that was hidden lay in `held`. */
async function hide(db: Db, id: string) {
  const row = await db.selectFrom('profiles').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await sql`DELETE FROM profiles WHERE id = ${id}`.execute(db)
  await sql`INSERT INTO held (kind, thing_id, user_id, cause, created_at, snapshot)
    VALUES ('profile', ${id}, ${id}, 'admin', 1, ${JSON.stringify(row)})`.execute(db)
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
  await migrations[MIGRATION]!.up(db)
  assert.equal(
    await readAliases(db),
    aliases.map((alias) => [alias, aliasKey(alias)]),
  )
  await db.destroy()
})

migration('where aliases collide the oldest has the key, and nobody is renamed', async () => {
  // «Pllar» has for its old key the new one of «Pilar».
  const { db, ids } = await seedBefore(['Pilar', 'Pllar', 'PiIar', 'Ana', 'Ana.'])
  await migrations[MIGRATION]!.up(db)
  assert.equal(await readAliases(db), [
    ['Pilar', 'pllar'],
    ['Pllar', `pllar#${ids[1]}`],
    ['PiIar', `pllar#${ids[2]}`],
    ['Ana', 'ana'],
    ['Ana.', `ana#${ids[4]}`],
  ])
  await db.destroy()
})

migration('profiles in quarantine have their keys, in the same order of age, and return', async () => {
  const { db, ids } = await seedBefore(['Olalla', '0lalla', 'Luis', 'Lu1s'])
  const [first, , , last] = ids
  await hide(db, first!)
  await hide(db, last!)
  // What an older version let happen: the alias of the hidden profile was taken.
  await sql`UPDATE profiles SET alias = 'Olalla', alias_key = 'olalla' WHERE id = ${ids[1]!}`.execute(db)
  await migrations[MIGRATION]!.up(db)
  assert.equal(await readAliases(db), [
    ['Olalla', `olalla#${ids[1]}`],
    ['Luis', 'luls'],
  ])
  const held = await db.selectFrom('held').select(['thing_id', 'snapshot']).execute()
  const snapshots = new Map(held.map(({ thing_id, snapshot }) => [thing_id, JSON.parse(snapshot)]))
  assert.equal([snapshots.get(first!).alias_key, snapshots.get(last!).alias_key], ['olalla', `luls#${last}`])
  for (const id of [first!, last!]) {
    await db.deleteFrom('held').where('thing_id', '=', id).execute()
    const { alias, alias_key, emoji, created_at } = snapshots.get(id)
    await sql`INSERT INTO profiles (id, alias, alias_key, emoji, created_at)
      VALUES (${id}, ${alias}, ${alias_key}, ${emoji}, ${created_at})`.execute(db)
  }
  assert.equal(await readAliases(db), [
    ['Olalla', 'olalla'],
    ['Olalla', `olalla#${ids[1]}`],
    ['Luis', 'luls'],
    ['Lu1s', `luls#${last}`],
  ])
  await db.destroy()
})

migration('imports only Kysely', () => {
  assert.not.match(readFileSync(`db/migrations/${MIGRATION}.ts`, 'utf8'), /from '(?!kysely)/)
})

migration.run()
