import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { jsonText } from '#db/dialect/expressions.ts'
import { aliasKey, KEY_SUFFIX } from './profiles.ts'

/** The least text above a key with any suffix: no key holds a sign below a digit. */
const aboveSuffixes = (key: string) => key + String.fromCharCode(KEY_SUFFIX.charCodeAt(0) + 1)

/** Members with a visible profile whose alias reads like `alias`; several only where they had it before it read so. */
export function selectAliasHolders(db: Db, alias: string) {
  const key = aliasKey(alias)
  return db
    .selectFrom('profiles')
    .select(['id', 'alias'])
    .where('alias_key', '>=', key)
    .where('alias_key', '<', aboveSuffixes(key))
}

const selectQuarantinedAliasHolders = (db: Db, alias: string) => {
  const key = aliasKey(alias)
  // A quarantined profile's key, as the index held_alias has it.
  const heldKey = jsonText(db, 'snapshot', 'alias_key')
  return db
    .selectFrom('held')
    .select('thing_id')
    .where('kind', '=', sql.lit('profile'))
    .where(heldKey, '>=', key)
    .where(heldKey, '<', aboveSuffixes(key))
}

/**
 * Whether another member than `userId` has an alias that reads like `alias`, with a visible profile or with one in quarantine, for
 * which it stays reserved (docs/product.md §19.3). In the transaction that writes the alias its answer stays true.
 */
export async function isAliasTaken(db: Db, alias: string, userId = ''): Promise<boolean> {
  const visible = await selectAliasHolders(db, alias).where('id', '!=', userId).executeTakeFirst()
  if (visible) return true
  return (
    (await selectQuarantinedAliasHolders(db, alias).where('thing_id', '!=', userId).executeTakeFirst()) !== undefined
  )
}
