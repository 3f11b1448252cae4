import type { Db } from '#db/client.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { markTargetEdited } from '#features/moderation/cases.server.ts'
import { findTextFlag } from '#features/moderation/text-filter.ts'
import { type FieldErrors, invalid, notFound, unauthenticated } from '#lib/errors.ts'
import {
  MAX_ALIAS_CODE_UNITS,
  ALIAS_TEXTS,
  findAliasProblem,
  isReservedAlias,
  tidyAlias,
} from '#features/profiles/alias.ts'
import { findEmojiProblem, parseEmoji } from '#features/profiles/emoji.ts'
import { aliasKey } from '#features/profiles/profiles.ts'
import type { Profile } from '#features/profiles/profiles.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'

export interface ProfileInput {
  alias: string
  emoji: string
}

/** The member who has an alias that reads like `alias`; one look-up of the unique index. */
const findHolder = (db: Db, alias: string) =>
  db.selectFrom('profiles').select('id').where('alias_key', '=', aliasKey(alias)).executeTakeFirst()

/** Why a well-formed alias cannot be used, in Spanish; null if it can. */
async function findAliasConflict(db: Db, user: Requester, alias: string): Promise<string | null> {
  if (findTextFlag(alias)) return ALIAS_TEXTS.unfit
  const holder = await findHolder(db, alias)
  // Who has had a reserved name since before it was one may keep it.
  if (holder) return holder.id === user?.id ? null : ALIAS_TEXTS.taken
  return isReservedAlias(alias) ? ALIAS_TEXTS.unfit : null
}

export interface AliasAvailability {
  /** True also for one's own alias. */
  available: boolean
  /** The alias as it would be stored. */
  alias: string
  /** Why not, in Spanish. */
  detail?: string
}

/** Whether `user` could take an alias (docs/product.md §9.3). Called while they type; `updateProfile` decides. */
export async function checkAliasAvailability(db: Db, user: Requester, text: string): Promise<AliasAvailability> {
  if (text.length > MAX_ALIAS_CODE_UNITS)
    return { available: false, alias: text.slice(0, MAX_ALIAS_CODE_UNITS), detail: ALIAS_TEXTS.long }
  const alias = tidyAlias(text)
  const detail = findAliasProblem(alias) ?? (await findAliasConflict(db, user, alias))
  return detail === null ? { available: true, alias } : { available: false, alias, detail }
}

/** Spanish errors of a profile's new values, by field; empty for valid ones. */
export async function validateProfile(db: Db, user: Requester, input: ProfileInput): Promise<FieldErrors> {
  const { detail } = await checkAliasAvailability(db, user, input.alias)
  const emoji = findEmojiProblem(input.emoji)
  return { ...(detail && { alias: detail }), ...(emoji && { emoji }) }
}

/**
 * Changes alias and emoji of the member's own profile (docs/product.md §9.3). Takes no id, so another's profile cannot be
 * changed. Bells and the stream's history look names up when they are read. Of two parallel changes to one alias, the unique index lets one through.
 * @throws AppError 401; 403 for a banned member; 404 without a profile; 422 with `errors.alias` and `errors.emoji`
 */
export async function updateProfile(db: Db, user: Requester, input: ProfileInput): Promise<Profile> {
  if (!user) throw unauthenticated()
  await assertNotBanned(db, user.id)
  const errors = await validateProfile(db, user, input)
  const [first] = Object.values(errors)
  if (first) throw invalid(first, errors)
  const written = { alias: tidyAlias(input.alias), emoji: parseEmoji(input.emoji)! }
  const { id } = user
  const row = await db
    .transaction()
    .execute((trx) => writeProfile(trx, id, written))
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) throw invalid(ALIAS_TEXTS.taken, { alias: ALIAS_TEXTS.taken })
      throw error
    })
  return { ...row, verified: row.verified === 1 }
}

/**
 * Writes the new values. An edit ends the admin's approval of the profile; a save without changes does not. The badge was given to
 * a name: another one loses it.
 */
async function writeProfile(trx: Db, id: string, { alias, emoji }: ProfileInput) {
  const before = await trx
    .selectFrom('profiles')
    .select(['alias', 'alias_key', 'emoji', 'verified'])
    .where('id', '=', id)
    .executeTakeFirst()
  const alias_key = aliasKey(alias)
  const row = await trx
    .updateTable('profiles')
    .set({ alias, alias_key, emoji, verified: before?.alias_key === alias_key ? before.verified : 0 })
    .where('id', '=', id)
    .returning(['alias', 'emoji', 'verified'])
    .executeTakeFirst()
  if (!before || !row) throw notFound('Usuario no encontrado')
  if (before.alias !== alias || before.emoji !== emoji) await markTargetEdited(trx, 'profile', id, Date.now())
  return row
}

const isUniqueViolation = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_UNIQUE'
