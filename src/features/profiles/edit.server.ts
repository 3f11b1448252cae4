import type { Db } from '#db/client.ts'
import { retellAuthor } from '#features/live/history.server.ts'
import { mustWrite } from '#features/moderation/bans.server.ts'
import { doubtOf } from '#features/moderation/words.ts'
import { renameActor } from '#features/notifications/rename.server.ts'
import { type FieldErrors, invalid, notFound, unauthenticated } from '#lib/errors.ts'
import { ALIAS_LENGTH_MAX, ALIAS_TEXTS, aliasProblem, tidyAlias } from './alias.ts'
import { emojiProblem, oneEmoji } from './emoji.ts'
import { aliasKey } from './profiles.ts'
import type { Profile } from './profiles.server.ts'

/** Who asks; null without a session. */
type Asker = { id: string } | null

export interface ProfileInput {
  alias: string
  emoji: string
}

/** Whether somebody else goes by a name that reads like `alias`; one look-up of the unique index. */
async function isTaken(db: Db, user: Asker, alias: string): Promise<boolean> {
  const holder = await db
    .selectFrom('profiles')
    .select('id')
    .where('alias_key', '=', aliasKey(alias))
    .executeTakeFirst()
  return holder !== undefined && holder.id !== user?.id
}

/** Why somebody cannot have a well-formed alias, as a sentence, or null. */
async function whyNotTheirs(db: Db, user: Asker, alias: string): Promise<string | null> {
  if (doubtOf(alias)) return ALIAS_TEXTS.unfit
  return (await isTaken(db, user, alias)) ? ALIAS_TEXTS.taken : null
}

export interface Availability {
  /** True also for one's own alias. */
  available: boolean
  /** As it would be kept. */
  alias: string
  /** Why not, as a sentence. */
  detail?: string
}

/** Whether `user` could take an alias (docs/product.md §9.3): asked while they type, decided by `updateProfile`. */
export async function aliasAvailability(db: Db, user: Asker, text: string): Promise<Availability> {
  if (text.length > ALIAS_LENGTH_MAX)
    return { available: false, alias: text.slice(0, ALIAS_LENGTH_MAX), detail: ALIAS_TEXTS.long }
  const alias = tidyAlias(text)
  const detail = aliasProblem(alias) ?? (await whyNotTheirs(db, user, alias))
  return detail === null ? { available: true, alias } : { available: false, alias, detail }
}

/** What is wrong with a profile's new values, a sentence a field; empty when nothing is. */
export async function profileErrors(db: Db, user: Asker, input: ProfileInput): Promise<FieldErrors> {
  const { detail } = await aliasAvailability(db, user, input.alias)
  const emoji = emojiProblem(input.emoji)
  return { ...(detail && { alias: detail }), ...(emoji && { emoji }) }
}

/**
 * Gives the member's own profile another alias and emoji (docs/product.md §9.3): nobody can change anybody else's, for no id is
 * asked for. Of two who take one alias at once, the unique index lets one through.
 * @throws AppError 401, 403 for who may not write, 422 with `errors.alias` and `errors.emoji`, 404 when the profile is gone
 */
export async function updateProfile(db: Db, user: Asker, input: ProfileInput): Promise<Profile> {
  if (!user) throw unauthenticated()
  await mustWrite(db, user.id)
  const errors = await profileErrors(db, user, input)
  const [first] = Object.values(errors)
  if (first) throw invalid(first, errors)
  const alias = tidyAlias(input.alias)
  const row = await db
    .transaction()
    .execute((trx) => rename(trx, user.id, { alias, emoji: oneEmoji(input.emoji)! }))
    .catch((error: unknown) => {
      if (isTwin(error)) throw invalid(ALIAS_TEXTS.taken, { alias: ALIAS_TEXTS.taken })
      throw error
    })
  return { ...row, verified: row.verified === 1 }
}

/** The name of before goes with it from others' bells, and from what the stream's history tells. */
async function rename(trx: Db, id: string, { alias, emoji }: ProfileInput) {
  const before = await trx.selectFrom('profiles').select(['alias', 'emoji']).where('id', '=', id).executeTakeFirst()
  const row = await trx
    .updateTable('profiles')
    .set({ alias, alias_key: aliasKey(alias), emoji })
    .where('id', '=', id)
    .returning(['alias', 'emoji', 'verified'])
    .executeTakeFirst()
  if (!before || !row) throw notFound('Usuario no encontrado')
  await renameActor(trx, id, before.alias, alias)
  if (before.alias !== alias || before.emoji !== emoji) await retellAuthor(trx, id, row)
  return row
}

const isTwin = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_UNIQUE'
