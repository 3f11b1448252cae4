import { setTimeout as wait } from 'node:timers/promises'
import { addComment } from '#features/comments/comments.server.ts'
import { blockMember } from '#features/reports/blocks/block-member.server.ts'
import { answersTo, concurrentSuite, CONNECTIONS, countOf, times } from '#tests/support/postgres/concurrent-suite.ts'
import { assert, dog, seed } from '#tests/support/suites.ts'

const actions = concurrentSuite('unit/db/concurrent-blocks')

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

actions('two members who block each other at once both do', async ({ db, members }) => {
  for (let pair = 0; pair + 1 < members.length; pair += 2) {
    const [a, b] = [members[pair]!, members[pair + 1]!]
    assert.equal(await answersTo([blockMember(db, a, b.id), blockMember(db, b, a.id)]), [200, 200])
  }
})
