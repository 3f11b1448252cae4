import { runDueDeletions } from '#features/account/deletion/due-deletions.server.ts'
import { restoreByLink } from '#features/account/deletion/restore-account.server.ts'
import { resumeErasures } from '#features/account/erase.server.ts'
import type { DogsChoice } from '#features/dogs/member-roles.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { ACTIONS, attemptAll } from '#tests/support/account/actions-meanwhile.ts'
import {
  disposeOriginal,
  DOG_WORDS,
  findWords,
  findWordsIn,
  type Leaving,
  onceBefore,
  PERSONAL_WORDS,
  workBefore,
} from '#tests/support/account/leaving-member.ts'
import {
  copyInSight,
  dispose,
  leave,
  PUBLIC_TABLES,
  readPublic,
  readPublicRows,
} from '#tests/support/account/pending-deletion.ts'
import { sample } from '#tests/support/sample.ts'
import { listBrokenReferences } from '#tests/support/rows.ts'
import { assert, listDriftedCounts, suite } from '#tests/support/suites.ts'

// An account is taken out of sight, brought back and erased in steps. A crash ends between any two of them, and others act there.

const CHOICES: readonly DogsChoice[] = ['delete', 'keep']
/** Of some twenty. */
const SAMPLED_STEPS = 6

type Work = (leaving: Leaving) => Promise<unknown>

/** Names the transactions that erase, hide or bring back by their order and place. */
function countPlaces() {
  let count = 0
  return (place: string) => (place ? `${++count}. ${place}` : '')
}

/** The transactions of `work`, in order. */
async function listSteps(copy: () => Promise<Leaving>, work: Work): Promise<string[]> {
  const leaving = await copy()
  const [steps, name] = [[] as string[], countPlaces()]
  const isNow = (place: string) => {
    if (place) steps.push(name(place))
    return false
  }
  await work({ ...leaving, db: workBefore(leaving.db, isNow, async () => {}) })
  await dispose(leaving)
  return steps
}

/** Whether a transaction is the step. */
function isStep(step: string) {
  const name = countPlaces()
  return (place: string) => name(place) === step
}

class Crash extends Error {}

/** Ends `work` before the step, and continues with what the next start does. */
async function crashAt(leaving: Leaving, step: string, work: Work, now?: number): Promise<void> {
  const crash = async () => {
    throw new Crash()
  }
  const { db, state } = onceBefore(leaving.db, isStep(step), crash)
  await work({ ...leaving, db }).catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error
  })
  assert.ok(state.isDone, step)
  await resumeErasures(leaving.db, leaving.dataDir)
  await runDueDeletions(leaving.db, leaving.dataDir, { isStart: true, ...(now !== undefined && { now }) })
}

/** What is in sight of the member. */
async function listInSight({ db }: Leaving, dogs: DogsChoice): Promise<string[]> {
  // An event with her id in `user_id` is for the member alone, whom no stream knows.
  const tables = [...PUBLIC_TABLES, 'events.data']
  const words = dogs === 'delete' ? [...PERSONAL_WORDS, ...DOG_WORDS] : PERSONAL_WORDS
  const found = findWordsIn(await readPublicRows(db), words)
  const drifted = (await listDriftedCounts(db)).map((drift) => JSON.stringify(drift))
  const broken = listBrokenReferences(db).map((row) => JSON.stringify(row))
  return [
    ...found.filter((where) => tables.some((table) => where.startsWith(table.includes('.') ? table : `${table}.`))),
    ...drifted,
    ...broken,
  ]
}

const interrupted = suite('unit/account/deletion-interruptions')
interrupted.after(disposeOriginal)

for (const dogs of CHOICES) {
  interrupted(`a crash while the account is taken out of sight: the next start goes on: ${dogs}`, async () => {
    const expected = await copyInSight()
    await leave(expected, dogs)
    const work: Work = (leaving) => leave(leaving, dogs)
    const steps = await listSteps(copyInSight, work)
    assert.ok(steps.length >= 8, steps.join('\n'))
    for (const step of sample(steps.slice(1), SAMPLED_STEPS)) {
      const leaving = await copyInSight()
      await crashAt(leaving, step, work)
      assert.equal(await readPublic(leaving.db), await readPublic(expected.db), step)
      assert.is((await leaving.db.selectFrom('account_deletions').select('state').executeTakeFirst())?.state, 'waiting')
      await dispose(leaving)
    }
    await dispose(expected)
  })

  interrupted(`a crash while the account is brought back: the next start goes on: ${dogs}`, async () => {
    let token = ''
    const copy = async () => {
      const leaving = await copyInSight()
      ;({ token } = await leave(leaving, dogs))
      return leaving
    }
    const expected = await copy()
    await restoreByLink(expected.db, token)
    const work: Work = ({ db }) => restoreByLink(db, token)
    const steps = await listSteps(copy, work)
    assert.ok(steps.length >= 6, steps.join('\n'))
    for (const step of sample(steps.slice(1), SAMPLED_STEPS)) {
      const leaving = await copy()
      await crashAt(leaving, step, work)
      assert.equal(await readPublic(leaving.db), await readPublic(expected.db), step)
      assert.is(await leaving.db.selectFrom('account_deletions').select('state').executeTakeFirst(), undefined)
      await dispose(leaving)
    }
    await dispose(expected)
  })

  interrupted(`a crash while the due account is erased: the next start goes on: ${dogs}`, async () => {
    const now = Date.now() + 7 * DAY_MS
    const copy = async () => {
      const leaving = await copyInSight()
      await leave(leaving, dogs)
      return leaving
    }
    const work: Work = ({ db, dataDir }) => runDueDeletions(db, dataDir, { now })
    for (const step of sample(await listSteps(copy, work), SAMPLED_STEPS)) {
      const leaving = await copy()
      await crashAt(leaving, step, work, now)
      const words = dogs === 'delete' ? [...PERSONAL_WORDS, ...DOG_WORDS] : PERSONAL_WORDS
      assert.equal(await findWords(leaving.db, words), [], step)
      await dispose(leaving)
    }
  })

  let steps: Promise<string[]> | undefined
  for (const [name, actions] of Object.entries(ACTIONS))
    interrupted(`${name}, between any two steps out of sight: ${dogs}`, async () => {
      const work: Work = (leaving) => leave(leaving, dogs)
      const faults: string[] = []
      // They are the same whatever is done meanwhile.
      steps ??= listSteps(copyInSight, work)
      for (const step of sample((await steps).slice(1), SAMPLED_STEPS)) {
        const leaving = await copyInSight()
        const { db, state } = onceBefore(leaving.db, isStep(step), () => attemptAll(actions, leaving))
        await work({ ...leaving, db })
        assert.ok(state.isDone, step)
        // Once more, now that the account waits.
        await attemptAll(actions, leaving)
        for (const fault of await listInSight(leaving, dogs)) faults.push(`before ${step}: ${fault}`)
        await runDueDeletions(leaving.db, leaving.dataDir, { now: Date.now() + 7 * DAY_MS })
        const words = dogs === 'delete' ? [...PERSONAL_WORDS, ...DOG_WORDS] : PERSONAL_WORDS
        for (const fault of await findWords(leaving.db, words)) faults.push(`before ${step}, once due: ${fault}`)
        await dispose(leaving)
      }
      assert.equal(faults, [])
    })
}
