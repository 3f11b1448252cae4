import type { Trx as Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { runDueJobs, type Topic } from '#features/outbox/outbox.server.ts'

/** How many jobs of a topic wait, due or not. */
export const countJobs = (db: Db, topic: string): Promise<number> =>
  countRows(db.selectFrom('jobs').where('topic', '=', topic))

/** Does what is due of a topic. @returns how many lines that adds to bells */
export async function ringDue(db: Db, topic: Topic, options: Parameters<typeof runDueJobs>[2] = {}): Promise<number> {
  const count = () => countRows(db.selectFrom('notifications_all'))
  const before = await count()
  await runDueJobs(db, [topic], options)
  return (await count()) - before
}

/** Does what is due of a topic of mails. @returns how many are in `sent` more than before */
export async function mailDue(db: Db, topic: Topic, sent: readonly unknown[], now: number): Promise<number> {
  const before = sent.length
  await runDueJobs(db, [topic], { now })
  return sent.length - before
}
