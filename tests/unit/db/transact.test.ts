import { openPostgres } from '#db/dialect/postgres/open.ts'
import { afterCommit, transact } from '#db/transact.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { assert, type Db, suite } from '#tests/support/suites.ts'

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

  transactions(
    `${database}: one transaction runs at a time, in their order, and an error is thrown once`,
    async (t) => {
      const db = t[database]
      let running = 0
      const ends: number[] = []
      await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          transact(db, async (trx) => {
            assert.is(++running, 1)
            await countBudgets(trx, 'none')
            running--
            ends.push(n)
          }),
        ),
      )
      assert.equal(ends, [...ends.keys()])
      let runs = 0
      const failing = transact(db, async () => {
        runs++
        throw Object.assign(new Error('no'), { code: '40P01' })
      })
      assert.equal([await failing.catch((error: Error) => error.message), runs], ['no', 1])
    },
  )
}

transactions(
  'sixteen writers that wait stop no reader, and other processes wait for the lock',
  async ({ postgres: db }) => {
    await using other = openPostgres(await postgresUrlOf(db), { maxConnections: 2 })
    const finished = Promise.withResolvers<void>()
    const begun: string[] = []
    const write = (name: string, on: Db) =>
      transact(on, async (trx) => {
        begun.push(name)
        await addBudget(trx, `${name} ${begun.length}`)
        await finished.promise
      })
    const writers = [write('first', db), ...Array.from({ length: 16 }, () => write('own', db)), write('other', other)]
    while (begun.length < 1) await countBudgets(db, 'none')
    for (let n = 0; n < 20; n++) await Promise.all(Array.from({ length: 15 }, () => countBudgets(db, 'none')))
    assert.is(begun.length, 1)
    finished.resolve()
    await Promise.all(writers)
    assert.is(begun.length, 18)
  },
)

transactions('a wait for the lock ends by itself', async ({ postgres: db }) => {
  await using other = openPostgres(await postgresUrlOf(db), { maxConnections: 1 })
  const error = await transact(db, () => transact(other, async () => {})).catch((failure: unknown) => failure)
  assert.is(findStorageFailure(error), 'busy')
})
