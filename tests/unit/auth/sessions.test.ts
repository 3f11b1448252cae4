import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sqliteOf } from '#db/client.ts'
import { countStatements } from '#db/statement-count.ts'
import { endSessionById, signOutMembers, listOpenSessions } from '#features/auth/sessions/member-sessions.server.ts'
import { createSession, endSession, findUserIdByCookie, readSession } from '#features/auth/sessions/sessions.server.ts'
import { deleteExpiredRows } from '#features/account/personal-data/expired-rows.server.ts'
import { ensureUser } from '#features/auth/users.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { withRecentSignIn } from '#tests/support/seed.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, type Db, dbSuite, onlyOnSqlite, pick, update } from '#tests/support/suites.ts'

const DAY = 86_400
const sessions = dbSuite('unit/auth/sessions', {}, async ({ db }) => ({
  id: (await ensureUser(db, 'ana@ejemplo.es')).id,
}))

/** Runs `action`. @returns what it returns and how many statements it sends */
async function withStatementCount<T>(action: () => Promise<T>): Promise<[result: T, statements: number]> {
  const before = countStatements()
  return [await action(), countStatements() - before]
}

/** Moves the end of the only session to `seconds` from now. */
const endIn = (db: Db, seconds: number) =>
  update(db, 'sessions', {}, { expires_at: Math.floor(Date.now() / 1000) + seconds })

sessions('the database stores a hash, never the token', async ({ db, id }) => {
  const { token } = await createSession(db, id)
  const row = await db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
  assert.is.not(row.id, token)
  assert.match(row.id, /^[0-9a-f]{64}$/)
  assert.is((await readSession(db, token))?.email, 'ana@ejemplo.es')
  assert.is(await readSession(db, row.id), null, 'what is stored does not sign in')
})

onlyOnSqlite(sessions)(
  'a session’s account is read in one statement, with its profile once there is one',
  async ({ db, id }) => {
    const { token, expiresAt } = await createSession(db, id)
    const read = () => withStatementCount(() => readSession(db, token))
    const [session, statements] = await read()
    const { authenticatedAt, ...user } = session!
    assert.equal(user, { userId: id, email: 'ana@ejemplo.es', profile: null, expiresAt, fresh: false, provedBy: null })
    assert.ok(Math.abs(authenticatedAt - Date.now()) < 60_000)
    assert.is(statements, 1)
    const { alias, emoji } = await ensureProfile(db, id)
    const [withProfile, statementsWithProfile] = await read()
    assert.equal(withProfile!.profile, { alias, emoji, verified: false })
    assert.is(statementsWithProfile, 1)
    assert.equal(await withStatementCount(() => readSession(db, 's'.repeat(32))), [null, 1])
  },
)

onlyOnSqlite(sessions)(
  'a session is renewed, and an expired one deleted, by a transaction of one statement',
  async ({ db, id }) => {
    const { token } = await createSession(db, id)
    await endIn(db, 14 * DAY)
    assert.is((await withStatementCount(() => readSession(db, token)))[1], 4)
    assert.is((await withStatementCount(() => readSession(db, token)))[1], 1)
    await endIn(db, -1)
    assert.equal(await withStatementCount(() => readSession(db, token)), [null, 4])
    assert.equal(await db.selectFrom('sessions').select('id').execute(), [])
  },
)

onlyOnSqlite(sessions)('where nothing can be written a session is read as it stands', async ({ db, id }) => {
  const { token } = await createSession(db, id)
  await endIn(db, 14 * DAY)
  sqliteOf(db).pragma('query_only = ON')
  const { email, fresh, expiresAt } = (await readSession(db, token))!
  assert.equal([email, fresh], ['ana@ejemplo.es', false])
  assert.ok(expiresAt < Date.now() + 15 * DAY * 1000)
  sqliteOf(db).pragma('query_only = OFF')
  await endIn(db, -1)
  sqliteOf(db).pragma('query_only = ON')
  assert.is(await readSession(db, token), null)
})

sessions('a session lasts 30 days from the last visit in its second half', async ({ db, id }) => {
  const { token, expiresAt } = await createSession(db, id)
  assert.ok(Math.abs(expiresAt - Date.now() - 30 * DAY * 1000) < 60_000)
  assert.is((await readSession(db, token))?.fresh, false)
  await endIn(db, 14 * DAY)
  const seen = await readSession(db, token)
  assert.is(seen?.fresh, true)
  assert.ok(seen!.expiresAt > Date.now() + 29 * DAY * 1000)
})

sessions('a session ends 90 days after it began, however often it is used', async ({ db, id }) => {
  const { token } = await createSession(db, id)
  const began = (days: number) => update(db, 'sessions', {}, { created_at: Date.now() - days * DAY * 1000 })
  await began(80)
  const seen = await readSession(db, token)
  const left = seen!.expiresAt - Date.now()
  assert.ok(left > 9.9 * DAY * 1000 && left < 10.1 * DAY * 1000, 'the cookie is told the nearer end')
  assert.is((await listOpenSessions(db, id, token))[0]!.expires_at, seen!.expiresAt)
  await endIn(db, 10 * DAY)
  assert.ok(Math.abs((await readSession(db, token))!.expiresAt - seen!.expiresAt) < 60_000, 'renewing does not move it')
  await began(90)
  assert.is(await readSession(db, token), null)
  assert.equal(await listOpenSessions(db, id, token), [])
  await deleteExpiredRows(db, Date.now(), ['sessions'])
  assert.equal(await db.selectFrom('sessions').select('id').execute(), [])
})

sessions('a session is not renewed where its cookie cannot be sent', async ({ db, id }) => {
  const { token } = await createSession(db, id)
  await endIn(db, 3 * DAY)
  const readEnd = () => db.selectFrom('sessions').select('expires_at').executeTakeFirstOrThrow()
  const before = await readEnd()
  assert.is(await findUserIdByCookie(db, `perrario=${token}`, false), id)
  assert.equal(await readEnd(), before)
  assert.is((await readSession(db, token))?.fresh, true)
})

sessions('a malformed cookie names nobody', async ({ db, id }) => {
  const { token } = await createSession(db, id)
  assert.is(await findUserIdByCookie(db, `a=b; perrario=${token}`, false), id)
  for (const value of ['%E0', '%', '%E0%A4%A', '', '"', 'ñ', '\0', `${token}%`, 'x'.repeat(5000), '..', '%00'])
    assert.is(await findUserIdByCookie(db, `perrario=${value}`, false), null, value)
})

sessions('an ended or expired session is not accepted', async ({ db, id }) => {
  const first = await createSession(db, id)
  await endSession(db, first.token)
  assert.is(await readSession(db, first.token), null)
  const second = await createSession(db, id)
  await endIn(db, -1)
  assert.is(await readSession(db, second.token), null)
})

sessions('abandoned sessions are deleted', async ({ db, id }) => {
  await createSession(db, id)
  await endIn(db, -1)
  await createSession(db, id)
  assert.is((await db.selectFrom('sessions').select('id').execute()).length, 1)
})

sessions('the fake user’s session lasts an hour and is never extended to the usual duration', async ({ db, id }) => {
  const { token, expiresAt } = await createSession(db, id, 'dev')
  assert.ok(Math.abs(expiresAt - Date.now() - 3_600_000) < 60_000)
  await endIn(db, 60)
  assert.ok((await readSession(db, token))!.expiresAt <= Date.now() + 3_601_000)
})

sessions('a duration written in front of a token cannot extend it', async ({ db, id }) => {
  const { token } = await createSession(db, id)
  for (const prefix of ['9999999.', '0.', '-1.', '1e9.', '3600.', '3599.', '03600.'])
    assert.is(await readSession(db, prefix + token), null)
})

sessions('a received token does not stay in memory, whatever it begins with', async ({ db, id }) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const usedBytes = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const { token } = await createSession(db, id)
  const kinds: ((n: number) => string)[] = [
    (n) => `${n}.x`,
    (n) => `${n}.${token}`,
    (n) => String(n).padStart(32, 's'),
    (n) => `3600.${String(n).padStart(32, 's')}`,
  ]
  for (const make of kinds) {
    const ask = async (from: number, count: number) => {
      for (let n = from; n < from + count; n++) {
        assert.is(await readSession(db, make(n)), null)
        assert.is(await findUserIdByCookie(db, `perrario=${make(n)}`, false), null)
      }
    }
    await ask(10_000, 50)
    const before = usedBytes()
    await ask(20_000, 1000)
    const grown = usedBytes() - before
    assert.ok(grown < 2_000_000, `${make(1)}: ${grown} bytes`)
  }
})

sessions('opening and ending sessions waits for a transaction that may be rolled back', async ({ db, id }) => {
  const kept = await createSession(db, id)
  let started: Promise<unknown[]> | undefined
  await db
    .transaction()
    .execute(async (trx) => {
      await trx.selectFrom('users').select('id').execute()
      started = Promise.all([createSession(db, id), endSession(db, kept.token)])
      await new Promise((done) => setTimeout(done, 20))
      throw new Error('rolled back')
    })
    .catch(() => {})
  const [opened] = (await started!) as [{ token: string }]
  assert.ok(await readSession(db, opened.token))
  assert.is(await readSession(db, kept.token), null)
})

sessions('renewing a session waits for a transaction that may be rolled back', async ({ db, id }) => {
  const { token } = await createSession(db, id)
  await endIn(db, 14 * DAY)
  let started: Promise<unknown> | undefined
  await db
    .transaction()
    .execute(async (trx) => {
      await trx.selectFrom('users').select('id').execute()
      started = readSession(db, token)
      await new Promise((done) => setTimeout(done, 20))
      throw new Error('rolled back')
    })
    .catch(() => {})
  await started
  const { expires_at } = await db.selectFrom('sessions').select('expires_at').executeTakeFirstOrThrow()
  assert.ok(expires_at * 1000 > Date.now() + 29 * DAY * 1000)
})

sessions('a member sees their open sessions, the latest first, without tokens', async ({ db, id }) => {
  const luis = await ensureUser(db, 'luis@ejemplo.es')
  const first = await createSession(db, id, undefined, 'Firefox en Windows')
  await new Promise((done) => setTimeout(done, 2))
  const second = await createSession(db, id, undefined, null)
  await createSession(db, luis.id)
  const list = await listOpenSessions(db, id, first.token)
  assert.equal(pick(list, 'device', 'current'), [
    [null, false],
    ['Firefox en Windows', true],
  ])
  assert.is(list[0]!.expires_at, second.expiresAt)
  assert.ok(Math.abs(list[0]!.created_at! - Date.now()) < 60_000)
  const secrets = await db.selectFrom('sessions').select('id').execute()
  for (const secret of [first.token, second.token, ...secrets.map((row) => row.id)])
    assert.not.match(JSON.stringify(list), secret)
  await endIn(db, -1)
  assert.equal(await listOpenSessions(db, id, first.token), [])
})

sessions('one session is ended by its public id, and only by its member', async ({ db, id }) => {
  const luis = await ensureUser(db, 'luis@ejemplo.es')
  const [here, there, his] = [
    await createSession(db, id),
    await createSession(db, id),
    await createSession(db, luis.id),
  ]
  const publicId = async (userId: string, token: string) =>
    (await listOpenSessions(db, userId, token)).find((session) => session.current)!.id
  const refused = async (publicId: string, authenticatedAt = Date.now()) =>
    endSessionById(db, { id, authenticatedAt }, publicId, here.token).then(
      () => 'ended',
      (error: { status: number }) => error.status,
    )
  assert.is(await refused(await publicId(luis.id, his.token)), 403)
  assert.is(await refused(UNKNOWN_ID), 404)
  const stale = Date.now() - 16 * 60_000
  assert.is(await refused(await publicId(id, there.token), stale), 403, 'another one, without recent authentication')
  assert.ok(await readSession(db, there.token))
  assert.is(await endSessionById(db, withRecentSignIn({ id }), await publicId(id, there.token), here.token), false)
  assert.is(await readSession(db, there.token), null)
  assert.is(await endSessionById(db, withRecentSignIn({ id }), await publicId(id, here.token), here.token), true)
  assert.is(await readSession(db, here.token), null)
  assert.ok(await readSession(db, his.token))
})

sessions(
  'the operator ends the sessions of one member or of everybody, and is told how many were open',
  async ({ db, id }) => {
    const other = (await ensureUser(db, 'bea@ejemplo.es')).id
    await createSession(db, id)
    await endIn(db, -60)
    const tokens = [await createSession(db, id), await createSession(db, id), await createSession(db, other)]
    const areOpen = () => Promise.all(tokens.map(async ({ token }) => (await readSession(db, token)) !== null))
    assert.is(await signOutMembers(db, id), 2)
    assert.equal(await areOpen(), [false, false, true])
    assert.is(await signOutMembers(db, 'everybody'), 1)
    assert.equal(await areOpen(), [false, false, false])
  },
)
