import { dequeue, enqueue, selectDue } from '#features/outbox/jobs.server.ts'
import {
  type ActingTopic,
  runDueJobs,
  startOutbox,
  type Topic,
  type WritingTopic,
} from '#features/outbox/outbox.server.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { assert, countJobs, type Db, dbSuite, insert, member, onlyOnSqlite, seed } from '#tests/support/suites.ts'
import { captureConsole } from '#tests/support/captured-console.ts'

const outbox = dbSuite('unit/outbox/outbox', {}, async () => ({ said: captureConsole() }))
outbox.after.each(({ said }) => said[Symbol.dispose]())

const NOW = 1_000_000 * MINUTE_MS
const writing = (step: WritingTopic['step'], rules: Partial<Topic> = {}) => ({
  name: 't',
  failure: 'falla',
  step,
  ...rules,
})
const acting = (run: ActingTopic['run'], rules: Partial<Topic> = {}) => ({ name: 't', failure: 'falla', run, ...rules })
const add = (db: Db, ...keys: string[]) =>
  enqueue(
    db,
    't',
    keys.map((key) => ({ key })),
    NOW,
  )
const note = (db: Db, title: string, user_id: string) =>
  insert(db, 'notifications_all', { id: title, user_id, type: 'other', title, content: '', created_at: 1 })

outbox('a step and its progress are one: what fails is neither, and is tried again later', async ({ db, said }) => {
  const [ana] = await seed(db, member())
  let isFailing = false
  const topic = writing(async (trx, { cursor }) => {
    await note(trx, `${cursor}x`, ana.id)
    if (isFailing) throw new Error('no')
    isFailing = cursor === 'a'
    return cursor === 'aa' ? 'done' : { cursor: `${cursor}a` }
  })
  await add(db, 'k')
  await runDueJobs(db, [topic], { now: NOW })
  const titles = async () =>
    (await db.selectFrom('notifications_all').select('title').orderBy('title').execute()).map(({ title }) => title)
  assert.equal(await titles(), ['ax', 'x'])
  const job = await db.selectFrom('jobs').selectAll().where('topic', '=', 't').executeTakeFirstOrThrow()
  assert.equal([job.cursor, job.tries, job.error, said.length], ['aa', 1, 'Error', 1])
  isFailing = false
  assert.is(await runDueJobs(db, [topic], { now: NOW }), 0, 'not at once')
  await runDueJobs(db, [topic], { now: NOW + MINUTE_MS })
  assert.equal([await titles(), await countJobs(db, 't')], [['aax', 'ax', 'x'], 0])
})

outbox('a job that fails holds up no other, and what has waited too long is dropped', async ({ db }) => {
  const done: string[] = []
  const topic = writing(
    async (_, { key }) => {
      if (key === 'a') throw new Error('no')
      done.push(key)
      return 'done'
    },
    { maxAgeMs: HOUR_MS },
  )
  await add(db, 'a', 'b')
  await runDueJobs(db, [topic], { now: NOW })
  assert.equal([done, await countJobs(db, 't')], [['b'], 1])
  await runDueJobs(db, [topic], { now: NOW + 2 * HOUR_MS })
  assert.is(await countJobs(db, 't'), 0)
})

outbox('what is enqueued again while it is done is done again, and what is taken back is not', async ({ db }) => {
  const payloads: unknown[] = []
  const topic = acting(async (_, { payload }) => {
    payloads.push(payload)
    if (payloads.length === 1) await enqueue(db, 't', [{ key: 'k', payload: 2 }], NOW)
    return 'done'
  })
  await enqueue(db, 't', [{ key: 'k', payload: 1 }], NOW)
  await add(db, 'away')
  await dequeue(db, 't', 'away')
  await runDueJobs(db, [topic], { now: NOW })
  assert.equal([payloads, await countJobs(db, 't')], [[1, 2], 0])
})

outbox('a process that ends while it acts leaves the job, which is due again minutes later', async ({ db }) => {
  await add(db, 'k')
  const begun = Promise.withResolvers<void>()
  const killed = acting(() => {
    begun.resolve()
    return new Promise(() => {})
  })
  const ending = new AbortController()
  const running = runDueJobs(db, [killed], { now: NOW, signal: ending.signal })
  await begun.promise
  assert.is(await runDueJobs(db, [killed], { now: NOW + MINUTE_MS }), 0, 'it may still be under way')
  const next: string[] = []
  await runDueJobs(db, [acting(async (_, { key }) => (next.push(key), 'done'))], { now: NOW + 10 * MINUTE_MS })
  assert.equal(next, ['k'])
  ending.abort()
  await running
})

outbox(
  'a topic keeps to its rate, rests after a failure of what it needs, and goes on after a clock that was set back',
  async ({ db, said }) => {
    const clock = { now: NOW }
    let failures = 1
    const done: string[] = []
    const topic = acting(
      async (_, { key }) => {
        if (failures-- > 0) throw new Error('no server')
        done.push(key)
        return 'done'
      },
      { perMinute: 2, pauseMs: () => 10 * MINUTE_MS },
    )
    const job = startOutbox(db, [topic], { intervalMs: 5, clock: () => clock.now })
    await add(db, 'a', 'b', 'c', 'd')
    const rounds = () => new Promise((end) => setTimeout(end, 150))
    await rounds()
    assert.equal([done, said.length], [[], 1])
    clock.now += 11 * MINUTE_MS
    await rounds()
    assert.is(done.length, 2)
    clock.now += MINUTE_MS
    await rounds()
    assert.is(done.length, 4)
    clock.now += MINUTE_MS
    failures = 1
    await enqueue(db, 't', [{ key: 'e' }], clock.now)
    await rounds()
    assert.is(said.length, 2)
    clock.now -= 2 * HOUR_MS
    await enqueue(db, 't', [{ key: 'f' }], clock.now)
    await rounds()
    assert.is(done.at(-1), 'f')
    await job.close()
  },
)

outbox('jobs of a member go with the account', async ({ db }) => {
  const [ana] = await seed(db, member())
  await enqueue(db, 't', [{ key: 'k', userId: ana.id }], NOW)
  await db.deleteFrom('users').where('id', '=', ana.id).execute()
  assert.is(await countJobs(db, 't'), 0)
})

onlyOnSqlite(outbox)('the next job of 100,000 is found by the index', async ({ db }) => {
  const [plan] = await explainQueries(db, (listening) => selectDue(listening, { topic: 't', now: NOW, keys: '%' }))
  assert.equal(plan!.steps, ['SEARCH jobs USING INDEX jobs_due (topic=? AND run_at<?)'])
})
