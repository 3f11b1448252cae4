import { setTimeout as wait } from 'node:timers/promises'
import type { Trx as Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { badges } from '#features/badges/refresh.server.ts'
import { enqueue } from '#features/outbox/jobs.server.ts'
import { runDueJobs, type Topic } from '#features/outbox/outbox.server.ts'

/** How many jobs of a topic wait, due or not. */
export const countJobs = (db: Db, topic: string): Promise<number> =>
  countRows(db.selectFrom('jobs').where('topic', '=', topic))

/** Fills what old rows lack, as after its migration. */
export async function fillAll(db: Db, topic: Topic): Promise<void> {
  await enqueue(db, topic.name, [{ key: 'all' }])
  await runDueJobs(db, [topic])
}

/** Decides the badges of all who wait for that, of which a server that runs may have some in hand. */
export async function refreshBadges(db: Db, now = Date.now()): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    await runDueJobs(db, [badges], { now })
    if ((await countJobs(db, 'badges')) === 0) return
    await wait(50)
  }
}

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
