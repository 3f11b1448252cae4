import { globSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { deleteAccount } from '#features/account/erase.server.ts'
import { addComment, deleteComment } from '#features/comments/comments.server.ts'
import type { DogsChoice } from '#features/dogs/member-roles.server.ts'
import { answerOwnershipRequest } from '#features/dogs/ownership/ownership.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { applyAllPhotoMoves } from '#features/photos/apply-moves.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { blockMember } from '#features/reports/blocks/block-member.server.ts'
import { submitAppeal } from '#features/reports/decisions/appeals.server.ts'
import { autoHideTarget, submitReport } from '#features/reports/reports.server.ts'
import { FALLBACK_ALIAS } from '#lib/text/names.ts'
import { toProblem } from '#server/problem.ts'
import {
  ADMIN_EMAIL,
  copyLeaving,
  decide,
  disposeOriginal,
  DOG_WORDS,
  findWords,
  type Leaving,
  PERSONAL_WORDS,
  workBefore,
} from '#tests/support/account/leaving-member.ts'
import { listDriftedCounts } from '#tests/support/maintenance/count-drift.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { sample } from '#tests/support/sample.ts'
import { withRecentSignIn } from '#tests/support/seed.ts'
import { listBrokenReferences } from '#tests/support/rows.ts'

// The erasure of an account lets other requests in between its steps. Whatever they do there, nothing of the member is left.

type Action = (leaving: Leaving) => Promise<unknown>

const addOwn =
  (description: string): Action =>
  async ({ db, dataDir, ana }) =>
    addDog(db, dataDir, {
      input: dogSchema.parse({ name: 'Zqtoby', breed: 'Beagle', relationship: 'owner', description }),
      uploads: [await photo()],
      userId: ana.id,
      idempotency: { sender: ana.id, key: 'q'.repeat(40) },
    })

const reportByCrowd =
  (kind: 'comment' | 'dog', words: string, idOf: (leaving: Leaving) => string): Action =>
  async (leaving) => {
    const id = idOf(leaving)
    for (const [at, each] of leaving.crowd.entries())
      await submitReport(leaving.db, each, { kind, id, reason: 'otra', words }, `198.51.${at}.7`)
    await autoHideTarget(leaving.db, leaving.dataDir, { kind, id }, ADMIN_EMAIL)
  }

const appeal =
  (who: 'ana' | 'luis'): Action =>
  async (leaving) => {
    const { id } = await leaving.db
      .selectFrom('decision_people')
      .select('decision_id as id')
      .where('user_id', '=', leaving[who].id)
      .executeTakeFirst()
      .then((found) => found ?? { id: 'none' })
    await submitAppeal(leaving.db, leaving[who], id, 'zqsays', ADMIN_EMAIL)
  }

/** Each group is done at once, one action after the other; those that the site refuses by then leave nothing either. */
const ACTIONS: Record<string, Action[]> = {
  'the admin restores': [
    (t) => decide(t, 'dog', t.paco, 'restore'),
    (t) => decide(t, 'dog', t.hiddenShared, 'restore'),
    (t) => decide(t, 'photo', t.hiddenPhoto, 'restore'),
    (t) => decide(t, 'comment', t.heldComment, 'restore'),
    (t) => decide(t, 'comment', t.hiddenComment, 'restore'),
    (t) => decide(t, 'profile', t.ana.id, 'restore'),
    ({ db, luis, hiddenComment: id }) =>
      submitReport(db, luis, { kind: 'comment', id, reason: 'otra', words: 'zqabout' }, 'x'),
  ],
  'the admin hides and deletes': [
    (t) => decide(t, 'dog', t.toby, 'hide', 'Porque sí.'),
    (t) => decide(t, 'dog', t.paco, 'delete', 'Porque sí.'),
    (t) => decide(t, 'dog', t.shared, 'hide', 'Porque sí.'),
    (t) => decide(t, 'comment', t.comment, 'hide', 'zqreason'),
    (t) => decide(t, 'comment', t.heldComment, 'delete', 'zqreason'),
  ],
  'the admin warns, dismisses, notes, bans, hides and restores': [
    (t) => decide(t, 'dog', t.toby, 'warn', 'Porque sí.'),
    (t) => decide(t, 'dog', t.luna, 'dismiss'),
    (t) => decide(t, 'comment', t.comment, 'warn', 'zqreason'),
    (t) => decide(t, 'comment', t.comment, 'dismiss'),
    (t) => decide(t, 'comment', t.heldComment, 'note', 'zqreason'),
    (t) => decide(t, 'comment', t.heldComment, 'ban', 'zqreason'),
    (t) => decide(t, 'dog', t.toby, 'hide', 'Porque sí.'),
    (t) => decide(t, 'dog', t.toby, 'restore'),
  ],
  'other members report, answer, comment, like and block': [
    reportByCrowd('comment', 'zqabout', ({ comment }) => comment),
    ({ db, luis, requested, ana }) => answerOwnershipRequest(db, luis, requested, ana.id, true),
    ({ db, luis, toby }) => addComment(db, luis, toby, 'Otra vez'),
    ({ db, eva, toby }) => like(db, eva, toby),
    reportByCrowd('dog', '', ({ toby }) => toby),
    appeal('luis'),
    ({ db, luis, ana }) => blockMember(db, luis, ana.id),
  ],
  'they go on writing': [
    addOwn('zqdescription'),
    addOwn('Se vende por 300 euros, zqsale'),
    ({ db, ana, visitorsDog: { id, token } }) => claimDog(db, ana.id, id, { ownershipType: 'owner', token }),
    ({ db, ana, toby }) => updateDog(db, ana, toby, { description: 'Se vende por 300 euros, zqsale' }),
    ({ db, ana, luna }) => addComment(db, ana, luna, 'Más zqcomment'),
    ({ db, ana, luna }) => unlike(db, ana, luna),
    ({ db, ana, comment }) => deleteComment(db, ana, comment),
    appeal('ana'),
    ({ db, ana }) => ensureProfile(db, ana.id),
  ],
}

/** Actions of many transactions, and with files. */
const LONG_ACTIONS = ['the admin restores', 'the admin hides and deletes']

async function erase({ db, dataDir, ana }: Leaving, dogs: DogsChoice): Promise<void> {
  const profile = await db.selectFrom('profiles').select('alias').where('id', '=', ana.id).executeTakeFirst()
  await deleteAccount(db, dataDir, withRecentSignIn(ana), { dogs, alias: profile?.alias ?? FALLBACK_ALIAS })
}

/** Refused or done; what no client causes fails the test. */
async function attemptAll(actions: readonly Action[], leaving: Leaving): Promise<void> {
  for (const action of actions)
    try {
      await action(leaving)
    } catch (error) {
      assert.ok(toProblem(error).status < 500, String(error))
    }
}

/** What is left of the member, in rows and files. */
async function listFaults({ db, dataDir, paco, toby, ana }: Leaving, dogs: DogsChoice): Promise<string[]> {
  await applyAllPhotoMoves(db, dataDir)
  const urls = async (table: 'dog_images' | 'held_photos') =>
    (await db.selectFrom(table).select('url').execute()).map(({ url }) => url)
  const files = globSync('photos/**/*.jpg', { cwd: dataDir })
  const named = new Set([...(await urls('dog_images')), ...(await urls('held_photos'))].map((url) => basename(url)))
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

/** The database, with `work` done before the transaction that `isNow` chooses first. */
function onceBefore(db: Db, isNow: (place: string) => boolean, work: () => Promise<void>) {
  const state = { isDone: false }
  const isFirst = (place: string) => !state.isDone && isNow(place)
  const doOnce = async () => {
    state.isDone = true
    await work()
  }
  return { db: workBefore(db, isFirst, doOnce), state }
}

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
    const rows = [
      ...(await leaving.db.selectFrom('dogs').select('id').where('id', 'in', [shared, hiddenShared]).execute()),
      ...(await leaving.db
        .selectFrom('held')
        .select('thing_id')
        .where('dog_id', 'in', [shared, hiddenShared])
        .execute()),
    ]
    assert.equal(rows, [], step)
    await dispose(leaving)
  }
})

interrupted.run()
