import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import { migrations } from '#db/migrations/index.ts'
import { detachProfile, restoreProfile } from '#features/profiles/quarantine.server.ts'
import { quarantine } from '#features/moderation/quarantine.server.ts'
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
      .updateTable('profiles')
      .set({ alias, alias_key: normalizeAlias(alias), created_at })
      .where('id', '=', id)
      .execute()
    ids.push(id)
  }
  return { db, ids }
}

async function hide(db: Db, id: string) {
  const snapshot = await detachProfile(db, id)
  await quarantine(db, { kind: 'profile', id, dogId: null, memberIds: [id], cause: 'admin', snapshot })
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
  await db.updateTable('profiles').set({ alias: 'Olalla', alias_key: 'olalla' }).where('id', '=', ids[1]!).execute()
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
    await restoreProfile(db, snapshots.get(id))
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
