import { editBreed } from '#features/breeds/edit.server.ts'
import { FIELD_NAMES } from '#features/breeds/edit.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { ADMIN_ACTIONS } from '#features/moderation/admin-log.ts'
import { APPROVALS, CASE_ACTIONS } from '#features/reports/decisions/decisions.ts'
import { type Call, call } from '#tests/support/api.ts'
import { seedLostStates } from '#tests/support/browser/lost-states.ts'
import { form as formCall, methodOf } from '#tests/support/matrix/rows.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { WRITES } from '#tests/support/matrix/writes.ts'
import {
  assert,
  assertMatches,
  type Db,
  pick,
  pluck,
  rowOf,
  serverDbSuite,
  type ServerDbWorld,
} from '#tests/support/suites.ts'

// Every write that the access matrix grants the admin alone leaves one entry in the log of what admins did.

const ADMIN = 'admin@ejemplo.es'
const log = serverDbSuite('api/moderation/admin-log', { ADMIN_EMAIL: ADMIN })

/** Writes that the admin alone may do. */
const ADMIN_WRITES = Object.entries(WRITES).filter(
  ([
    ,
    {
      statuses: { admin, member, owner },
    },
  ]) => admin < 400 && member >= 400 && owner >= 400,
)

const readEntries = (db: Db) => db.selectFrom('admin_log').selectAll().orderBy('created_at').orderBy('id').execute()

async function newEntriesOf({ db }: ServerDbWorld, action: () => Promise<void>) {
  const before = (await readEntries(db)).map(({ id }) => id)
  await action()
  return (await readEntries(db)).filter(({ id }) => !before.includes(id))
}

/** Without the refusals and dogs of earlier seeds: their networks' notices wait for the admin, and their owners are told first. */
async function seedAnew(db: Db, world: MatrixWorld): Promise<void> {
  for (const table of ['lost_cases', 'found_notices_all', 'reported_messages', 'sighting_refusals'] as const)
    await db.deleteFrom(table).execute()
  await seedLostStates(db, world)
}
const waitingSighting = async (db: Db) =>
  (await db.selectFrom('sightings_all').select('id').where('hidden', '>', 0).executeTakeFirstOrThrow()).id
const reportedNotice = async (db: Db) =>
  (await db.selectFrom('found_reports').select('notice_id').where('claim_id', 'is', null).executeTakeFirstOrThrow())
    .notice_id
const reportedAnswer = async (db: Db) =>
  (await db.selectFrom('found_reports').select('claim_id').where('claim_id', 'is not', null).executeTakeFirstOrThrow())
    .claim_id
const reportedMessage = async (db: Db) =>
  (await db.selectFrom('reported_messages').select('id').executeTakeFirstOrThrow()).id
/** How the log names what has no name of its own, by its kind. */
const UNNAMED: Record<string, string> = {
  sighting: 'Un avistamiento',
  found: 'Un perro encontrado',
  answer: 'Una respuesta a quien encontró un perro',
  'contact-message': 'Un mensaje entre quien busca y quien encuentra',
}
interface Prepared {
  db: Db
  admin: { id: string }
  world: MatrixWorld
}
/** What a write needs to have something to change; where the matrix sends an unknown id, what is sent instead. */
const PREPARATIONS: Record<string, (t: Prepared) => Promise<Call | undefined>> = {
  'POST /razas/[raza]': async ({ db, admin: { id } }) => {
    const beagle = (await getCatalogue(db)).bySlug.get('beagle')!
    const texts = Object.fromEntries(FIELD_NAMES.map((field) => [field, beagle[field]])) as Parameters<
      typeof editBreed
    >[3]
    const editor = { user: { id, email: ADMIN }, adminEmail: ADMIN }
    assert.ok(await editBreed(db, editor, 'beagle', { ...texts, pelaje: `Corto ${Date.now()}` }))
    return undefined
  },
}

log('the matrix has writes of the admin', () => {
  assert.ok(ADMIN_WRITES.length >= 5, `${ADMIN_WRITES.length}`)
})

for (const [name, { path, send }] of ADMIN_WRITES)
  log(`${name} leaves one entry, and a refused one none`, async (t) => {
    const world = await createMatrixWorld(t.db, t.server.dataDir, ADMIN)
    const admin = await t.db.selectFrom('users').select('id').where('email', '=', ADMIN).executeTakeFirstOrThrow()
    const prepared = await PREPARATIONS[name]?.({ db: t.db, admin, world })
    const attempt = async (role: 'owner' | 'admin') => {
      const sent = prepared ?? (await send?.(world, role)) ?? {}
      const cookie = await world.cookieOf(role)
      return (await call(t.server, path(world), { ...sent, method: methodOf(name), cookie })).status
    }
    assert.equal(await newEntriesOf(t, async () => assert.ok((await attempt('owner')) >= 400)), [])
    const entries = await newEntriesOf(t, async () => assert.ok((await attempt('admin')) < 400))
    assert.equal([entries.length, entries[0]!.admin_id], [1, admin.id])
    assert.ok(ADMIN_ACTIONS.includes(entries[0]!.action as 'ban'), entries[0]!.action)
    assert.ok(entries[0]!.target_id ?? entries[0]!.record_id, 'it says what it was about')
  })

/** Decisions about lost and found dogs: what waits, and the form. */
const LOST_DECISIONS: Record<string, [find: (db: Db) => Promise<string | null>, form: string]> = {
  'sighting-deliver': [waitingSighting, 'kind=sighting&decision=keep'],
  'sighting-delete': [waitingSighting, 'kind=sighting&decision=delete'],
  'found-keep': [reportedNotice, 'kind=found&decision=keep'],
  'found-delete': [reportedNotice, 'kind=found&decision=delete'],
  'answer-keep': [reportedAnswer, 'kind=answer&decision=keep'],
  'answer-delete': [reportedAnswer, 'kind=answer&decision=delete'],
  'message-delete': [reportedMessage, 'kind=contact-message&decision=delete'],
  'message-resolve': [reportedMessage, 'kind=contact-message&decision=keep'],
}
for (const [deed, [find, form]] of Object.entries(LOST_DECISIONS))
  log(`the decision «${deed}» leaves one entry, which the log shows`, async (t) => {
    const world = await createMatrixWorld(t.db, t.server.dataDir, ADMIN)
    await seedAnew(t.db, world)
    const cookie = await world.cookieOf('admin')
    const sent = formCall(form)
    const path = `/api/admin/reviews/${await find(t.db)}`
    const entries = await newEntriesOf(t, async () => {
      assert.is((await call(t.server, path, { ...sent, method: 'POST', cookie })).status, 303)
    })
    assert.equal(pluck(entries, 'action'), [deed])
    const page = await call(t.server, `/admin?tab=acciones&accion=${deed}`, { cookie })
    assert.match(page.body, UNNAMED[entries[0]!.target_kind]!)
  })

/** What each action of a case is sent with; a dog that is to be restored is hidden first. */
async function decide({ server, db }: ServerDbWorld, world: MatrixWorld, deed: string): Promise<number> {
  const { edited_at: version } = await rowOf(db, 'cases', { id: world.case })
  const json = {
    deed,
    reason: 'Es publicidad.',
    member: world.owner.id,
    ...(APPROVALS.includes(deed as 'restore') && { version }),
  }
  const cookie = await world.cookieOf('admin')
  return (await call(server, `/api/admin/cases/${world.case}`, { method: 'POST', cookie, json })).status
}

for (const deed of CASE_ACTIONS)
  log(`the decision «${deed}» leaves one entry, with its reason`, async (t) => {
    const world = await createMatrixWorld(t.db, t.server.dataDir, ADMIN)
    if (deed === 'restore') assert.is(await decide(t, world, 'hide'), 200)
    const entries = await newEntriesOf(t, async () => assert.is(await decide(t, world, deed), 200))
    assert.equal(
      pick(entries, 'action', 'target_id'),
      [[deed, null]],
      'the decision alone says what it was about, since a leaving member is erased from it',
    )
    const page = await call(t.server, `/admin?tab=acciones&accion=${deed}`, { cookie: await world.cookieOf('admin') })
    assert.is(page.status, 200)
    assertMatches(page.body, 'Es publicidad.', world.dog.name)
  })

log('a refused decision leaves no entry', async (t) => {
  const world = await createMatrixWorld(t.db, t.server.dataDir, ADMIN)
  assert.equal(await newEntriesOf(t, async () => assert.is(await decide(t, world, 'restore'), 409)), [])
})

log('an unknown action or cursor in the address shows the log', async (t) => {
  const world = await createMatrixWorld(t.db, t.server.dataDir, ADMIN)
  for (const query of ['accion=constructor', 'cursor=x', 'accion=ban&cursor=x']) {
    const page = await call(t.server, `/admin?tab=acciones&${query}`, { cookie: await world.cookieOf('admin') })
    assert.is(page.status, 200)
    assert.match(page.body, 'Todas las acciones')
  }
})
