import { signInByProvider } from '#features/auth/oauth/linked-accounts.server.ts'
import { addComment, deleteComment } from '#features/comments/comments.server.ts'
import { insertDog, toClaimSecret } from '#features/dogs/write/add.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { deleteDog, updateDog } from '#features/dogs/write/edit.server.ts'
import { answerOwnershipRequest, requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { OPEN_REVIEWS_MAX } from '#features/moderation/moderation.ts'
import { spendDailyBudgets } from '#features/photos/daily-budget.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import { transact } from '#db/transact.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import { holdComment } from '#tests/support/moderation/held-comment.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import { answersTo, concurrentSuite, CONNECTIONS, countOf, times } from '#tests/support/postgres/concurrent-suite.ts'
import { eventsAfter } from '#tests/support/live/events-after.ts'
import { assert, assertNone, type Db, dog, listDriftedCounts, pluck, seed } from '#tests/support/suites.ts'

// PostgreSQL runs as many transactions at once as there are connections: what one checks, another may change before it writes.

const actions = concurrentSuite('unit/db/concurrent-actions')
const dogOf = (db: Db, id: string) => db.selectFrom('dogs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

actions('every like answers a count of its own, and the bell has all of them', async ({ db, members, ana }) => {
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const others = members.slice(1)
  const states = await Promise.all(others.map((user) => like(db, user, toby.id)))
  assert.equal(
    pluck(states, 'likes').toSorted((a, b) => a - b),
    others.map((_, n) => n + 1),
  )
  const lines = await db.selectFrom('notifications').select('content').where('user_id', '=', ana.id).execute()
  assert.is(lines.length, 1)
  assert.match(lines[0]!.content, `${others.length - 1} más`)
  const back = await Promise.all(others.map((user) => unlike(db, user, toby.id)))
  assert.equal(
    pluck(back, 'likes').toSorted((a, b) => a - b),
    others.map((_, n) => n),
  )
  assert.equal(await listDriftedCounts(db), [])
})

actions('one member’s likes of the same dog at once are one', async ({ db, ana, luis }) => {
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const states = await Promise.all(times(CONNECTIONS, () => like(db, luis, toby.id)))
  assert.equal(new Set(states.map(({ likes }) => likes)), new Set([1]))
  assert.is((await dogOf(db, toby.id)).votes, 1)
})

actions('comments that are added and deleted at once are counted and published once', async (t) => {
  const { db, members, ana } = t
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const comments = await Promise.all(members.map((user) => addComment(db, user, toby.id, 'Hola')))
  const counts = (await eventsAfter(db, 0, 1000))
    .filter(({ type }) => type === 'comment')
    .map(({ data }) => (JSON.parse(data) as { comments: number }).comments)
  assert.equal(
    counts.toSorted((a, b) => a - b),
    members.map((_, n) => n + 1),
  )
  // Each twice: by its author in two tabs.
  const answers = await answersTo(
    comments.flatMap(({ id }, n) => [deleteComment(db, members[n]!, id), deleteComment(db, members[n]!, id)]),
  )
  assert.equal([countOf(answers, 200), countOf(answers, 404)], [comments.length, comments.length])
  const removals = await db.selectFrom('events').select('id').where('data', 'like', '%"removed"%').execute()
  assert.is(removals.length, comments.length)
  assert.equal(await listDriftedCounts(db), [])
})

actions('of many claims of a dog one succeeds', async ({ db, members }) => {
  const [toby] = await seed(db, dog({ owner_id: null }))
  await issueSecret(db, 'dog-claim', { dog_id: toby.id }, 1, { secret: toClaimSecret('token') })
  const answers = await answersTo(
    members.map(({ id }) => claimDog(db, id, toby.id, { ownershipType: 'owner', token: 'token' })),
  )
  assert.equal([countOf(answers, 200), countOf(answers, 409)], [1, members.length - 1])
  assert.equal(await listDriftedCounts(db), [])
})

actions('of many who take one alias, one gets it and the others are told', async ({ db, members }) => {
  const answers = await answersTo(members.map((user) => updateProfile(db, user, { alias: 'Trufa', emoji: '🐶' })))
  assert.equal([countOf(answers, 200), countOf(answers, 422)], [1, members.length - 1])
})

actions('dogs of one name and breed added at once get an address each', async ({ db, ana }) => {
  const add = (n: number) =>
    transact(db, (trx) =>
      insertDog(trx, {
        id: `00000000-0000-4000-8000-0000000000${10 + n}`,
        input: dogSchema.parse({ name: 'Toby', breed: 'Beagle' }),
        images: [{ url: `/photos/${n}.jpg`, width: 1, height: 1, blur: '' }],
        user_id: ana.id,
        owner_id: ana.id,
        discoverer_id: null,
        created_at: 1,
      }),
    )
  await Promise.all(times(CONNECTIONS, add))
  const slugs = (await db.selectFrom('dogs').select('path_slug').execute()).map(({ path_slug }) => path_slug)
  assert.is(new Set(slugs).size, CONNECTIONS)
  assert.ok(slugs.includes('toby') && slugs.includes(`toby-${CONNECTIONS}`), slugs.join())
})

actions('a daily budget is spent to its end and no further', async ({ db }) => {
  const budgets = [
    { name: 'small', budget: 10 },
    { name: 'large', budget: 1000 },
  ]
  const spend = (n: number) => spendDailyBudgets(db, n % 2 ? budgets : budgets.toReversed(), 1)
  const results = await Promise.all(times(40, spend))
  assert.is(results.filter((spent) => spent === null).length, 10)
  const rows = await db.selectFrom('daily_budgets').select(['name', 'used']).orderBy('name').execute()
  assert.equal(rows, [
    { name: 'large', used: 10 },
    { name: 'small', used: 10 },
  ])
})

actions('a provider’s identity that signs in many times at once opens one account', async ({ db }) => {
  const identity = { id: 'g1', hostedEmail: null, claimedEmail: null }
  const accounts = await Promise.all(times(CONNECTIONS, () => signInByProvider(db, 'google', identity)))
  assert.is(new Set(accounts.map(({ id }) => id)).size, 1)
})

actions('a discoverer’s answers at once give a dog one owner', async ({ db, members, ana }) => {
  const [toby] = await seed(db, dog({ owner_id: null, discoverer_id: ana.id }))
  const others = members.slice(1)
  await Promise.all(others.flatMap((user) => times(2, () => requestOwnership(db, user, toby.id))))
  const bells = await db.selectFrom('notifications').select('id').where('user_id', '=', ana.id).execute()
  assert.is(bells.length, others.length, 'one for each who asks')
  const answers = await answersTo(others.map(({ id }) => answerOwnershipRequest(db, ana, toby.id, id, true)))
  assert.is(countOf(answers, 200), 1)
  assert.is(answers.filter((answer) => answer !== 200 && answer !== 409 && answer !== 404).length, 0)
  assert.equal(await listDriftedCounts(db), [])
})

actions('a member has no more open reviews than the limit', async ({ db, ana, luis }) => {
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const answers = await answersTo(times(OPEN_REVIEWS_MAX + 10, () => holdComment(db, luis, toby.id, 'Se vende')))
  assert.is(countOf(answers, 200), OPEN_REVIEWS_MAX)
})

actions('reports that come at once are all counted in one case', async ({ db, members, ana }) => {
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const report = { kind: 'dog', id: toby.id, reason: 'spam', words: '' } as const
  const others = members.slice(1)
  await Promise.all(others.map((user, n) => submitReport(db, user, report, `10.0.0.${n}`)))
  const cases = await db.selectFrom('cases').select('reports').execute()
  assert.equal(cases, [{ reports: others.length }])
})

actions('whoever is banned writes nothing after it', async ({ db, ana, luis }) => {
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  for (let round = 0; round < 5; round++) {
    await db.deleteFrom('bans').execute()
    await db.deleteFrom('comments_all').execute()
    let bannedAt = Infinity
    const writes = times(CONNECTIONS - 2, async (n) => {
      await addComment(db, luis, toby.id, `Hola ${n}`)
    })
    const banned = transact(db, (trx) => ban(trx, luis.id, { until: null, reason: 'x' })).then(async () => {
      bannedAt = await db
        .selectFrom('comments')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
        .then(({ count }) => count)
    })
    const [answers] = await Promise.all([answersTo(writes), banned])
    assert.is(countOf(answers, 200), bannedAt, 'all that were written are there once the ban is')
    assert.is(countOf(answers, 200) + countOf(answers, 403), writes.length)
  }
})

actions('an account that is deleted while its member writes leaves nothing', async ({ db, dir, ana, members }) => {
  const [toby, rex] = await seed(db, dog({ owner_id: members[2]!.id }), dog({ owner_id: members[3]!.id }))
  const [own] = await seed(db, dog({ owner_id: ana.id }))
  const writes = [
    ...times(4, (n) => addComment(db, ana, toby.id, `Hola ${n}`)),
    like(db, ana, toby.id),
    like(db, ana, rex.id),
    updateProfile(db, ana, { alias: 'Trufa', emoji: '🐶' }),
    updateDog(db, ana, own.id, { name: 'Lobo' }),
    like(db, members[4]!, own.id),
    addComment(db, members[5]!, own.id, 'Qué guapo'),
  ]
  const [answers] = await Promise.all([
    answersTo(writes),
    deleteMemberAccount(db, dir, ana, 'delete').catch(() => deleteMemberAccount(db, dir, ana, 'delete')),
  ])
  assertNone(answers, (answer) => ![200, 401, 404, 410].includes(answer))
  for (const table of ['events', 'notifications', 'comments', 'dog_likes', 'dogs', 'profiles', 'users'] as const) {
    const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute())
    assert.not(rows.includes(ana.id), `${table} has the member`)
  }
  assert.equal(await listDriftedCounts(db), [])
})

actions('a dog that is deleted while others like and comment it leaves nothing', async ({ db, dir, ana, members }) => {
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const others = members.slice(1)
  const answers = await answersTo([
    ...others.slice(0, 6).map((user) => like(db, user, toby.id)),
    ...others.slice(6, 10).map((user) => addComment(db, user, toby.id, 'Hola')),
    deleteDog(db, dir, ana, toby.id),
    ...others.slice(10).map((user) => like(db, user, toby.id)),
  ])
  assertNone(answers, (answer) => ![200, 404, 410].includes(answer))
  const events = (await eventsAfter(db, 0, 1000)).filter(({ data }) => data.includes(toby.id))
  assert.equal(
    events.map(({ type, data }) => [type, (JSON.parse(data) as { action?: string }).action]),
    [['dog', 'removed']],
  )
  assert.equal(await db.selectFrom('notifications').selectAll().execute(), [])
  assert.equal(await listDriftedCounts(db), [])
})
