import { createECDH } from 'node:crypto'
import { globSync } from 'node:fs'
import { deleteAccount, resumeErasures } from '#features/account/erase.server.ts'
import { createSession, toSessionId } from '#features/auth/sessions/sessions.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { answerOwnershipRequest, requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { DEFAULT_SETTINGS } from '#features/notifications/push/settings.ts'
import { saveSettings } from '#features/notifications/push/settings.server.ts'
import { subscribe } from '#features/notifications/push/subscriptions.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { toProblem } from '#server/problem.ts'
import { addRealDog, photos } from '#tests/support/dogs/dogs-fixture.ts'
import { report } from '#tests/support/reports/cases.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { withRecentSignIn } from '#tests/support/seed.ts'
import { readAllRows } from '#tests/support/rows.ts'
import { assert, dataSuite, dog, insert, member, seed, type WorldOf } from '#tests/support/suites.ts'

// Writes whose account is deleted while they are under way: the session was looked up before, the rows come after.

/** Ana's dog, Luis's, one that Ana discovered and Luis claims, and one that Luis discovered. */
const late = dataSuite('unit/account/late-writes', { ana: member(), luis: member() }, async (t) => {
  const { db, ana, luis } = t
  const [own, other] = await seed(db, dog({ owner_id: ana.id }), dog({ owner_id: luis.id }))
  const [found, stray] = await seed(db, dog({ discoverer_id: ana.id }), dog({ discoverer_id: luis.id }))
  await requestOwnership(db, luis, found.id)
  const { dog: unclaimed, association } = await addRealDog(t, null)
  const session = toSessionId((await createSession(db, ana.id)).token)
  const ids = { own: own.id, other: other.id, found: found.id, stray: stray.id }
  return { ...ids, claim: { id: unclaimed.id, token: association!.token }, session }
})
type Scene = WorldOf<typeof late>

const p256dh = createECDH('prime256v1').generateKeys('base64url')
const DEVICE = { endpoint: 'https://fcm.googleapis.com/x', keys: { p256dh, auth: 'a'.repeat(22) } }

/** Every action of a member that adds or changes a row. */
const WRITES: Record<string, (scene: Scene) => Promise<unknown>> = {
  'add a dog': async (t) => addRealDog(t, t.ana.id, {}, { uploads: await photos(2) }),
  'add a dog that waits for review': (t) => addRealDog(t, t.ana.id, { description: 'Se vende' }),
  'edit a dog': ({ db, ana, own }) => updateDog(db, ana, own, { name: 'Otro' }),
  'take a role': ({ db, ana, found }) => updateDog(db, ana, found, { relationship: 'owner' }),
  'replace photos': async ({ db, dir, ana, own }) => replaceGallery(db, dir, ana, own, [await photo()]),
  'claim a dog': ({ db, ana, claim }) => claimDog(db, ana.id, claim.id, { ownershipType: 'owner', token: claim.token }),
  'ask for a dog': ({ db, ana, stray }) => requestOwnership(db, ana, stray),
  'answer who asks for a dog': ({ db, ana, found, luis }) => answerOwnershipRequest(db, ana, found, luis.id, true),
  like: ({ db, ana, other }) => like(db, ana, other),
  comment: ({ db, ana, other }) => addComment(db, ana, other, 'Hola'),
  report: ({ db, ana, other }) => report(db, ana, 'dog', other),
  block: ({ db, ana, luis }) => addBlock(db, ana, luis.id),
  profile: ({ db, ana }) => updateProfile(db, ana, { alias: 'Otra', emoji: '🐕' }),
  'push device': ({ db, ana, session }) => subscribe(db, ana, session, DEVICE, []),
  'push settings': ({ db, ana }) => saveSettings(db, ana, DEFAULT_SETTINGS),
}

/** Every row that a member may leave, as text. */
async function readRows({ db }: Scene): Promise<string> {
  const { report_keys: _keys, ...rows } = await readAllRows(db)
  return JSON.stringify(rows)
}

/** What the endpoint answers. */
const answerTo = async (write: Promise<unknown>): Promise<number> =>
  write.then(
    () => 200,
    (error: unknown) => toProblem(error).status,
  )

for (const [name, write] of Object.entries(WRITES))
  late(`${name}: is refused once the account is deleted, and leaves nothing`, async (scene) => {
    const { db, dir, ana } = scene
    await deleteAccount(db, dir, withRecentSignIn(ana), { dogs: 'keep', alias: ana.alias })
    const rows = await readRows(scene)
    const files = globSync('photos/**/*', { cwd: dir }).toSorted()
    const status = await answerTo(write(scene))
    assert.ok([401, 403, 404, 410].includes(status), `${status}`)
    assert.is(await readRows(scene), rows)
    assert.equal(globSync('photos/**/*', { cwd: dir }).toSorted(), files)
  })

/** What nobody else sees may still be written while the account goes: it goes with it. */
const PRIVATE_WRITES = ['block', 'push device', 'push settings']

for (const [name, write] of Object.entries(WRITES))
  late(`${name}: does not stop a deletion that is under way`, async (scene) => {
    const { db, dir, ana } = scene
    await insert(db, 'account_erasures', { user_id: ana.id, dogs: 'delete', created_at: 1 })
    const files = globSync('photos/**/*', { cwd: dir }).toSorted()
    const status = await answerTo(write(scene))
    if (!PRIVATE_WRITES.includes(name)) assert.is(status, 401)
    assert.equal(globSync('photos/**/*', { cwd: dir }).toSorted(), files)
    await resumeErasures(db, dir)
    assert.is(await db.selectFrom('users').select('id').where('id', '=', ana.id).executeTakeFirst(), undefined)
  })
