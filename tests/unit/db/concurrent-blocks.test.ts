import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { blockMember } from '#features/reports/blocks/block-member.server.ts'
import { answersTo, concurrentSuite, CONNECTIONS, countOf, times } from '#tests/support/postgres/concurrent-suite.ts'
import { dog, seed } from '#tests/support/seed.ts'

const actions = concurrentSuite('unit/db/concurrent-blocks')

/** Deadlocks of this database since it was made, all of them: the connection that meets one reports it when its transaction ends. */
async function countDeadlocks(db: Db): Promise<number> {
  await wait(1100)
  const { rows } = await sql<{ deadlocks: string }>`
    SELECT pg_stat_force_next_flush(), deadlocks FROM pg_stat_database WHERE datname = current_database()`.execute(db)
  return Number(rows[0]!.deadlocks)
}

actions('two members with a block between them have no notification of each other', async ({ db, ana, luis }) => {
  for (let round = 0; round < 8; round++) {
    await db.deleteFrom('blocks').execute()
    const [toby] = await seed(db, dog({ owner_id: ana.id }))
    const writing = times(CONNECTIONS - 4, async (n) => {
      await wait(n * 2)
      await addComment(db, luis, toby.id, 'Hola')
    })
    await wait(round * 2)
    const answers = await answersTo([blockMember(db, ana, luis.id), ...writing])
    assert.is(countOf(answers, 200) + countOf(answers, 403), answers.length, answers.join())
    const left = await db.selectFrom('notifications').select('id').where('actor_id', '=', luis.id).execute()
    assert.equal(left, [])
  }
})

actions(
  'a block waits for writes of the blocked member without a deadlock, in whichever order the ids are',
  async ({ db, members }) => {
    const before = await countDeadlocks(db)
    for (const [blocker, blocked] of [members.slice(0, 2), members.slice(0, 2).toReversed()] as const) {
      await db.deleteFrom('blocks').execute()
      const [toby] = await seed(db, dog({ owner_id: blocker!.id }))
      const writing = times(CONNECTIONS, async (n) => {
        await wait(n)
        await addComment(db, blocked!, toby.id, 'Hola')
      })
      const answers = await answersTo([wait(5).then(() => blockMember(db, blocker!, blocked!.id)), ...writing])
      assert.is(answers[0], 200)
    }
    assert.is((await countDeadlocks(db)) - before, 0)
  },
)

actions('two members who block each other at once both do', async ({ db, members }) => {
  const before = await countDeadlocks(db)
  for (let pair = 0; pair + 1 < members.length; pair += 2) {
    const [a, b] = [members[pair]!, members[pair + 1]!]
    assert.equal(await answersTo([blockMember(db, a, b.id), blockMember(db, b, a.id)]), [200, 200])
  }
  assert.is((await countDeadlocks(db)) - before, 0)
})

actions.run()
