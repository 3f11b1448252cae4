import { sqliteOf, type Trx } from '#db/client.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { isMoveUnfinished, type MovedTable, moveRows } from '#features/maintenance/move/move-rows.server.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { fillCommunity } from '#tests/support/community/fill-community.ts'
import { freshPostgresDb } from '#tests/support/postgres/databases.ts'
import { readPostgresShape, readSqliteShape } from '#tests/support/postgres/schema-shapes.ts'
import { readAllRows } from '#tests/support/rows.ts'
import { assert, type Db, dog, listDriftedCounts, member, seed, suite } from '#tests/support/suites.ts'

const move = suite<{ source: Db }>('unit/maintenance/move-rows')

move.before(async (t) => {
  t.source = sqliteDb()
  // More than a batch of several tables, and texts that another alphabet's order would sort otherwise.
  fillCommunity(t.source, 1200)
  const [ana, toby, luis] = await seed(t.source, member({ alias: 'Ñandú äöü ß 🐶' }), dog({ weight: 21.5 }), member())
  await like(t.source, luis, toby.id)
  await addComment(t.source, luis, toby.id, '¡Qué «guapo»!\n\tComo \'él\' "no" hay \\ otro')
  assert.ok(ana.id)
})
move.after(({ source }) => source.destroy())

const describe = (tables: readonly MovedTable[]) => tables.map(({ name, rows, digest }) => `${name} ${rows} ${digest}`)

move('moved to PostgreSQL and back, every row of every table is the same', async ({ source }) => {
  const [postgres, back] = [freshPostgresDb(), sqliteDb()]
  const seen: string[] = []
  const there = await moveRows(source, postgres, ({ table, rows, total }) => seen.push(`${table} ${rows}/${total}`))
  assert.ok(there.find(({ name }) => name === 'dogs_all')!.rows > 1200)
  assert.ok(seen.includes('dogs_all 1000/1201') && seen.includes('dogs_all 1201/1201'), seen.join('\n'))
  const andBack = await moveRows(postgres, back)
  assert.equal(describe(andBack), describe(there))
  const [before, after] = [await readAllRows(source), await readAllRows(back)]
  assert.equal(Object.keys(after), Object.keys(before))
  // In no order: as texts, sorted.
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted()
  for (const [table, rows] of Object.entries(before))
    if (!table.startsWith('kysely_')) assert.equal(sorted(after[table]!), sorted(rows), table)
  await Promise.all([postgres.destroy(), back.destroy()])
})

move('the moved database has its triggers and counters again', async ({ source }) => {
  const [postgres, back, fresh] = [freshPostgresDb(), sqliteDb(), sqliteDb()]
  await moveRows(source, postgres)
  await moveRows(postgres, back)
  const triggersOf = (db: Db) =>
    sqliteOf(db).prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name`).all()
  assert.equal(triggersOf(back), triggersOf(fresh))
  assert.equal(readSqliteShape(sqliteOf(back)), readSqliteShape(sqliteOf(fresh)))
  const untouched = freshPostgresDb()
  assert.equal(await readPostgresShape(postgres), await readPostgresShape(untouched))
  for (const db of [postgres, back]) {
    const [eva, kira] = await seed(db, member(), dog())
    await like(db, eva, kira.id)
    const { id } = await db.selectFrom('events').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
    const before = await source
      .selectFrom('events')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirstOrThrow()
    assert.ok(id > before.id, 'an event has an id that nobody has seen')
    const { votes } = await db.selectFrom('dogs').select('votes').where('id', '=', kira.id).executeTakeFirstOrThrow()
    assert.is(votes, 1)
  }
  assert.equal(await listDriftedCounts(back), [])
  await Promise.all([postgres.destroy(), back.destroy(), fresh.destroy(), untouched.destroy()])
})

/** The database, which fails at its transaction number `count`, before or after the commit. */
function failingAt(db: Db, count: number, isAfter: boolean): Db {
  let begun = 0
  return new Proxy(db, {
    get(target, name) {
      if (name !== 'transaction') {
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return () => ({
        async execute<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
          const isNow = ++begun === count
          if (isNow && !isAfter)
            return target.transaction().execute(async (trx) => {
              await work(trx)
              throw new Error('cut')
            })
          const result = await target.transaction().execute(work)
          if (isNow) throw new Error('cut')
          return result
        },
      })
    },
  })
}

for (const where of ['postgres', 'sqlite'] as const)
  for (const isAfter of [false, true])
    move(`broken off ${isAfter ? 'after' : 'before'} any commit, a move to ${where} goes on and ends`, async () => {
      const source = sqliteDb()
      fillCommunity(source, 20)
      const whole = freshPostgresDb()
      const expected = describe(await moveRows(source, whole))
      await whole.destroy()
      const target = where === 'postgres' ? freshPostgresDb() : sqliteDb()
      let cuts = 0
      for (;;) {
        const cut = await moveRows(source, failingAt(target, 2, isAfter)).then(
          (moved) => (assert.equal(describe(moved), expected), false),
          (error: Error) => (assert.is(error.message, 'cut'), true),
        )
        if (!cut) break
        // Broken off after its last commit, a move has ended.
        if (!(await isMoveUnfinished(target))) break
        cuts++
      }
      assert.ok(cuts > 5, `${cuts} cuts`)
      assert.is(await isMoveUnfinished(target), false)
      await Promise.all([target.destroy(), source.destroy()])
    })

move('a target with data is refused and left as it is', async ({ source }) => {
  for (const target of [freshPostgresDb(), sqliteDb()]) {
    await seed(target, member({ alias: 'Otra' }))
    const before = await readAllRows(target)
    const error = await moveRows(source, target).then(
      () => null,
      (reason: Error) => reason,
    )
    assert.match(
      error?.message ?? '',
      /^el destino ya tiene datos \(tabla [a-z_]+\): tiene que estar vacío(?: \(dropdb y createdb\))?\.$/,
    )
    assert.equal(await readAllRows(target), before)
    await target.destroy()
  }
})

move('a source that changed after it was copied is noticed, and the target stays unfinished', async ({ source }) => {
  await using target = freshPostgresDb()
  let isChanged = false
  const error = await moveRows(source, target, ({ table, rows, total }) => {
    if (isChanged || table !== 'users' || rows < total) return
    isChanged = true
    sqliteOf(source).exec(`UPDATE users SET created_at = created_at + 1 WHERE id = (SELECT max(id) FROM users)`)
  }).then(
    () => null,
    (reason: Error) => reason,
  )
  assert.ok(isChanged)
  assert.match(error?.message ?? '', /^la tabla users no es igual en los dos lados/)
  assert.is(await isMoveUnfinished(target), true)
})
