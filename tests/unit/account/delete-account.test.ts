import { createECDH } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteOf } from '#db/client.ts'
import { deleteAccount, resumeErasures } from '#features/account/erase.server.ts'
import { createSession, readSession, toSessionId } from '#features/auth/sessions/sessions.server.ts'
import { issueToken, inspectLink } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { ensureUser } from '#features/auth/users.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { findByPath } from '#features/dogs/paths.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { setDigestEnabled } from '#features/notifications/digest/digest.server.ts'
import { DEFAULT_SETTINGS } from '#features/notifications/push/settings.ts'
import { saveSettings } from '#features/notifications/push/settings.server.ts'
import { subscribe } from '#features/notifications/push/subscriptions.server.ts'
import type { DogsChoice } from '#features/dogs/member-roles.server.ts'
import { bellTexts } from '#tests/support/notifications/bell.ts'
import { freshDb } from '#tests/support/db.ts'
import { refuseWrites } from '#tests/support/faults/refused-writes.ts'
import { countRows, insert, listBrokenReferences, readAllRows, rowOf } from '#tests/support/rows.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { type CurrentUser, dog, member, seed, withRecentSignIn } from '#tests/support/seed.ts'
import { eventsAfter } from '#tests/support/live/events-after.ts'
import {
  assert,
  type Db,
  dbSuite,
  listDriftedCounts,
  onlyOnSqlite,
  refusal,
  refusalError,
} from '#tests/support/suites.ts'

const ANA = { id: '11111111-1111-4111-8111-111111111111', email: 'ana@ejemplo.es', alias: 'Ana de Lugo' }
/** Some public key of a browser. */
const POINT = createECDH('prime256v1').generateKeys('base64url')
const dataDir = mkdtempSync(join(tmpdir(), 'perrario-erase-'))

/** Ana with dogs in every relation to others, likes and words in both directions, two sessions and an open mail. */
async function createCommunity(db: Db) {
  const [ana, toby] = await seed(db, member(ANA), dog({ name: 'Toby', size: 'grande' }))
  const [luis, lobo] = await seed(db, member({ alias: 'Luis' }), dog({ name: 'Lobo', breed: 'Bóxer' }))
  const [found, shared, hers, added, nobodys] = await seed(
    db,
    dog({ name: 'Hallado', discoverer_id: ana.id, owner_id: null }),
    dog({ name: 'Compartida', owner_id: luis.id, discoverer_id: ana.id, user_id: ana.id }),
    dog({ name: 'Suya', owner_id: ana.id, discoverer_id: luis.id, user_id: luis.id }),
    dog({ name: 'Registrado', owner_id: null, discoverer_id: null, user_id: ana.id }),
    dog({ name: 'Suelto', owner_id: null }),
  )
  for (const { id } of [toby, lobo, shared, nobodys]) {
    await like(db, ana, id)
    await like(db, luis, id)
    await addComment(db, ana, id, 'Qué guapo')
    await addComment(db, luis, id, 'Mucho')
  }
  const sessions = [await createSession(db, ana.id), await createSession(db, ana.id), await createSession(db, luis.id)]
  const { token } = await issueToken(db, ana.email!)
  await insert(db, 'oauth_accounts', { provider: 'github', provider_user_id: 'g1', user_id: ana.id, created_at: 1 })
  const change = { id: 'o1', breed_slug: 'beagle', changes: '{}', before: '{}', created_at: 1, undone_at: null }
  await insert(db, 'breed_overrides', { ...change, user_id: ana.id })
  await insert(db, 'ownership_requests_all', { dog_id: found.id, user_id: ana.id, created_at: 1, declined_at: null })
  const device = { endpoint: `https://fcm.googleapis.com/${ANA.id}`, keys: { p256dh: POINT, auth: 'a'.repeat(22) } }
  await subscribe(db, ana, toSessionId(sessions[0]!.token), device, [])
  await saveSettings(db, ana, DEFAULT_SETTINGS)
  await setDigestEnabled(db, ana.id, false)
  return { ana, luis, toby, lobo, found, shared, hers, added, nobodys, sessions, token }
}

/** Every place of the whole database that still holds one of these texts: `table.column`. */
async function findTraces(db: Db, texts: readonly string[]): Promise<string[]> {
  return Object.entries(await readAllRows(db)).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row)
        .filter(([, value]) => texts.some((text) => String(value).includes(text)))
        .map(([column]) => `${table}.${column}`),
    ),
  )
}

const leave = (db: Db, ana: CurrentUser, dogs: DogsChoice) =>
  deleteAccount(db, dataDir, withRecentSignIn(ana), { dogs, alias: ana.alias })
const names = async (db: Db) =>
  (await db.selectFrom('dogs').select('name').orderBy('name').execute()).map((row) => row.name)
/** Whose the dog is, and its likes and comments. */
const read = async (db: Db, id: string) => {
  const row = await rowOf(db, 'dogs', { id })
  return [row.user_id, row.owner_id, row.discoverer_id, row.votes, row.comments_count]
}

const erase = dbSuite('unit/account/delete-account', {}, ({ db }) => createCommunity(db))
erase.after(() => rmSync(dataDir, { recursive: true }))

for (const dogs of ['keep', 'delete'] as const)
  erase(
    `no data of the member remains, and every count is exact: ${dogs}`,
    async ({ db, ana, sessions, token, luis }) => {
      const traces = await findTraces(db, [ANA.id, ANA.email, ANA.alias])
      assert.ok(traces.length > 10, 'the test must have had something to look for')
      await leave(db, ana, dogs)
      assert.equal(await findTraces(db, [ANA.id, ANA.email, ANA.alias, 'Qué guapo']), [])
      assert.equal(await listDriftedCounts(db), [])
      assert.equal(listBrokenReferences(db), [])
      const holders = await Promise.all(sessions.map(async ({ token: each }) => (await readSession(db, each))?.userId))
      assert.equal(holders, [undefined, undefined, luis.id])
      assert.equal(await inspectLink(db, token), { state: 'unknown' })
      assert.is(await countRows(db, 'breed_overrides'), 1)
      assert.is(await countRows(db, 'comments'), dogs === 'keep' ? 4 : 3)
    },
  )

erase('notifications and event history name another member, or nobody', async ({ db, ana, luis, lobo }) => {
  const [eva] = await seed(db, member({ alias: 'Eva' }))
  await like(db, eva, lobo.id)
  await like(db, ana, (await seed(db, dog({ name: 'Kira', owner_id: luis.id })))[0].id)
  assert.equal((await bellTexts(db, luis)).toSorted(), [
    'A Ana de Lugo le gusta Compartida',
    'A Ana de Lugo le gusta Kira',
    'A Eva y 1 más les gusta Lobo',
    'Ana de Lugo ha comentado en Compartida: «Qué guapo»',
    'Ana de Lugo ha comentado en Lobo: «Qué guapo»',
  ])
  const before = (await db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())!.id
  await leave(db, ana, 'keep')
  assert.equal(await bellTexts(db, luis), ['A Eva le gusta Lobo'])
  const told = await eventsAfter(db, before, 1000)
  const likes = told.filter((row) => row.type === 'like').map((row) => JSON.parse(row.data))
  assert.equal(
    likes.find((event) => event.dog_id === lobo.id && !event.liked),
    { ...likes.find((event) => event.dog_id === lobo.id), user_id: '', liked: false, likes: 2, owner_id: luis.id },
  )
  assert.is(told.filter((row) => row.type === 'comment' && JSON.parse(row.data).action === 'removed').length, 4)
  assert.ok(told.some((row) => row.type === 'notification' && JSON.parse(row.data).gone))
})

erase('the notification of a dog that changed owner forgets the member too', async ({ db, ana, luis, lobo }) => {
  await db.updateTable('dogs_all').set({ owner_id: null }).where('id', '=', lobo.id).execute()
  await leave(db, ana, 'keep')
  assert.equal(await findTraces(db, [ANA.alias]), [])
  assert.ok(luis)
})

erase('very many likes and comments are deleted in batches, all of them', async ({ db, ana }) => {
  for (let i = 0; i < 230; i++) {
    const [each] = await seed(db, dog({ owner_id: null }))
    await like(db, ana, each.id)
    await addComment(db, ana, each.id, 'Qué guapo')
  }
  await leave(db, ana, 'keep')
  assert.equal(await findTraces(db, [ANA.id, ANA.email, ANA.alias, 'Qué guapo']), [])
  assert.equal(await listDriftedCounts(db), [])
})

erase('dogs that stay lose only the member’s name', async ({ db, ana, luis, toby, found, shared, hers, added }) => {
  await leave(db, ana, 'keep')
  assert.equal(await names(db), ['Compartida', 'Hallado', 'Lobo', 'Registrado', 'Suelto', 'Suya', 'Toby'])
  assert.equal(await read(db, toby.id), [null, null, null, 1, 1])
  for (const { id } of [found, added]) assert.equal(await read(db, id), [null, null, null, 0, 0])
  assert.equal(await read(db, shared.id), [null, luis.id, null, 1, 1])
  assert.equal(await read(db, hers.id), [luis.id, null, luis.id, 0, 0])
  assert.is((await findByPath(db, 'beagle', 'toby')).kind, 'found')
})

erase(
  'only the member’s own dogs are deleted; shared ones stay with the other member',
  async ({ db, ana, luis, shared, hers }) => {
    await leave(db, ana, 'delete')
    assert.equal(await names(db), ['Compartida', 'Lobo', 'Suelto', 'Suya'])
    assert.is((await rowOf(db, 'dogs', { id: shared.id })).owner_id, luis.id)
    assert.is((await rowOf(db, 'dogs', { id: hers.id })).discoverer_id, luis.id)
    for (const name of ['toby', 'hallado', 'registrado'])
      assert.is((await findByPath(db, 'beagle', name)).kind, 'gone', name)
    assert.is((await findByPath(db, 'boxer', 'lobo')).kind, 'found')
  },
)

erase('a wrong alias deletes nothing; case and accents are ignored', async ({ db, ana, sessions }) => {
  const sentence = 'Escribe tu alias tal como aparece en tu perfil.'
  for (const alias of ['', 'Luis', 'Ana']) {
    const { status, message, errors } = await refusalError(leave(db, { ...ana, alias }, 'delete'))
    assert.equal([status, message, errors], [422, sentence, { alias: sentence }])
  }
  assert.ok(await readSession(db, sessions[0]!.token))
  assert.is((await names(db)).length, 7)
  await deleteAccount(db, dataDir, withRecentSignIn(ana), { dogs: 'keep', alias: '  ána de  LUGO ' })
  assert.is(await readSession(db, sessions[0]!.token), null)
})

erase('the address may register again, as a new member', async ({ db, ana }) => {
  await leave(db, ana, 'keep')
  const again = await ensureUser(db, ANA.email)
  assert.is.not(again.id, ana.id)
})

erase(
  'a deletion that fails halfway has hidden and signed out the member, and continues at the next start',
  async ({ db }) => {
    for (const table of ['dogs_all', 'dog_likes_all', 'comments_all', 'notifications_all', 'users']) {
      db = freshDb()
      const { ana, sessions, luis } = await createCommunity(db)
      const allowDeletes = await refuseWrites(db, { table, event: 'DELETE', message: 'stopped' })
      const stopped = leave(db, ana, 'delete')
      assert.match(String(await stopped.catch((error) => error)), 'stopped')
      assert.is(await readSession(db, sessions[0]!.token), null, table)
      assert.is(await db.selectFrom('profiles').select('id').where('id', '=', ana.id).executeTakeFirst(), undefined)
      assert.equal(await listDriftedCounts(db), [])
      await allowDeletes()
      await resumeErasures(db, dataDir)
      assert.equal(await findTraces(db, [ANA.id, ANA.email, ANA.alias, 'Qué guapo']), [], table)
      assert.equal(await listDriftedCounts(db), [])
      assert.ok(await readSession(db, sessions[2]!.token), luis.alias)
    }
  },
)

erase('a request without a session deletes nobody', async ({ db }) => {
  assert.is((await refusal(deleteAccount(db, dataDir, null, { dogs: 'delete', alias: '' })))[0], 401)
})

onlyOnSqlite(erase)('every row that refers to a member is deleted or anonymised with the account', ({ db }) => {
  const sqlite = sqliteOf(db)
  const tables = sqlite.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).pluck().all() as string[]
  const strict = tables.flatMap((table) =>
    (sqlite.pragma(`foreign_key_list(${table})`) as { table: string; from: string; on_delete: string }[])
      .filter((key) => key.table === 'users' && !/CASCADE|SET NULL/.test(key.on_delete))
      .map((key) => `${table}.${key.from}`),
  )
  assert.equal(strict, [])
})

onlyOnSqlite(erase)('no query scans a whole table', async ({ db, ana }) => {
  const plans = await explainQueries(db, (listening) => leave(listening, ana, 'delete'))
  assert.ok(plans.length > 10)
  assert.equal(findSlowSteps(plans), [])
})
