import { transact } from '#db/transact.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { markAllRead } from '#features/notifications/notifications.server.ts'
import { toProblem } from '#server/problem.ts'
import { freshDb } from '#tests/support/db.ts'
import { eventsAfter } from '#tests/support/live/events-after.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, type Db, dbSuite, dog, isPostgresRun, listDriftedCounts, member, seed } from '#tests/support/suites.ts'

// Likes that come at the same time leave what the same likes leave one after another.

const together = dbSuite('unit/likes/likes-together')

const members = (count: number) => Array.from({ length: count }, () => member())

/** The answer to each: the dog's likes, or the status of the refusal. */
const answersTo = (likes: readonly Promise<{ likes: number }>[]): Promise<(number | string)[]> =>
  Promise.all(
    likes.map((each) =>
      each.then(
        ({ likes }) => likes,
        (error: unknown) => `${toProblem(error).status}`,
      ),
    ),
  )

together('each of many likes of some dogs answers a count of its own', async ({ db }) => {
  const [, toby, luna] = await seed(db, member(), dog(), dog())
  const people = await seed(db, ...members(50))
  const answers = await answersTo(
    people.flatMap((user) => [like(db, user, toby.id), like(db, user, luna.id), like(db, user, toby.id)]),
  )
  const counts = people.map((_, n) => n + 1)
  const ofToby = answers.filter((_, i) => i % 3 === 0)
  assert.equal(new Set(ofToby), new Set(counts))
  assert.equal(new Set(answers.filter((_, i) => i % 3 === 1)), new Set(counts))
  // Its member has given it already.
  answers.forEach((likes, i) => i % 3 === 2 && assert.ok(Number(likes) >= Number(answers[i - 2])))
  assert.equal(await listDriftedCounts(db), [])
})

together('likes that are refused fail with their own reason, and those beside them are given', async ({ db }) => {
  const [ana, toby, banned, blocked, luis, eva] = await seed(
    db,
    member(),
    dog(),
    member(),
    member(),
    member(),
    member(),
  )
  await transact(db, (trx) => ban(trx, banned.id, { until: null, reason: 'x' }))
  await transact(db, (trx) => addBlock(trx, ana, blocked.id))
  const answers = await answersTo([
    like(db, luis, toby.id),
    like(db, banned, toby.id),
    like(db, blocked, toby.id),
    like(db, { id: UNKNOWN_ID }, toby.id),
    like(db, luis, UNKNOWN_ID),
    like(db, eva, toby.id),
  ])
  assert.equal(answers, [1, '403', '403', '401', '404', 2])
  const likers = await db.selectFrom('dog_likes').select('user_id').execute()
  assert.equal(new Set(likers.map(({ user_id }) => user_id)), new Set([luis.id, eva.id]))
  assert.equal(await listDriftedCounts(db), [])
})

/** What is stored for readers, in lines, with names instead of ids. */
async function readTraces(db: Db, names: Readonly<Record<string, string>>): Promise<string[]> {
  const bells = await db
    .selectFrom('notifications')
    .select(['user_id', 'dog_id', 'actor_id', 'title', 'content', 'is_read', 'created_at', 'likes_since'])
    .execute()
  const events = await eventsAfter(db, 0, 1000)
  const lines = [
    ...bells.map((row) => JSON.stringify(row)),
    ...events.map(({ type, user_id, data }) => {
      const { id: _, notification, ...rest } = JSON.parse(data) as { id?: string; notification?: { dog_id: string } }
      return JSON.stringify([type, user_id, notification?.dog_id, type === 'like' && rest])
    }),
  ]
  return lines
    .map((line) => Object.entries(names).reduce((text, [id, name]) => text.replaceAll(id, name), line))
    .toSorted()
}

together('whoever is notified reads the same as if likes had come one after another', async () => {
  const start = Date.now() - 60_000
  const [apart, atOnce] = await Promise.all(
    [false, true].map(async (isTogether) => {
      const db = freshDb()
      let clock = start
      const [ana, luis, eva, rita, teo, paz] = await seed(
        db,
        member(),
        member(),
        member(),
        member(),
        member(),
        member(),
      )
      const [toby, luna, rex] = await seed(
        db,
        dog({ owner_id: ana.id, discoverer_id: luis.id }),
        dog({ owner_id: ana.id }),
        dog({ owner_id: luis.id }),
      )
      const give = async (...likes: [user: { id: string }, dog: { id: string }][]) => {
        const asked = likes.map(([user, { id }]) => [user, id, ++clock] as const)
        if (isTogether) await Promise.all(asked.map((each) => like(db, ...each)))
        else for (const each of asked) await like(db, ...each)
      }
      await give([eva, toby], [rita, toby], [ana, toby], [eva, luna], [luis, rex])
      await markAllRead(db, ana)
      for (const user of [eva, rita]) await unlike(db, user, toby.id, ++clock)
      // Likes that were read of and are given again, new ones between them, the owner's own, and none that rings after the last.
      await give([teo, toby], [eva, toby], [teo, luna], [luis, toby], [rita, toby], [eva, rex], [paz, rex])
      const traces = await readTraces(db, {
        ...Object.fromEntries(Object.entries({ ana, luis, eva, rita, teo, paz }).map(([name, { id }]) => [id, name])),
        ...Object.fromEntries(Object.entries({ toby, luna, rex }).map(([name, { id }]) => [id, name])),
      })
      await db.destroy()
      return traces
    }),
  )
  assert.ok(apart!.length > 15)
  // On PostgreSQL either of two simultaneous likes may come first, and the notification names the latest.
  assert.is(atOnce!.length, apart!.length)
  if (!isPostgresRun) assert.equal(atOnce, apart)
  // Ana and Luis, two of the five who like Toby, are not counted in their own notification.
  for (const line of atOnce!) assert.ok(Number(/y.(\d) más/.exec(line)?.[1] ?? 0) <= 3, line)
})
