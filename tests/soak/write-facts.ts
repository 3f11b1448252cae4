import type { Db } from '#db/client.ts'

/** What a fact says: a text, or null where the thing is not there. */
export type FactValue = string | null

/** What was acknowledged, and what it replaced while an answer is awaited. */
export interface Fact {
  value: FactValue
  /** False while a request that changes it is under way, and after a kill until it was read. */
  isSure: boolean
}

/** How each kind of fact is read from the database. */
const FACT_READERS: Record<string, (db: Db, id: string, other: string) => Promise<FactValue>> = {
  dog: async (db, id) =>
    (await db.selectFrom('dogs').select('name').where('id', '=', id).executeTakeFirst())?.name ?? null,
  gallery: async (db, id) => {
    const rows = await db.selectFrom('dog_images').select('url').where('dog_id', '=', id).orderBy('order').execute()
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
  // An erasure that a crash cut short goes on after the start: the account counts as deleted from its first transaction.
  account: async (db, id) =>
    (await db
      .selectFrom('users')
      .select('id')
      .where('id', '=', id)
      .where('id', 'not in', (eb) => eb.selectFrom('account_erasures').select('user_id'))
      .executeTakeFirst())
      ? 'yes'
      : null,
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
