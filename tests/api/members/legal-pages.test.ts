import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sessionCookieName } from '#features/auth/auth.ts'
import { endSession } from '#features/auth/sessions/sessions.server.ts'
import { call } from '#tests/support/api.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { root } from '#tests/support/sources.ts'
import { startServer } from '#tests/support/server.ts'
import { assert, assertMatches, redirectOf, serverSuite, update } from '#tests/support/suites.ts'

// The legal texts: a file for visitors, and for members the same text in their own frame.

const ADMIN = 'admin@ejemplo.es'
const PATHS = ['/privacidad', '/terminos']

const legal = serverSuite('api/members/legal-pages', { ADMIN_EMAIL: ADMIN }, async ({ server }) => {
  const ana = await signInMember(server, 'ana@ejemplo.es')
  const bea = await signInMember(server, 'bea@ejemplo.es')
  const admin = await signInMember(server, ADMIN)
  return { ana, bea, admin }
})

const builtFile = (path: string) => readFileSync(join(root, 'dist/client', path, 'index.html'), 'utf8')
const textOf = (html: string) => /<article class="legal-page.*<\/article>/s.exec(html)?.[0]

function assertOwnFrame(body: string, { id, email }: TestMember): void {
  assertMatches(body, `<body data-member="${id}"`, email, 'Cerrar sesión')
  assert.not.match(body, 'Iniciar sesión')
}

legal('a member gets the text of the file in their own frame, however the address is written', async (t) => {
  for (const path of PATHS)
    for (const address of [path, `${path}?utm_source=correo`, `${path}/`])
      for (const member of [t.ana, t.bea]) {
        const { status, body, headers } = await call(t.server, address, { cookie: member.cookie })
        assert.is(status, 200, address)
        assertOwnFrame(body, member)
        assert.is(textOf(body), textOf(builtFile(path)), address)
        assert.equal([headers.get('cache-control'), headers.get('perrario-session')], ['private, no-cache', 'member'])
        assert.match(headers.get('vary') ?? '', 'Cookie')
      }
})

legal('a visitor gets the file byte for byte, with and without other cookies', async ({ server }) => {
  for (const path of PATHS)
    for (const cookie of ['', 'perrario-sidebar=closed']) {
      const { status, body, headers } = await call(server, path, { cookie })
      assert.equal([status, body, headers.get('perrario-session')], [200, builtFile(path), 'any'])
      assert.is(headers.get('cache-control'), 'public, max-age=0, must-revalidate')
      assert.is(headers.get('set-cookie'), null)
    }
})

legal(
  'the texts name the operator of the settings, to visitors, members and in the dialogs of the sign-in',
  async () => {
    const server = await startServer({
      OPERATOR_NAME: 'Perros & Cía.',
      OPERATOR_EMAIL: 'hola@perros.example',
      OPERATOR_ADDRESS: 'Calle Mayor, 1, Vigo',
    })
    const { cookie } = await signInMember(server, 'ana@ejemplo.es')
    for (const [path, as] of [
      ...PATHS.flatMap(
        (path) =>
          [
            [path, ''],
            [path, cookie],
          ] as const,
      ),
      ['/login', ''],
    ] as const)
      for (const encoding of ['br', 'identity']) {
        const { body } = await call(server, path, { cookie: as, headers: { 'Accept-Encoding': encoding } })
        assert.match(
          body,
          /(?:es|mantiene) Perros &amp; Cía\., Calle Mayor, 1, Vigo\. [^<]+, escribe a hola@perros\.example\./,
          path,
        )
        assert.not.match(body, 'quien administra este sitio. Para')
      }
    assert.not.match(server.output(), 'OPERATOR_')
    await server.dispose()
  },
)

legal('the start says which settings of the operator are missing', ({ server }) => {
  assert.match(server.output(), 'falta OPERATOR_NAME, OPERATOR_EMAIL, OPERATOR_ADDRESS')
})

legal('a browser that has the page gets 304, HEAD has the same headers, another member gets their own', async (t) => {
  const { headers } = await call(t.server, '/terminos', { cookie: t.ana.cookie })
  const etag = headers.get('etag') ?? ''
  const ask = async (cookie: string) =>
    (await call(t.server, '/terminos', { cookie, headers: { 'If-None-Match': etag } })).status
  assert.equal([await ask(t.ana.cookie), await ask(t.bea.cookie), await ask('')], [304, 200, 200])
  const head = await fetch(`${t.server.url}/terminos`, { method: 'HEAD', headers: { Cookie: t.ana.cookie } })
  for (const name of ['etag', 'cache-control', 'vary', 'content-security-policy'])
    assert.is(head.headers.get(name), headers.get(name), name)
  assert.is(await head.text(), '')
})

legal('the admin and a session that is renewed get their own frame too', async (t) => {
  assertOwnFrame((await call(t.server, '/privacidad', { cookie: t.admin.cookie })).body, t.admin)
  const eva = await signInMember(t.server, 'eva@ejemplo.es')
  await update(t.server.db, 'sessions', { user_id: eva.id }, { expires_at: Math.floor(Date.now() / 1000) + 3600 })
  const { body, headers } = await call(t.server, '/privacidad', { cookie: eva.cookie })
  assertOwnFrame(body, eva)
  assert.match(headers.get('set-cookie') ?? '', eva.token)
  assert.match(headers.get('cache-control') ?? '', 'private')
})

legal('a session that is over gets the file, and its cookie is removed', async ({ server }) => {
  const over = await signInMember(server, 'fue@ejemplo.es')
  assertOwnFrame((await call(server, '/terminos', { cookie: over.cookie })).body, over)
  await endSession(server.db, over.token)
  for (const cookie of [over.cookie, `${sessionCookieName(false)}=${'x'.repeat(32)}`])
    for (const encoding of ['identity', 'br']) {
      const headersSent = { 'Accept-Encoding': encoding }
      const { body, headers } = await call(server, '/terminos', { cookie, headers: headersSent })
      assert.is(body, builtFile('/terminos'))
      assert.match(headers.get('set-cookie') ?? '', /^perrario=; Path=\/; Expires=Thu, 01 Jan 1970/)
      assert.is(headers.get('cache-control'), 'private, no-cache')
    }
  // The file that others get says nothing of it.
  const { headers } = await call(server, '/terminos')
  assert.equal([headers.get('set-cookie'), headers.get('cache-control')], [null, 'public, max-age=0, must-revalidate'])
})

legal('the address of the members’ page leads to that of the text', async ({ server, ana }) => {
  for (const path of PATHS)
    for (const cookie of [ana.cookie, '']) {
      assert.equal(redirectOf(await call(server, `${path}/miembros`, { cookie })), [302, path])
    }
})
