import { randomUUID } from 'node:crypto'
import type { Trx as Db } from '#db/client.ts'

const DAY_MS = 86_400_000

/** Makes members of long standing of them, who said something of the dog then: what they report counts towards hiding. */
export async function makeEstablishedMembers(db: Db, userIds: readonly string[], dogId: string): Promise<void> {
  const then = Date.now() - 30 * DAY_MS
  await db.updateTable('users').set({ created_at: then }).where('id', 'in', userIds).execute()
  const said = (user_id: string) => ({ id: randomUUID(), dog_id: dogId, user_id, content: 'Hola', created_at: then })
  await db.insertInto('comments_all').values(userIds.map(said)).execute()
}
