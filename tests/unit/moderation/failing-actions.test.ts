import { rmSync } from 'node:fs'
import { sqliteOf } from '#db/client.ts'
import { eventsAfter } from '#tests/support/live/events-after.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { autoHideTarget, submitReport } from '#features/reports/reports.server.ts'
import { openFailingDb } from '#tests/support/faults/failing-statement.ts'
import { readStoredState } from '#tests/support/faults/stored-state.ts'
import {
  ADMIN_EMAIL,
  copyDataDir,
  copyPopularDog,
  decideAs,
  openCaseOf,
  type PopularDog,
} from '#tests/support/reports/popular-dog.ts'
import type { Action } from '#tests/support/reports/refusals.ts'
import { assert, captureConsole, listDriftedCounts, onlyOnSqlite, suite } from '#tests/support/suites.ts'

// One statement of an action fails, each in turn: the dog is hidden, or every row and photo is as it was.

const hide: Action = async (world) => {
  const { id } = await world.db.selectFrom('cases').select('id').executeTakeFirstOrThrow()
  await decideAs(world, world.admin, id, 'hide')
}

/** Actions that hide Toby, and what comes before them. */
const ACTIONS: Record<string, [action: Action, prepare?: Action]> = {
  'the admin hides it': [hide, (world) => openCaseOf(world, 'dog', world.toby.id)],
  'reports hide it': [
    ({ db, toby }) => autoHideTarget(db, { kind: 'dog', id: toby.id }, ADMIN_EMAIL),
    async ({ db, others, toby }) => {
      const input = { kind: 'dog', id: toby.id, reason: 'spam', words: '' } as const
      for (const [n, user] of others.entries()) await submitReport(db, user, input, `10.0.${n}.1`)
    },
  ],
}

const isPublic = async ({ db, toby }: PopularDog) =>
  (await db.selectFrom('dogs').select('id').where('id', '=', toby.id).executeTakeFirst()) !== undefined

/** What the members of a decision, and the admin, are told of it names the dog. */
const OF_DECISIONS = ['Hemos ocultado algo tuyo', 'Ocultado por varias denuncias']

/** What anybody is still sent or shown of Toby. */
async function listLeaks({ db, ana, luis, toby }: PopularDog): Promise<string[]> {
  const bells = [await listNotifications(db, ana.id), await listNotifications(db, luis.id)]
  const lines = bells.flatMap(({ notifications }) => notifications).map((line) => JSON.stringify(line))
  const events = (await eventsAfter(db, 0, 1000)).map(({ data }) => data)
  return [...lines, ...events].filter(
    (text) =>
      (text.includes('Toby') || text.includes(`"dog_id":"${toby.id}"`)) &&
      !OF_DECISIONS.some((title) => text.includes(title)),
  )
}

const failing = suite<{ said: Disposable }>('unit/moderation/failing-actions')
failing.before((t) => void (t.said = captureConsole()))
failing.after(({ said }) => said[Symbol.dispose]())

for (const [name, [action, prepare]] of Object.entries(ACTIONS))
  onlyOnSqlite(failing)(`${name}: where a statement fails, it is hidden or nothing changes`, async () => {
    const prepared = await copyPopularDog()
    await prepare?.(prepared)
    const bytes = sqliteOf(prepared.db).serialize()
    const before = await readStoredState(prepared.db, prepared.dir)
    let [refused, done] = [0, 0]
    for (let n = 1, isOver = false; !isOver; n++) {
      const { db, count, arm } = openFailingDb(bytes)
      const world = { ...prepared, db, dir: copyDataDir(prepared.dir) }
      arm(n)
      const error = await action(world).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      isOver = count() < n
      arm(0)
      if (await isPublic(world)) {
        refused++
        assert.ok(error, `statement ${n}`)
        const after = await readStoredState(db, world.dir)
        for (const table of Object.keys(before)) assert.equal(after[table], before[table], `statement ${n}: ${table}`)
      } else {
        done++
        assert.equal(await listLeaks(world), [], `statement ${n}`)
        assert.equal(await listDriftedCounts(db), [], `statement ${n}`)
      }
      await db.destroy()
      rmSync(world.dir, { recursive: true })
    }
    assert.ok(refused > 10 && done > 0, `${refused} ${done}`)
    await prepared.db.destroy()
    rmSync(prepared.dir, { recursive: true })
  })
