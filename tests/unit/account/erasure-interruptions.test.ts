import { globSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { deleteAccount } from '#features/account/erase.server.ts'
import type { DogsChoice } from '#features/dogs/member-roles.server.ts'
import { applyAllPhotoMoves } from '#features/photos/planned-moves.server.ts'
import { FALLBACK_ALIAS } from '#lib/text/names.ts'
import { ACTIONS, attemptAll } from '#tests/support/account/actions-meanwhile.ts'
import {
  copyLeaving,
  disposeOriginal,
  DOG_WORDS,
  findWords,
  type Leaving,
  onceBefore,
  PERSONAL_WORDS,
  workBefore,
} from '#tests/support/account/leaving-member.ts'
import { sample } from '#tests/support/sample.ts'
import { withRecentSignIn } from '#tests/support/seed.ts'
import { listBrokenReferences } from '#tests/support/rows.ts'
import { assert, listDriftedCounts, suite } from '#tests/support/suites.ts'

// The erasure of an account lets other requests in between its steps. Whatever they do there, nothing of the member is left.

/** Actions of many transactions, and with files. */
const LONG_ACTIONS = ['the admin restores', 'the admin hides and deletes']

async function erase({ db, dataDir, ana }: Leaving, dogs: DogsChoice): Promise<void> {
  const profile = await db.selectFrom('profiles').select('alias').where('id', '=', ana.id).executeTakeFirst()
  await deleteAccount(db, dataDir, withRecentSignIn(ana), { dogs, alias: profile?.alias ?? FALLBACK_ALIAS })
}

/** What is left of the member, in rows and files. */
async function listFaults({ db, dataDir, paco, toby, ana }: Leaving, dogs: DogsChoice): Promise<string[]> {
  await applyAllPhotoMoves(db, dataDir)
  const files = globSync('photos/**/*.jpg', { cwd: dataDir })
  const images = await db.selectFrom('dog_images_all').select('url').execute()
  const named = new Set(images.map(({ url }) => basename(url)))
  const others = files.filter((file) => !named.has(basename(file)))
  const words = await findWords(db, dogs === 'delete' ? [...PERSONAL_WORDS, ...DOG_WORDS] : PERSONAL_WORDS)
  const isLeft = dogs === 'delete' && files.some((file) => file.includes(paco) || file.includes(toby))
  const user = await db.selectFrom('users').select('id').where('id', '=', ana.id).executeTakeFirst()
  return [
    ...new Set(words),
    ...others.map((file) => `file of no row: ${file}`),
    ...(isLeft ? ['photos of their dogs'] : []),
    ...(user ? ['the account'] : []),
    ...(await listDriftedCounts(db)).map((drift) => JSON.stringify(drift)),
    ...listBrokenReferences(db).map((row) => JSON.stringify(row)),
  ]
}

async function dispose({ db, dataDir }: Leaving): Promise<void> {
  await db.destroy()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Of the twelve or more steps of an erasure. */
const SAMPLED_STEPS = 6

/** The places of the erasure where it begins a transaction. */
async function listSteps(dogs: DogsChoice): Promise<string[]> {
  const leaving = await copyLeaving()
  const places = new Set<string>()
  const isNow = (place: string) => {
    places.add(place)
    return false
  }
  await erase({ ...leaving, db: workBefore(leaving.db, isNow, async () => {}) }, dogs)
  assert.equal(await listFaults(leaving, dogs), [])
  await dispose(leaving)
  return [...places]
}

const interrupted = suite<{ steps: Record<DogsChoice, string[]> }>('unit/account/erasure-interruptions')
interrupted.before(async (t) => {
  const leaving = await copyLeaving()
  for (const word of [...PERSONAL_WORDS, ...DOG_WORDS])
    assert.ok((await findWords(leaving.db, [word])).length > 0, `to look for: ${word}`)
  await dispose(leaving)
  t.steps = { delete: await listSteps('delete'), keep: await listSteps('keep') }
  for (const steps of Object.values(t.steps)) assert.ok(steps.length >= 12, steps.join('\n'))
})
interrupted.after(disposeOriginal)

for (const dogs of ['delete', 'keep'] as const)
  for (const [name, actions] of Object.entries(ACTIONS)) {
    interrupted(`${name}, between any two steps of a deletion: ${dogs}`, async ({ steps }) => {
      const faults: string[] = []
      for (const step of sample(steps[dogs], SAMPLED_STEPS)) {
        const leaving = await copyLeaving()
        const isNow = (place: string) => place === step
        const { db, state } = onceBefore(leaving.db, isNow, () => attemptAll(actions, leaving))
        await erase({ ...leaving, db }, dogs)
        assert.ok(state.isDone)
        for (const fault of await listFaults(leaving, dogs)) faults.push(`before ${step}: ${fault}`)
        await dispose(leaving)
      }
      assert.equal(faults, [])
    })

    // The others are one transaction each: before it they find no account, or all is as between two steps.
    if (dogs === 'keep' || !LONG_ACTIONS.includes(name)) continue
    interrupted(`${name}, and the account is deleted between any two transactions of it`, async () => {
      const faults: string[] = []
      for (let number = 0, isPast = false; !isPast; number++) {
        const leaving = await copyLeaving()
        let count = 0
        const { db, state } = onceBefore(
          leaving.db,
          () => count++ === number,
          () => erase(leaving, dogs),
        )
        await attemptAll(actions, { ...leaving, db })
        isPast = !state.isDone
        if (isPast) assert.ok(number > 0)
        else for (const fault of await listFaults(leaving, dogs)) faults.push(`before transaction ${number}: ${fault}`)
        await dispose(leaving)
      }
      assert.equal(faults, [])
    })
  }

interrupted('both members of a dog delete their accounts with their dogs: it is deleted', async ({ steps }) => {
  for (const step of sample(steps.delete, SAMPLED_STEPS)) {
    const leaving = await copyLeaving()
    const { luis, shared, hiddenShared } = leaving
    const isNow = (place: string) => place === step
    const { db } = onceBefore(leaving.db, isNow, () => erase({ ...leaving, ana: luis }, 'delete'))
    await erase({ ...leaving, db }, 'delete')
    const dogs = leaving.db.selectFrom('dogs_all').select('id').where('id', 'in', [shared, hiddenShared])
    const rows = await dogs.execute()
    assert.equal(rows, [], step)
    await dispose(leaving)
  }
})
