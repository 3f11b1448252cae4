import { deleteAccount } from '#features/account/erase.server.ts'
import { getDog } from '#features/dogs/dog.server.ts'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { addDog, type AddedDog } from '#features/dogs/write/add.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { ban } from '#features/moderation/bans.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { freshDb } from '#tests/support/db.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { type CurrentUser, member, seed, withRecentSignIn } from '#tests/support/seed.ts'
import { assert, type Db, folderSuite, refusal } from '#tests/support/suites.ts'

// A repeated request is answered days later: meanwhile its dog may be hidden, or somebody else's.

const ADMIN = 'admin@ejemplo.es'

interface Scene {
  db: Db
  dir: string
  ana: CurrentUser
  luis: CurrentUser
  admin: CurrentUser
  first: AddedDog
  /** Sends the first request again. */
  repeat: () => Promise<AddedDog>
}
type Step = (scene: Scene) => Promise<unknown>

const claim: Step = ({ db, luis, first }) =>
  claimDog(db, luis.id, first.dog.id, { ownershipType: 'owner', token: first.association!.token })
const edit =
  (as: 'ana' | 'luis', description: string): Step =>
  (scene) =>
    updateDog(scene.db, scene[as], scene.first.dog.id, { description })
const hold =
  (as: 'ana' | 'luis'): Step =>
  (scene) =>
    holdDog(scene.db, scene[as], scene.first.dog.id)
const hide =
  (cause: 'admin' | 'reports'): Step =>
  ({ db, first }) =>
    db.transaction().execute((trx) => hideDog(trx, first.dog.id, cause))
const approve: Step = async ({ db, dir, admin }) => {
  const { id } = await db.selectFrom('cases').select('id').executeTakeFirstOrThrow()
  const decision = { deed: 'restore', reason: '', days: null } as const
  await applyCaseAction(db, dir, { user: admin, adminEmail: ADMIN }, id, decision)
}
const leave =
  (as: 'ana' | 'luis'): Step =>
  (scene) =>
    deleteAccount(scene.db, scene.dir, withRecentSignIn(scene[as]), { dogs: 'keep', alias: scene[as].alias })
/** Luis is its only participant. */
const transfer: Step = ({ db, luis, first }) =>
  db.updateTable('dogs_all').set({ owner_id: luis.id, user_id: luis.id }).where('id', '=', first.dog.id).execute()

/**
 * `same`: the first answer; `public`: what everybody reads, without a token; `own`: its people's; `hidden`: 410; `new`: added anew, as
 * sent; `ended`: 401.
 */
type Answer = 'same' | 'public' | 'own' | 'hidden' | 'new' | 'ended'

const CASES: [name: string, waits: boolean, steps: Step[], answer: Answer][] = [
  ['a visitor, nothing changed', false, [], 'same'],
  ['a visitor whose dog waits', true, [], 'same'],
  ['a visitor whose dog was approved', true, [approve], 'public'],
  ['a visitor whose dog the admin hides', false, [hide('admin')], 'hidden'],
  ['a visitor whose dog was approved, then hidden', true, [approve, hide('admin')], 'hidden'],
  ['a visitor whose dog reports hide', false, [hide('reports')], 'hidden'],
  ['a visitor whose dog is claimed', false, [claim], 'public'],
  ['a visitor whose dog is claimed and edited', false, [claim, edit('luis', 'Duerme')], 'public'],
  ['a visitor whose dog is claimed, then waits', false, [claim, hold('luis')], 'hidden'],
  ['a visitor whose dog is claimed, then hidden', false, [claim, hide('admin')], 'hidden'],
  ['a visitor whose dog is claimed while it waits', true, [claim], 'hidden'],
  ['a visitor whose dog’s member left', false, [claim, leave('luis')], 'public'],
  // A dog that waits goes with the account of its only member, and its key with it.
  ['a visitor whose waiting dog’s member left', false, [claim, hold('luis'), leave('luis')], 'new'],
]
const MEMBER_CASES: typeof CASES = [
  ['a member, nothing changed', false, [], 'same'],
  ['a member whose dog waits', false, [hold('ana')], 'own'],
  ['a member whose dog the admin hides', false, [hide('admin')], 'own'],
  ['a member who is banned', false, [({ db, ana }) => ban(db, ana.id, { until: null, reason: '' })], 'same'],
  ['a member who is blocked', false, [transfer, ({ db, ana, luis }) => addBlock(db, luis, ana.id)], 'public'],
  ['a member whose dog is another’s', false, [transfer], 'public'],
  ['a member whose dog is another’s, then waits', false, [transfer, hold('luis')], 'hidden'],
  ['a member whose dog is another’s, then hidden', false, [transfer, hide('admin')], 'hidden'],
  ['a member who left a dog that waits', false, [hold('ana'), leave('ana')], 'ended'],
]

const replay = folderSuite('unit/dogs/replay')

async function createScene(dir: string, isVisitor: boolean, waits: boolean): Promise<Scene> {
  const db = freshDb()
  const [admin, ana, luis] = await seed(db, member({ email: ADMIN }), member(), member())
  const uploads = [await photo()]
  const userId = isVisitor ? null : ana.id
  const repeat = () =>
    addDog(db, dir, {
      input: dogSchema.parse({ name: 'Toby', breed: 'Beagle', relationship: 'owner' }),
      uploads,
      userId,
      holdAnonymous: waits,
      idempotency: { sender: userId ?? 'anonymous', key: 'k'.repeat(40) },
    })
  return { db, dir, admin, ana, luis, first: await repeat(), repeat }
}

const checkAnswer: Record<Answer, (scene: Scene) => Promise<unknown>> = {
  same: async ({ first, repeat }) => assert.equal(await repeat(), first),
  public: async ({ db, first, repeat }) => {
    const { association, ...again } = await repeat()
    assert.equal(again, { dog: await getDog(db, first.dog.id), skipped: [] })
    const isClaimable = await db.selectFrom('secrets').select('dog_id').executeTakeFirst()
    assert.equal(association, isClaimable && first.association)
  },
  own: async ({ first, repeat }) => {
    const { dog } = await repeat()
    assert.equal([dog.id, dog.waits], [first.dog.id, true])
  },
  hidden: async ({ db, repeat }) => {
    assert.equal((await refusal(repeat())).slice(0, 2), [410, 'Este perro ya no está en el álbum.'])
    assert.equal(await db.selectFrom('dogs').select('id').execute(), [], 'nor is it added again')
  },
  new: async ({ first, repeat }) => {
    const { dog } = await repeat()
    assert.is.not(dog.id, first.dog.id)
    assert.equal([dog.name, dog.description, dog.owner_id], ['Toby', first.dog.description, null])
  },
  ended: async ({ db, repeat }) => {
    assert.is((await refusal(repeat()))[0], 401)
    assert.equal(await db.selectFrom('dogs').select('id').execute(), [])
  },
}

for (const [isVisitor, cases] of [
  [true, CASES],
  [false, MEMBER_CASES],
] as const)
  for (const [name, waits, steps, answer] of cases)
    replay(`${name}: ${answer}`, async ({ dir }) => {
      const scene = await createScene(dir, isVisitor, waits)
      for (const step of steps) await step(scene)
      await checkAnswer[answer](scene)
      await scene.db.destroy()
    })
