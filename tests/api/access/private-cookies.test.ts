import { keepCookiesPrivate } from '#server/security/private-cookies.ts'
import { PAGES } from '#tests/support/matrix/page-reads.ts'
import { READS } from '#tests/support/matrix/reads.ts'
import { createMatrixWorld } from '#tests/support/matrix/world.ts'
import { assert, serverDbSuite } from '#tests/support/suites.ts'

// Any route may set a cookie: it renews a session, or takes an ended one away. No shared cache may store such an answer.

const ADMIN = 'admin@ejemplo.es'

const cookies = serverDbSuite('api/access/private-cookies', { ADMIN_EMAIL: ADMIN, SITE_URL: 'http://perrario.example' })

const isPrivate = (cacheControl: string | null) =>
  /(?:^|, )(?:private|no-store)(?:,|$)/.test(cacheControl ?? '') && !/public|s-maxage/.test(cacheControl ?? '')

cookies(
  'every response that sets a cookie is private, with a session due for renewal and with an ended one',
  async ({ server, db }) => {
    const world = await createMatrixWorld(db, server.dataDir, ADMIN)
    const owner = await world.cookieOf('owner')
    const ended = `perrario=${'s'.repeat(32)}`
    const faults: string[] = []
    let answersWithCookie = 0
    for (const [name, { path }] of Object.entries({ ...READS, ...PAGES }))
      for (const Cookie of [owner, ended]) {
        const tomorrow = Math.floor(Date.now() / 1000) + 86_400
        await db.updateTable('sessions').set({ expires_at: tomorrow }).where('user_id', '=', world.owner.id).execute()
        const { headers, body } = await fetch(server.url + path(world), { redirect: 'manual', headers: { Cookie } })
        await body?.cancel()
        if (headers.getSetCookie().length === 0) continue
        answersWithCookie++
        const cacheControl = headers.get('cache-control')
        if (!isPrivate(cacheControl)) faults.push(`${name}: ${cacheControl}`)
      }
    assert.equal(faults, [])
    assert.ok(answersWithCookie > 120, `${answersWithCookie} answers set a cookie`)
  },
)

cookies('a cookie makes Cache-Control private and keeps its max-age; without a cookie it is unchanged', () => {
  const toPrivate = (value: string | null, cookie = 'a=1') => {
    const headers = new Headers({
      ...(value !== null && { 'Cache-Control': value }),
      ...(cookie && { 'Set-Cookie': cookie }),
    })
    keepCookiesPrivate(headers)
    return headers.get('cache-control')
  }
  assert.is(
    toPrivate('public, max-age=3600, s-maxage=9, stale-while-revalidate=86400'),
    'private, max-age=3600, stale-while-revalidate=86400',
  )
  assert.is(toPrivate('private, no-cache'), 'private, no-cache')
  assert.is(toPrivate('no-store'), 'no-store')
  assert.equal([toPrivate(null), toPrivate('public, max-age=3600', '')], ['private', 'public, max-age=3600'])
})
