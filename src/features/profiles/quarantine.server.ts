import type { Selectable } from 'kysely'
import type { Trx } from '#db/client.ts'
import type { ProfilesTable } from '#db/schema.ts'
import { notFound } from '#lib/errors.ts'
import { aliasKey, KEY_SUFFIX } from './profiles.ts'
import { writeMemberWords } from './member-words.server.ts'

export type ProfileRow = Selectable<ProfilesTable>

/**
 * Deletes a profile's row and returns it; others see «Usuario» instead. In quarantine it reserves its alias (`isAliasTaken`). Call it
 * inside a transaction. @throws AppError 404
 */
export async function detachProfile(trx: Trx, id: string): Promise<ProfileRow> {
  const row = await trx.deleteFrom('profiles').where('id', '=', id).returningAll().executeTakeFirst()
  if (!row) throw notFound('Usuario no encontrado')
  return row
}

/**
 * Restores the row with alias and badge as they were, also where a member has a look-alike of the alias from before it was reserved.
 * Triggers count its counts again.
 */
export async function restoreProfile(trx: Trx, { id, alias, emoji, verified, created_at }: ProfileRow): Promise<void> {
  const key = aliasKey(alias)
  const holder = await trx.selectFrom('profiles').select('id').where('alias_key', '=', key).executeTakeFirst()
  const alias_key = holder ? key + KEY_SUFFIX + id : key
  await trx.insertInto('profiles').values({ id, alias, alias_key, emoji, verified, created_at }).execute()
  await writeMemberWords(trx, id, alias)
}
