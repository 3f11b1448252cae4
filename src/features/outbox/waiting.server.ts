import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import type { WaitingTopic } from './waiting.ts'

/** What is due and what has failed, by topic. Reads all jobs. */
export const listWaitingTopics = (db: Db, now = Date.now()): Promise<WaitingTopic[]> =>
  db
    .selectFrom('jobs')
    .select(({ fn }) => [
      'topic',
      fn.countAll<number>().as('jobs'),
      fn.min('run_at').as('due_at'),
      sql<number>`sum(CASE WHEN tries > 0 THEN 1 ELSE 0 END)`.as('failed'),
      fn.max('error').as('error'),
    ])
    .where((eb) => eb.or([eb('run_at', '<=', now), eb('tries', '>', 0)]))
    .groupBy('topic')
    .orderBy('topic')
    .execute()
