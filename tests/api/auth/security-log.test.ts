import { SECURITY_EVENTS } from '#features/auth/security-log/security-log.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { ACCOUNT_ACTIONS, createAna, ORIGIN } from '#tests/support/auth/account-actions.ts'
import { startGoogleSite } from '#tests/support/auth/google-site.ts'
import { readSessionUser } from '#tests/support/auth/oauth-flow.ts'
import { READS } from '#tests/support/matrix/reads.ts'
import { methodOf, routeOf } from '#tests/support/matrix/rows.ts'
import { WRITES } from '#tests/support/matrix/writes.ts'
import { openServerDatabase } from '#tests/support/server-database.ts'
import { assert, assertMatches, assertNone, call, type Db, serverDbSuite } from '#tests/support/suites.ts'

// Everything that decides who comes in to an account leaves its entry in that account's log, and in no other.

/** The calls of an account that are no ACCOUNT_ACTIONS, and where they are looked at or why they leave nothing. */
const OTHER_CALLS: Record<string, string> = {
  'POST /api/auth/intent': 'it keeps what a visitor is about to do; the sign-in is recorded',
  'POST /api/auth/magic-link': 'anybody asks for a mail; the sign-in is recorded',
  'POST /api/auth/passkeys/options': 'changes nothing of the account',
  'POST /api/auth/dev': 'only `npm run dev` has it',
  'GET /api/auth/[provider]': 'leads to the provider',
  'GET /api/auth/[provider]/callback': 'below, with a provider',
  'POST /api/auth/[provider]/callback': 'Apple’s; the same handler',
  'GET /api/account/notices': 'reads',
  'GET /api/account/sessions': 'reads',
  'PUT /api/account/notices': 'no matter of security',
  'POST /api/account/notices': 'the same',
  'DELETE /api/account/memories': 'the same',
  'POST /api/account/memories': 'the same',
  'POST /api/account/first-days': 'the same',
  'DELETE /api/account':
    'at once, the log goes with the account (unit/auth/security-log); waiting: api/account/pending-deletion',
  'POST /api/account/restore': 'deletion-undone: api/account/pending-deletion',
  'POST /api/account/erase': 'the log goes with the account',
  'POST /api/account': 'the same',
}

const log = serverDbSuite('api/auth/security-log', { SITE_URL: ORIGIN })

const readEntries = (db: Db) => db.selectFrom('security_log').selectAll().execute()

log('every call of an account has its events here, or the reason why it has none', () => {
  const calls = Object.keys({ ...WRITES, ...READS })
    .map(routeOf)
    .filter(
      (route) => /^\w+ (\/api\/(auth|account)\b|\/perfil\/seguridad)/.test(route) && route !== 'GET /perfil/seguridad',
    )
  const known = [...Object.keys(ACCOUNT_ACTIONS).map(routeOf), ...Object.keys(OTHER_CALLS)]
  assert.ok(calls.length > 30, `${calls.length}`)
  assertNone([...new Set(calls)], (route) => !known.includes(route))
  assertNone([...new Set(known)], (route) => !calls.includes(route), 'calls that are gone')
})

log('every event is one of a call, of a provider or of deletion', () => {
  const found = new Set([
    ...Object.values(ACCOUNT_ACTIONS).flatMap(({ events }) => events),
    'provider-linked',
    'deletion-requested',
    'deletion-undone',
  ])
  assertNone(SECURITY_EVENTS, (event) => !found.has(event))
})

for (const [name, { events, prepare }] of Object.entries(ACCOUNT_ACTIONS))
  log(`${name}: ${events.join(', ')}`, async ({ server, db }) => {
    const act = await prepare({ server, db, ana: await createAna(server) })
    const [latest] = await db.selectFrom('users').select('id').orderBy('created_at', 'desc').limit(1).execute()
    const before = (await readEntries(db)).map(({ id }) => id)
    const { status, body } = await act()
    assert.is(
      status >= 400,
      events.some((event) => event.endsWith('-refused')),
      `${status} ${JSON.stringify(body)}`,
    )
    const entries = (await readEntries(db)).filter(({ id }) => !before.includes(id))
    assert.equal(entries.map(({ event }) => event).toSorted(), [...events].toSorted())
    assert.ok(entries.every(({ user_id }) => user_id === latest!.id))
    assert.not.match(JSON.stringify(entries), /\d+\.\d+\.\d+\.\d+|@/, 'no address, of network or mail')
  })

log('a call that is refused leaves nothing', async ({ server, db }) => {
  const ana = await createAna(server)
  await db.updateTable('sessions').set({ proved_at: 0 }).where('user_id', '=', ana.id).execute()
  const before = (await readEntries(db)).length
  for (const name of [
    'DELETE /api/account/sessions',
    'POST /api/account/recovery-codes',
    'POST /api/account/email',
    'GET /api/account/export',
  ]) {
    const json = name.endsWith('email') ? { json: { email: 'otra@ejemplo.es' } } : {}
    const { status } = await call(server, name.split(' ')[1]!, { method: methodOf(name), cookie: ana.cookie, ...json })
    assert.is(status, 403, name)
  }
  assert.is((await readEntries(db)).length, before)
})

log('a sign-in by a provider says which, and a first one that it is linked', async () => {
  const { server, oidc, signIn, close } = await startGoogleSite()
  const db = openServerDatabase(server)
  try {
    oidc.people.ana = { email: 'ana@gmail.com', email_verified: true }
    const { jar } = await signIn('ana')
    const { id } = (await readSessionUser(server, jar))!
    await signIn('ana', jar)
    const entries = await db
      .selectFrom('security_log')
      .select(['event', 'detail'])
      .where('user_id', '=', id)
      .orderBy('created_at')
      .execute()
    assert.equal(entries.map(({ event, detail }) => `${event} ${detail}`).toSorted(), [
      'provider-linked google',
      'sign-in google',
      'sign-in google',
      'sign-out null',
    ])
  } finally {
    await db.destroy()
    await close()
  }
})

log(
  'the account’s page shows the newest ten, the log’s own page all of them, by pages that work without script',
  async (t) => {
    const ana = await createAna(t.server)
    const now = Date.now()
    for (let i = 0; i < 60; i++)
      await logSecurityEvent(
        t.db,
        ana.id,
        'passkey-renamed',
        { detail: `Llave <${i}>`, device: 'Firefox en Linux' },
        now + i,
      )
    const page = async (path: string) => (await call(t.server, path, { cookie: ana.cookie })).body as string
    assert.match(await page('/perfil/cuenta'), 'href="/perfil/seguridad"')
    const first = await page('/perfil/seguridad')
    assertMatches(first, 'Llave de acceso «Llave &lt;59&gt;»: nombre nuevo', 'Llave &lt;10&gt;')
    assert.not.match(first, 'Llave &lt;9&gt;')
    const [, next] = /href="(\/perfil\/seguridad\?cursor=[^"]+)"/.exec(first)!
    const second = await page(next!)
    assertMatches(second, 'Llave &lt;9&gt;', 'Llave &lt;0&gt;')
    assert.not.match(second, 'cursor=')
    assert.match(await page('/perfil/seguridad?cursor=x'), 'Llave &lt;59&gt;')
    assert.is((await call(t.server, '/perfil/seguridad')).status, 302)
  },
)
