import { randomInt } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { ProfilesTable } from '#db/schema.ts'
import { notFound } from '#lib/errors.ts'
import { aliasKey, GENERATED_BELOW, GENERATED_PREFIX } from './profiles.ts'

export type ProfileRow = Selectable<ProfilesTable>

/** Deletes a profile's row and returns it; others see «Usuario» instead. Call it inside a transaction. @throws AppError 404 */
export async function detachProfile(trx: Db, id: string): Promise<ProfileRow> {
  const row = await trx.deleteFrom('profiles').where('id', '=', id).returningAll().executeTakeFirst()
  if (!row) throw notFound('Usuario no encontrado')
  return row
}

/**
 * Restores the row, with a generated alias and no badge where another member took the old alias meanwhile. Triggers count its
 * counts again.
 */
export async function restoreProfile(trx: Db, { id, alias, emoji, verified, created_at }: ProfileRow): Promise<void> {
  const conflicting = await trx
    .selectFrom('profiles')
    .select('id')
    .where('alias_key', '=', aliasKey(alias))
    .executeTakeFirst()
  const name = conflicting ? `${GENERATED_PREFIX}${randomInt(GENERATED_BELOW)}-${Date.now() % 10_000}` : alias
  await trx
    .insertInto('profiles')
    .values({ id, alias: name, alias_key: aliasKey(name), emoji, verified: conflicting ? 0 : verified, created_at })
    .execute()
}
