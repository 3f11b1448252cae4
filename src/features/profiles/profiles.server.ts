import { randomInt } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { transact } from '#db/transact.ts'
import { FALLBACK_ALIAS, FALLBACK_EMOJI } from '#lib/text/names.ts'
import { isAliasTaken } from './alias-holders.server.ts'
import { aliasKey, GENERATED_ATTEMPTS, GENERATED_BELOW, GENERATED_PREFIX, STARTING_EMOJIS } from './profiles.ts'
import { writeMemberWords } from './member-words.server.ts'

export interface Profile {
  alias: string
  emoji: string
  verified: boolean
}

const randomAliasNumber = () => randomInt(GENERATED_BELOW)

/**
 * The member's profile, created on their first load (docs/product.md §9.4) with a generated alias and a random emoji. Two
 * parallel first loads create one.
 * @param randomNumber source of the alias's number
 * @throws Error when no generated alias is free
 */
export async function ensureProfile(
  db: Db,
  userId: string,
  now = Date.now(),
  randomNumber = randomAliasNumber,
): Promise<Profile> {
  const findProfile = (from: Db) =>
    from.selectFrom('profiles').select(['alias', 'emoji', 'verified']).where('id', '=', userId).executeTakeFirst()
  let row = await findProfile(db)
  // A hidden profile is not created again.
  const hidden = db.selectFrom('profiles_all').select('id').where('id', '=', userId)
  if (!row && (await hidden.executeTakeFirst()))
    return { alias: FALLBACK_ALIAS, emoji: FALLBACK_EMOJI, verified: false }
  for (let attempt = 0; !row && attempt <= GENERATED_ATTEMPTS; attempt++) {
    const alias = `${GENERATED_PREFIX}${attempt < GENERATED_ATTEMPTS ? randomNumber() : now}`
    const emoji = STARTING_EMOJIS[randomInt(STARTING_EMOJIS.length)]!
    row = await transact(db, async (trx) => {
      if (await isAliasTaken(trx, alias, userId)) return findProfile(trx)
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('profiles_all')
        .values({ id: userId, alias, alias_key: aliasKey(alias), emoji, created_at: now })
        .onConflict((c) => c.doNothing())
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows) await writeMemberWords(trx, userId, alias)
      return findProfile(trx)
    })
  }
  if (!row) throw new Error(`No free alias could be made for ${userId}`)
  return { alias: row.alias, emoji: row.emoji, verified: row.verified === 1 }
}

const selectProfilesTotal = prepareQuery((db) => db.selectFrom('totals').select('value').where('name', '=', 'profiles'))

/** Counts profiles: reads one row, maintained by a trigger. */
export async function countProfiles(db: Db): Promise<number> {
  const [row] = await selectProfilesTotal(db, {})
  return row?.value ?? 0
}
