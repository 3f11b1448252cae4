import type { Trx as Db } from '#db/client.ts'

/** What a fact says: a text, or null where the thing is not there. */
export type FactValue = string | null

/** What was acknowledged, and what it replaced while an answer is awaited. */
export interface Fact {
  value: FactValue
  /** False while a request that changes it is under way, and after a kill until it was read. */
  isSure: boolean
}

/**
 * The members whose deletion a crash has cut short. The next start goes on with it, so their rows count as gone from the first
 * transaction of the deletion: whoever reads them before the start would take for stored what is about to go.
 */
const erasedUsers = (db: Db) => db.selectFrom('account_erasures').select('user_id')

/** Dogs that are there to stay. No dog of this load has two participants, and every deleted account takes its dogs along. */
const stayingDogs = (db: Db, id: string) =>
  db
    .selectFrom('dogs')
    .where('id', '=', id)
    .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', 'not in', erasedUsers(db))]))

/** How each kind of fact is read from the database. */
const FACT_READERS: Record<string, (db: Db, id: string, other: string) => Promise<FactValue>> = {
  dog: async (db, id) => (await stayingDogs(db, id).select('name').executeTakeFirst())?.name ?? null,
  gallery: async (db, id) => {
    const rows = await db
      .selectFrom('dog_images')
      .select('url')
      .where('dog_id', 'in', stayingDogs(db, id).select('id'))
      .orderBy('order')
      .execute()
    return rows.length > 0 ? rows.map((row) => row.url).join(' ') : null
  },
  comment: async (db, id) =>
    (await db.selectFrom('comments').select('content').where('id', '=', id).executeTakeFirst())?.content ?? null,
  like: async (db, id, userId) => {
    const likes = db.selectFrom('dog_likes').select('id').where('dog_id', '=', id).where('user_id', '=', userId)
    return (await likes.executeTakeFirst()) ? 'yes' : null
  },
  emoji: async (db, id) =>
    (await db.selectFrom('profiles').select('emoji').where('id', '=', id).executeTakeFirst())?.emoji ?? null,
  account: async (db, id) => {
    const users = db.selectFrom('users').select('id').where('id', '=', id).where('id', 'not in', erasedUsers(db))
    return (await users.executeTakeFirst()) ? 'yes' : null
  },
  report: async (db, userId, id) => {
    const reports = db.selectFrom('reports').select('words').where('user_id', '=', userId).where('thing_id', '=', id)
    return (await reports.executeTakeFirst())?.words ?? null
  },
  session: async (db, id) =>
    (await db.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst()) ? 'yes' : null,
}

/** What the database says of a fact: `kind id`, or `kind id other`. */
export function readFact(db: Db, key: string): Promise<FactValue> {
  const [kind, id, other = ''] = key.split(' ') as [string, string, string | undefined]
  return FACT_READERS[kind]!(db, id, other)
}
