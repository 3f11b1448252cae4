import { like, unlike } from '#features/likes/likes.server.ts'
import { countUnread, listNotifications, markAllRead } from '#features/notifications/notifications.server.ts'
import {
  type Context,
  HOUR,
  listBodies,
  MINUTE,
  senderSuite,
  subscribeDevice,
} from '#tests/support/notifications/sender-suite.ts'
import { assert, type CurrentUser, member, seed } from '#tests/support/suites.ts'

// Likes that are taken back and given again, by one member or by several in turn: the dog's owner hears of each once a day.

const likes = senderSuite('unit/notifications/likes-given-again')

const DAY = 24 * HOUR

const seen = async ({ db, ana }: Context) =>
  (await listNotifications(db, ana.id)).notifications.map(({ content, is_read }) => [content, is_read])

/** Time for a push, and for the rest of its device. */
async function wait(t: Context, ms = MINUTE) {
  t.clock.now += ms
  await t.sender.flush()
}

const give = ({ db, toby, clock }: Context, who: CurrentUser) => like(db, who, toby.id, clock.now)
const takeBack = ({ db, toby, clock }: Context, who: CurrentUser) => unlike(db, who, toby.id, clock.now)

for (const [situation, { others, isRead }] of Object.entries({
  'the only like, unread': { others: 0, isRead: false },
  'the only like, read': { others: 0, isRead: true },
  'one of several, unread': { others: 2, isRead: false },
  'one of several, read': { others: 2, isRead: true },
}))
  for (const accounts of [1, 2])
    likes(`${situation}: ${accounts} in turn push nothing again and make nothing unread`, async (t) => {
      await subscribeDevice(t, t.ana)
      const more = await seed(t.db, ...Array.from({ length: 3 }, () => member()))
      const inTurn = [t.luis, more[2]!].slice(0, accounts)
      for (const who of [...more.slice(0, others), ...inTurn]) await give(t, who)
      await wait(t)
      if (isRead) await markAllRead(t.db, t.ana)
      const unread = await countUnread(t.db, t.ana.id)
      const pushed = listBodies(t).length
      assert.is(pushed, 1)
      for (let n = 0; n < 6; n++) {
        const who = inTurn[n % accounts]!
        await takeBack(t, who)
        await wait(t)
        await give(t, who)
        await wait(t)
        assert.is(await countUnread(t.db, t.ana.id), unread, `${n + 1} times`)
      }
      assert.is(listBodies(t).length, pushed)
      assert.is((await seen(t)).length, 1)
    })

likes('a like taken back before it was pushed is pushed when it is given again at once', async (t) => {
  await subscribeDevice(t, t.ana)
  await give(t, t.luis)
  t.clock.now += 2000
  await takeBack(t, t.luis)
  t.clock.now += 2000
  await give(t, t.luis)
  await wait(t)
  assert.equal(listBodies(t), ['A Luis le gusta Toby'])
  assert.equal(await seen(t), [['A Luis le gusta Toby', false]])
})

likes('taking a like back and giving it again for hours moves its notification nowhere', async (t) => {
  await give(t, t.luis)
  const [before] = (await listNotifications(t.db, t.ana.id)).notifications
  for (let n = 0; n < 5; n++) {
    await wait(t, HOUR)
    await takeBack(t, t.luis)
    await give(t, t.luis)
  }
  const [after] = (await listNotifications(t.db, t.ana.id)).notifications
  assert.is(after!.created_at, before!.created_at)
})

likes('what is unread counts the new likes and not the one that was read and is given again', async (t) => {
  const [eva] = await seed(t.db, member({ alias: 'Eva' }))
  await give(t, t.luis)
  await markAllRead(t.db, t.ana)
  await takeBack(t, t.luis)
  assert.equal(await seen(t), [])
  await wait(t)
  await give(t, eva)
  assert.equal(await seen(t), [['A Eva le gusta Toby', false]])
  await wait(t)
  await give(t, t.luis)
  assert.equal(await seen(t), [['A Eva le gusta Toby', false]])
})

likes('other members, other dogs, and the same like after a day notify', async (t) => {
  const [eva] = await seed(t.db, member({ alias: 'Eva' }))
  await subscribeDevice(t, t.ana)
  await give(t, t.luis)
  await wait(t)
  await markAllRead(t.db, t.ana)
  await takeBack(t, t.luis)
  await give(t, eva)
  await wait(t)
  await markAllRead(t.db, t.ana)
  await takeBack(t, eva)
  assert.equal(await seen(t), [])
  await wait(t, DAY)
  await give(t, t.luis)
  await wait(t)
  assert.equal(await seen(t), [['A Luis le gusta Toby', false]])
  assert.equal(listBodies(t), ['A Luis le gusta Toby', 'A Eva le gusta Toby', 'A Luis le gusta Toby'])
})
