import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { updateNotificationEvents } from '#features/live/event-history.server.ts'
import { dogInSentence } from './notifications.ts'

// Notifications store the names of members and dogs in their text: a rename rewrites them.

/**
 * Rewrites the name of a member at the beginning of the lines about them. Call it in the transaction that renames the member.
 * What follows the name is compared too: another member's alias may begin with this one («Ana» and «Ana Uno»).
 */
export async function renameActor(trx: Db, userId: string, before: string, after: string): Promise<void> {
  if (before === after) return
  for (const [start, rest, isOfLikes] of [
    [`${before} `, '*', false],
    [`A ${before} le gusta `, '*', true],
    [`A ${before} y `, '[0-9]* más les gusta *', true],
  ] as const) {
    const renamed = isOfLikes ? `A ${after}${start.slice(before.length + 2)}` : `${after} `
    const lines = await trx
      .updateTable('notifications')
      .set({ content: sql<string>`${renamed} || substr(content, length(${start}) + 1)` })
      .where((eb) =>
        isOfLikes
          ? eb.and([
              eb('type', '=', 'like'),
              eb.or([
                eb('actor_id', '=', userId),
                // A line of several people's likes may name another one than the last.
                eb('dog_id', 'in', eb.selectFrom('dog_likes').select('dog_id').where('user_id', '=', userId)),
              ]),
            ])
          : eb.and([eb('actor_id', '=', userId), eb('type', '!=', 'like')]),
      )
      .where(sql<boolean>`substr(content, 1, length(${start})) = ${start}`)
      .where(sql<boolean>`substr(content, length(${start}) + 1) glob ${rest}`)
      // An alias may hold the words of the sentence for one like; that for several is then told apart by its own.
      .where(sql<boolean>`(${rest} != '*' or instr(content, ' más les gusta ') = 0)`)
      .returning(['id', 'content'])
      .execute()
    for (const line of lines) await updateNotificationEvents(trx, line)
  }
}

/** Rewrites the name of a dog in the lines about it; quotations stay. Call it in the transaction that renames the dog. */
export async function renameDog(trx: Db, dogId: string, before: string, after: string): Promise<void> {
  if (before === after) return
  const lines = await trx
    .selectFrom('notifications')
    .select(['id', 'content'])
    .where('dog_id', '=', dogId)
    .where(sql<boolean>`instr(content, ${dogInSentence(before)}) > 0`)
    .execute()
  for (const { id, content } of lines) {
    const line = { id, content: replaceName(content, dogInSentence(before), dogInSentence(after)) }
    await trx.updateTable('notifications').set({ content: line.content }).where('id', '=', id).execute()
    await updateNotificationEvents(trx, line)
  }
}

const isWordCharacter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)

/** The last place, as a word of its own, before any quotation: in every sentence a person comes before the dog. */
function replaceName(content: string, before: string, after: string): string {
  const quote = content.indexOf('«')
  let at = quote < 0 ? content.length : quote
  do at = at > 0 ? content.lastIndexOf(before, at - 1) : -1
  while (at >= 0 && (isWordCharacter(content[at - 1]) || isWordCharacter(content[at + before.length])))
  return at < 0 ? content : content.slice(0, at) + after + content.slice(at + before.length)
}
