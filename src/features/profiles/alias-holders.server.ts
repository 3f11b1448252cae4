import type { Db } from '#db/client.ts'
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

/**
 * Whether another member than `userId` has an alias that reads like `alias`, also one whose profile is hidden, for
 * whom it stays reserved (docs/product.md §19.3). In the transaction that writes the alias its answer stays true.
 */
export async function isAliasTaken(db: Db, alias: string, userId = ''): Promise<boolean> {
  const key = aliasKey(alias)
  const holder = db
    .selectFrom('profiles_all')
    .select('id')
    .where('alias_key', '>=', key)
    .where('alias_key', '<', aboveSuffixes(key))
    .where('id', '!=', userId)
  return (await holder.executeTakeFirst()) !== undefined
}
