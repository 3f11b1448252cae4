import { aboutText, MAX_MESSAGES_PER_THREAD } from '#features/contact/contact.ts'
import { eraseRows } from '#features/account/personal-data/erase-rows.server.ts'
import { finderSecret } from '#features/contact/finder-secret.server.ts'
import { listThreads } from '#features/contact/list.server.ts'
import { closeThreadsOfFound, markThreadRead, openThread, readThread } from '#features/contact/threads.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { postMessage } from '#tests/support/contact/post-message.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { assert, dbSuite, dog, insert, member, pluck, refusal } from '#tests/support/suites.ts'

const threads = dbSuite(
  'unit/contact/threads',
  { ana: member(), toby: dog({ name: 'Toby' }), luis: member() },
  async ({ db, ana, toby }) => ({ caseId: await addLostCase(db, { dog_id: toby.id, owner_id: ana.id }) }),
)

const noSecrets = new Map<string, string>()

threads(
  'Both sides read the thread, and a device with a wrong secret or none reads nothing',
  async ({ db, ana, luis, caseId }) => {
    const { secret, hash } = finderSecret()
    const { id } = await openThread(db, { lostCaseId: caseId, memberId: ana.id, finder: { secretHash: hash } })
    await postMessage(db, 'finder', id, 'Está conmigo. Hazme un bizum de 50')
    const device = { userId: null, secrets: new Map([[id, secret]]) }
    const [message] = (await readThread(db, { userId: ana.id, secrets: noSecrets }, id)).messages
    assert.is(message?.warning, 'money')
    assert.not(message?.mine)
    assert.ok((await readThread(db, device, id)).messages[0]?.mine)
    for (const reader of [
      { userId: null, secrets: new Map([[id, finderSecret().secret]]) },
      { userId: null, secrets: noSecrets },
      { userId: luis.id, secrets: noSecrets },
    ])
      assert.is((await refusal(readThread(db, reader, id)))[0], 404)
  },
)

threads('The bell has one line a thread, without the words', async ({ db, ana, luis, caseId }) => {
  const { id } = await openThread(db, { lostCaseId: caseId, memberId: ana.id, finder: { userId: luis.id } })
  await postMessage(db, 'finder', id, 'Palabra', 1000)
  await postMessage(db, 'finder', id, 'Palabra', 2000)
  const lines = await db.selectFrom('notifications').selectAll().where('user_id', '=', ana.id).execute()
  assert.is(lines.length, 1)
  assert.not.match(JSON.stringify(lines), 'Palabra')
})

threads(
  'Of two who write at once the second message is unread, though it began first',
  async ({ db, ana, luis, caseId }) => {
    const { id } = await openThread(db, { lostCaseId: caseId, memberId: ana.id, finder: { userId: luis.id } })
    await postMessage(db, 'member', id, 'Hola', 2000)
    await postMessage(db, 'finder', id, 'Lo he visto', 1990)
    const own = await listThreads(db, { userId: ana.id, secrets: noSecrets })
    assert.ok(own.threads[0]!.isUnread)
    const { messages } = await readThread(db, { userId: ana.id, secrets: noSecrets }, id)
    assert.equal(pluck(messages, 'text'), ['Hola', 'Lo he visto'])
    await markThreadRead(db, { userId: ana.id, secrets: noSecrets }, id, messages[1]!.created_at)
    assert.not((await listThreads(db, { userId: ana.id, secrets: noSecrets })).threads[0]!.isUnread)
  },
)

threads(
  'A thread about a lost dog says so while the dog is hidden, or somebody else’s',
  async ({ db, ana, luis, toby, caseId }) => {
    const { id } = await openThread(db, { lostCaseId: caseId, memberId: ana.id, finder: { userId: luis.id } })
    await db.updateTable('dogs_all').set({ owner_id: luis.id }).where('id', '=', toby.id).execute()
    const reader = { userId: ana.id, secrets: noSecrets }
    const thread = await readThread(db, reader, id)
    assert.equal(
      [thread.kind, thread.dog, thread.about, thread.stop, aboutText(thread)],
      ['lost', null, null, 'hidden', 'un perro perdido'],
    )
    assert.is((await listThreads(db, reader)).threads[0]!.dog, null)
  },
)

threads('The same finder has one thread for a case', async ({ db, ana, luis, caseId }) => {
  const about = { lostCaseId: caseId, memberId: ana.id, finder: { userId: luis.id } }
  assert.equal(await openThread(db, about), await openThread(db, about))
})

threads(
  'A block, a ban, a hidden dog and the bound of a thread each end the writing',
  async ({ db, ana, luis, toby, caseId }) => {
    const { id } = await openThread(db, { lostCaseId: caseId, memberId: ana.id, finder: { userId: luis.id } })
    const statusOf = async (text = 'Hola') => (await refusal(postMessage(db, 'finder', id, text)))[0]
    assert.equal([await statusOf(' '), await statusOf('a'.repeat(501))], [422, 422])
    const message = { thread_id: id, side: 'finder', text: 'a', warning: null, created_at: 1 } as const
    await insert(
      db,
      'contact_messages',
      Array.from({ length: MAX_MESSAGES_PER_THREAD }, (_, n) => ({ ...message, id: String(n) })),
    )
    assert.is(await statusOf(), 409)
    await db.deleteFrom('contact_messages').execute()
    await addBlock(db, ana, luis.id)
    assert.is(await statusOf(), 403)
    await db.deleteFrom('blocks').execute()
    await ban(db, luis.id, { until: null, reason: 'No' })
    assert.is(await statusOf(), 403)
    await db.deleteFrom('bans').execute()
    await db.deleteFrom('dogs_all').where('id', '=', toby.id).execute()
    assert.is(await statusOf(), 403)
  },
)

threads('A thread goes with its case, its notice and the account of either side', async ({ db, ana, luis, caseId }) => {
  const finder = { userId: luis.id }
  const ofCase = await openThread(db, { lostCaseId: caseId, memberId: ana.id, finder })
  await postMessage(db, 'finder', ofCase.id, 'Hola')
  await db.deleteFrom('lost_cases').execute()
  assert.is((await refusal(postMessage(db, 'finder', ofCase.id, 'Hola')))[0], 404)
  assert.equal(await db.selectFrom('contact_messages').selectAll().execute(), [])
  await openThread(db, { foundId: 'a', memberId: ana.id, finder })
  await closeThreadsOfFound(db, 'a')
  assert.equal(await db.selectFrom('contact_threads').selectAll().execute(), [])
  for (const userId of [ana.id, luis.id]) {
    await openThread(db, { foundId: 'b', memberId: ana.id, finder })
    await eraseRows(db, userId, ['contact_threads'])
    assert.equal(await db.selectFrom('contact_threads').selectAll().execute(), [])
  }
})
