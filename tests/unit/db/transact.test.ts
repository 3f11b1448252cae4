import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { lockKeys } from '#db/dialect/locks.ts'
import { afterCommit, transact } from '#db/transact.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { freshPostgresDb } from '#tests/support/postgres/databases.ts'

const transactions = suite<{ sqlite: Db; postgres: Db }>('unit/db/transact')
transactions.before((t) => {
  t.sqlite = sqliteDb()
  t.postgres = freshPostgresDb({ maxConnections: 16 })
})
transactions.after(async ({ sqlite, postgres }) => {
  await Promise.all([sqlite.destroy(), postgres.destroy()])
})

const addBudget = (db: Db, name: string) => db.insertInto('daily_budgets').values({ name, used: 1, since: 1 }).execute()
const countBudgets = async (db: Db, name: string) =>
  (await db.selectFrom('daily_budgets').selectAll().where('name', '=', name).execute()).length

for (const database of ['sqlite', 'postgres'] as const) {
  transactions(`${database}: what follows a commit runs once after it, and never after a rollback`, async (t) => {
    const db = t[database]
    const calls: string[] = []
    const callback = () => void calls.push('committed')
    await transact(db, async (trx) => {
      await addBudget(trx, 'kept')
      afterCommit(trx, callback)
      afterCommit(trx, callback)
      assert.equal(calls, [])
    })
    await transact(db, async (trx) => {
      await addBudget(trx, 'gone')
      afterCommit(trx, () => calls.push('rolled back'))
      throw new Error('no')
    }).catch(() => {})
    assert.equal([calls, await countBudgets(db, 'kept'), await countBudgets(db, 'gone')], [['committed'], 1, 0])
    afterCommit(db, () => calls.push('at once'))
    assert.is(calls.at(-1), 'at once')
  })

  transactions(`${database}: a transaction that met another runs again, and any other error is thrown`, async (t) => {
    const db = t[database]
    const name = `retried ${database}`
    for (const code of ['40001', '40P01']) {
      let runs = 0
      const calls: number[] = []
      await transact(db, async (trx) => {
        runs++
        await addBudget(trx, `${name} ${code}`)
        afterCommit(trx, () => calls.push(runs))
        if (runs < 3) throw Object.assign(new Error('met'), { code })
      })
      assert.equal([runs, calls, await countBudgets(db, `${name} ${code}`)], [3, [3], 1])
    }
    let runs = 0
    const failing = (code: string) =>
      transact(db, async () => {
        runs++
        throw Object.assign(new Error(code), { code })
      }).catch((error: Error) => error.message)
    assert.is(await failing('23505'), '23505')
    assert.is(runs, 1)
    assert.is(await failing('40001'), '40001')
    assert.ok(runs > 3 && runs < 20, `${runs} runs`)
  })
}

transactions('of transactions that wait for each other all end', async ({ postgres: db }) => {
  for (const name of ['a', 'b', 'c', 'd']) await addBudget(db, name)
  const add = (trx: Db, name: string) =>
    trx
      .updateTable('daily_budgets')
      .set((eb) => ({ used: eb('used', '+', 1) }))
      .where('name', '=', name)
      .execute()
  const names = ['a', 'b', 'c', 'd']
  await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      transact(db, async (trx) => {
        // Deadlocks are looked for after a second by default.
        await sql`SET LOCAL deadlock_timeout = '20ms'`.execute(trx)
        for (let step = 0; step < 4; step++) await add(trx, names[n % 2 ? 3 - step : step]!)
      }),
    ),
  )
  const rows = await db.selectFrom('daily_budgets').select('used').where('name', 'in', names).execute()
  assert.equal(
    rows.map(({ used }) => used),
    [9, 9, 9, 9],
  )
})

transactions('several keys are locked in one order, whatever their order in the call', async ({ postgres: db }) => {
  let running = 0
  await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      transact(db, async (trx) => {
        await lockKeys(trx, 'test', n % 2 ? ['x', 'y'] : ['y', 'x'])
        assert.is(++running, 1)
        await sql`SELECT pg_sleep(0.002)`.execute(trx)
        running--
      }),
    ),
  )
})

transactions(
  'of many transactions ten run at a time, in their order, and reads are answered',
  async ({ postgres: db }) => {
    // A connection that is opened meanwhile begins its transaction later.
    await Promise.all(Array.from({ length: 16 }, () => sql`SELECT pg_sleep(0.2)`.execute(db)))
    let finish = () => {}
    const finished = new Promise<void>((resolve) => (finish = resolve))
    const begun: number[] = []
    const all = Array.from({ length: 40 }, (_, n) =>
      transact(db, async (trx) => {
        begun.push(n)
        await countBudgets(trx, 'none')
        await finished
      }),
    )
    while (begun.length < 10) await countBudgets(db, 'none')
    await Promise.all(Array.from({ length: 20 }, () => countBudgets(db, 'none')))
    assert.is(begun.length, 10)
    finish()
    await Promise.all(all)
    assert.is(new Set(begun).size, 40)
    // In their order but for the ten that begin at the same time, each on a connection of its own.
    for (const [position, n] of begun.entries()) assert.ok(Math.abs(n - position) < 10, begun.join(' '))
  },
)

transactions('a wait for a lock ends by itself', async ({ postgres: db }) => {
  const error = await transact(db, async (trx) => {
    await lockKeys(trx, 'test', ['held'])
    await transact(db, (other) => lockKeys(other, 'test', ['held']))
  }).catch((failure: unknown) => failure)
  assert.is(findStorageFailure(error), 'busy')
})

transactions.run()
