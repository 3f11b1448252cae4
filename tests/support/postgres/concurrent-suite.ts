import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Trx as Db } from '#db/client.ts'
import { listTableLayouts } from '#db/dialect/table-layouts.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { toProblem } from '#server/problem.ts'
import { member, seed } from '#tests/support/seed.ts'
import { freshPostgresDb } from './databases.ts'
import { suite, type Test } from '#tests/support/suites.ts'

/** Connections of the database, and members in it. */
export const CONNECTIONS = 16

export interface ConcurrentWorld {
  db: Db
  dir: string
  members: CurrentUser[]
  ana: CurrentUser
  luis: CurrentUser
}

/** A suite over a PostgreSQL database of as many connections as members, empty but for them before each test. */
export function concurrentSuite(title: string): Test<ConcurrentWorld> {
  const actions = suite<ConcurrentWorld>(title)
  actions.before((t) => {
    t.db = freshPostgresDb({ maxConnections: CONNECTIONS })
  })
  actions.after(({ db }) => db.destroy())
  actions.before.each(async (t) => {
    await emptyTables(t.db)
    t.dir = mkdtempSync(join(tmpdir(), 'perrario-concurrent-'))
    t.members = await seed(t.db, ...Array.from({ length: CONNECTIONS }, () => member()))
    ;[t.ana, t.luis] = t.members as [CurrentUser, CurrentUser]
  })
  actions.after.each(({ dir }) => rmSync(dir, { recursive: true }))
  return actions
}

/** Sooner than a database for each test. */
async function emptyTables(db: Db): Promise<void> {
  // It takes new rows only, and no test here writes one.
  const layouts = (await listTableLayouts(db)).filter(({ name }) => name !== 'admin_log')
  const names = layouts.map(({ name }) => sql.table(name))
  await sql`TRUNCATE ${sql.join(names)}`.execute(db)
  await db.insertInto('totals').values({ name: 'profiles', value: 0 }).execute()
}

/** The status that the API answers to each action. */
export const answersTo = (actions: readonly Promise<unknown>[]): Promise<number[]> =>
  Promise.all(
    actions.map((action) =>
      action.then(
        () => 200,
        (error: unknown) => toProblem(error).status,
      ),
    ),
  )
export const countOf = (answers: readonly number[], status: number): number =>
  answers.filter((answer) => answer === status).length
export const times = <T>(count: number, make: (n: number) => Promise<T>): Promise<T>[] =>
  Array.from({ length: count }, (_, n) => make(n))
