import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { updateNotificationEvents } from '#features/live/event-history.server.ts'
import { dogInSentence } from './notifications.ts'

// Lines of bells name people and dogs as they were called then. Whoever takes another name leaves the old one behind.

/** Has the lines that tell of the member name them anew. Call it in the transaction that renames them. */
export async function renameActor(trx: Db, userId: string, before: string, after: string): Promise<void> {
  if (before === after) return
  for (const [start, now] of [
    [`${before} `, `${after} `],
    [`A ${before} `, `A ${after} `],
  ] as const) {
    const lines = await trx
      .updateTable('notifications')
      .set({ content: sql<string>`${now} || substr(content, length(${start}) + 1)` })
      .where((eb) =>
        eb.or([
          eb('actor_id', '=', userId),
          // A line of several people's likes may name another one than rang last.
          eb.and([
            eb('type', '=', 'like'),
            eb('dog_id', 'in', eb.selectFrom('dog_likes').select('dog_id').where('user_id', '=', userId)),
          ]),
        ]),
      )
      .where(sql<boolean>`substr(content, 1, length(${start})) = ${start}`)
      .returning(['id', 'content'])
      .execute()
    for (const line of lines) await updateNotificationEvents(trx, line)
  }
}

/** Has the lines about a dog name it anew; what they quote stays. Call it in the transaction that renames it. */
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
