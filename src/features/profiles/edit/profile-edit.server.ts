import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { markTargetEdited } from '#features/moderation/cases.server.ts'
import { type FieldErrors, invalid, notFound, unauthenticated } from '#lib/errors.ts'
import { isAliasTaken } from '#features/profiles/alias-holders.server.ts'
import { MAX_ALIAS_CODE_UNITS, ALIAS_TEXTS, findAliasProblem, tidyAlias } from '#features/profiles/alias.ts'
import { findEmojiProblem, parseEmoji } from '#features/profiles/emoji.ts'
import { aliasKey, normalizeAlias } from '#features/profiles/profiles.ts'
import type { Profile } from '#features/profiles/profiles.server.ts'
import { isReservedAlias } from '#features/profiles/reserved-aliases.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { writeMemberWords } from '#features/profiles/member-words.server.ts'

export interface ProfileInput {
  alias: string
  emoji: string
}

/** Why a well-formed alias cannot be used, in Spanish; null if it can. */
async function findAliasConflict(db: Db, user: Requester, alias: string): Promise<string | null> {
  const own =
    user && (await db.selectFrom('profiles').select('alias').where('id', '=', user.id).executeTakeFirst())?.alias
  // Unchanged: it stays valid even where it looks like an older alias.
  if (own === alias) return null
  if (await isAliasTaken(db, alias, user?.id)) return ALIAS_TEXTS.taken
  // Who has had a reserved name since before it was one may keep it.
  if (own && normalizeAlias(own) === normalizeAlias(alias)) return null
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
 * changed. Bells and the stream's history look names up when they are read. The alias is looked up again in the transaction, because
 * another member's change may have come first.
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
  const row = await transact(db, (trx) => writeProfile(trx, id, written))
  return { ...row, verified: row.verified === 1 }
}

/**
 * Writes the new values. An edit ends the admin's approval of the profile; a save without changes does not. The badge was given to
 * a name: another one loses it, also one that looks alike.
 */
async function writeProfile(trx: Trx, id: string, { alias, emoji }: ProfileInput) {
  await assertNotBanned(trx, id)
  const before = await trx
    .selectFrom('profiles')
    .select(['alias', 'alias_key', 'emoji', 'verified'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!before) throw notFound('Usuario no encontrado')
  const isRenamed = before.alias !== alias
  if (isRenamed && (await isAliasTaken(trx, alias, id))) throw invalid(ALIAS_TEXTS.taken, { alias: ALIAS_TEXTS.taken })
  const row = await trx
    .updateTable('profiles_all')
    .set({
      alias,
      alias_key: isRenamed ? aliasKey(alias) : before.alias_key,
      emoji,
      verified: normalizeAlias(before.alias) === normalizeAlias(alias) ? before.verified : 0,
    })
    .where('id', '=', id)
    .returning(['alias', 'emoji', 'verified'])
    .executeTakeFirstOrThrow()
  if (isRenamed) await writeMemberWords(trx, id, alias)
  if (isRenamed || before.emoji !== emoji) await markTargetEdited(trx, 'profile', id, Date.now())
  return row
}
