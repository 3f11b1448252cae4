import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { dog, member, seed, signIn } from '#tests/support/seed.ts'
import { operatorEnv, serverEnv, startServer } from '#tests/support/server.ts'
import { assertProblem } from '#tests/support/problem.ts'
import { answered, assert, assertMatches, call, contentOf, suite, UNKNOWN_ID } from '#tests/support/suites.ts'

const server = await startServer({ ADMIN_EMAIL: 'jefa@ejemplo.es' })
const admin = await signIn(server, 'jefa@ejemplo.es')
const luis = await signIn(server, 'luis@ejemplo.es')
const [[eva]] = [await seed(server.db, member({ alias: 'Eva <b>', email: 'eva@ejemplo.es' }), dog({ name: 'Toby' }))]

const verify = (cookie: string | undefined, verified: unknown = true, id = eva.id, headers = {}, alias = 'Eva <b>') =>
  call(server, `/api/admin/members/${id}/verified`, { method: 'PUT', cookie, json: { verified, alias }, headers })
const sendMessage = (cookie: string | undefined, content: unknown = 'Hola', id = eva.id, headers = {}) =>
  call(server, `/api/admin/members/${id}/word`, { method: 'POST', cookie, json: { content }, headers })
const post = (path: string, cookie: string | undefined, fields: Record<string, string>, headers = {}) =>
  call(server, path, { method: 'POST', cookie, fields, headers })
const isVerified = async () => {
  const row = await server.db
    .selectFrom('profiles')
    .select('verified')
    .where('id', '=', eva.id)
    .executeTakeFirstOrThrow()
  return row.verified === 1
}
const bell = (cookie: string) => call(server, '/api/notifications', { cookie })

const api = suite('api/moderation/admin-pages')

api('the page exists for the admin only; for others it is a 404', async () => {
  const { status, body, headers } = await call(server, '/admin', { cookie: admin.cookie })
  assert.equal([status, headers.get('cache-control')], [200, 'no-store'])
  for (const words of ['Administración', 'eva@ejemplo.es', 'Eva &lt;b&gt;', 'luis@ejemplo.es'])
    assert.match(body, words)
  for (const cookie of [undefined, 'perrario=caducada', luis.cookie])
    for (const path of ['/admin', '/admin?tab=perros', '/admin?q=eva']) {
      const answer = await call(server, path, { cookie })
      assert.is(answer.status, 404, path)
      assert.match(answer.body, 'Oops! Page not found')
      assert.not.match(answer.body, /eva@|Administración/)
    }
})

api('only the admin sees links to /admin', async () => {
  assert.match((await call(server, '/perfil', { cookie: admin.cookie })).body, 'href="/admin"')
  assert.match((await call(server, `/usuario/${admin.id}`, { cookie: admin.cookie })).body, 'href="/admin"')
  for (const path of ['/perfil', `/usuario/${luis.id}`, `/usuario/${admin.id}`])
    assert.not.match((await call(server, path, { cookie: luis.cookie })).body, '/admin')
})

api('lists support search, dogs and invalid addresses', async () => {
  const page = async (query: string) => (await call(server, `/admin${query}`, { cookie: admin.cookie })).body as string
  const found = await page('?q=EVA')
  assert.match(found, 'eva@ejemplo.es')
  assert.not.match(found, 'luis@ejemplo.es')
  assert.match(await page('?q=%3Cimg%20src=x%3E'), 'Nada que empiece por «&lt;img src=x&gt;».')
  assertMatches(await page('?tab=perros&q=tob'), 'href="/beagle/toby"', 'Eva &lt;b&gt;')
  for (const query of ['?cursor=x', '?tab=perros&cursor=x', '?tab=otra', '?q=%00'])
    assert.is((await call(server, `/admin${query}`, { cookie: admin.cookie })).status, 200, query)
})

api('actions by role: visitors 401, members 403, the admin 200', async () => {
  for (const cookie of [undefined, 'perrario=caducada']) {
    assertProblem(await verify(cookie), 401, 'Inicia sesión para continuar.')
    assertProblem(await sendMessage(cookie), 401, 'Inicia sesión para continuar.')
    assertProblem(
      await post(`/api/admin/members/${eva.id}/verified`, cookie, { verified: '1' }),
      401,
      'Inicia sesión para continuar.',
    )
  }
  assertProblem(await verify(luis.cookie), 403, 'No tienes permiso para hacer esto.')
  assertProblem(await sendMessage(luis.cookie), 403, 'No tienes permiso para hacer esto.')
  assertProblem(await verify(luis.cookie, true, luis.id), 403, 'No tienes permiso para hacer esto.')
  assertProblem(
    await post(`/api/admin/members/${luis.id}/verified`, luis.cookie, { verified: '1' }),
    403,
    'No tienes permiso para hacer esto.',
  )
  assertProblem(
    await post(`/api/admin/members/${luis.id}/word`, luis.cookie, { content: 'x' }),
    403,
    'No tienes permiso para hacer esto.',
  )
  assert.is(await isVerified(), false)
  assert.equal((await verify(admin.cookie)).body, { verified: true })
  assert.is(await isVerified(), true)
  assert.equal((await verify(admin.cookie, false)).body, { verified: false })
  assert.is(await isVerified(), false)
})

api('a member who has another name by then is not verified: 409, and the page says so', async () => {
  const RENAMED = 'Ya no se llama así. Mira su nombre otra vez antes de verificarlo.'
  assertProblem(await verify(admin.cookie, true, eva.id, {}, 'Eva'), 409, RENAMED)
  const path = `/api/admin/members/${eva.id}/verified`
  assertProblem(await post(path, admin.cookie, { verified: '1' }), 422, 'Falta el nombre que has visto.')
  const { headers } = await answered(303, post(path, admin.cookie, { verified: '1', alias: 'Eva' }))
  assert.match((await call(server, headers.get('location')!, { cookie: admin.cookie })).body, RENAMED)
  assert.is(await isVerified(), false)
  assert.match((await call(server, '/admin?q=eva', { cookie: admin.cookie })).body, 'name="alias" value="Eva <b>"')
})

api('a page of another origin cannot act for the admin: 403', async () => {
  const headers = { Origin: 'https://otro.ejemplo' }
  assertProblem(await verify(admin.cookie, true, eva.id, headers), 403, 'La petición viene de otro sitio.')
  assertProblem(await sendMessage(admin.cookie, 'Hola', eva.id, headers), 403, 'La petición viene de otro sitio.')
  for (const what of ['verified', 'word'])
    assertProblem(
      await post(`/api/admin/members/${eva.id}/${what}`, admin.cookie, { verified: '1', content: 'x' }, headers),
      403,
      'La petición viene de otro sitio.',
    )
  assert.is(await isVerified(), false)
})

api('invalid input is 422, unknown members are 404', async () => {
  for (const value of [null, 'si', 1])
    assertProblem(await verify(admin.cookie, value), 422, 'Di si el perfil está verificado.')
  assertProblem(
    await post(`/api/admin/members/${eva.id}/verified`, admin.cookie, {}),
    422,
    'Di si el perfil está verificado.',
  )
  for (const value of ['', ' \n ', null, 7])
    assertProblem(await sendMessage(admin.cookie, value), 422, 'Escribe un mensaje.')
  assertProblem(
    await sendMessage(admin.cookie, 'a'.repeat(301)),
    422,
    'El mensaje no puede tener más de 300 caracteres.',
  )
  assert.is((await sendMessage(admin.cookie, '👨‍👩‍👧‍👦'.repeat(300))).status, 200)
  for (const action of [verify, sendMessage]) {
    assertProblem(
      await action(admin.cookie, action === verify ? true : 'Hola', UNKNOWN_ID),
      404,
      'Este usuario ya no existe.',
    )
    assert.is((await action(admin.cookie, action === verify ? true : 'Hola', 'x')).status, 404)
  }
})

api('a message reaches the member’s bell', async () => {
  assert.equal(contentOf(await sendMessage(admin.cookie, ' Gracias por tus fotos ', luis.id)), [200, { sent: true }])
  const [line] = (await bell(luis.cookie)).body.notifications
  assert.equal([line.type, line.title, line.content], ['other', 'Un mensaje de Perrario', 'Gracias por tus fotos'])
})

api('forms return to the list they were sent from', async () => {
  const to = async (what: string, fields: Record<string, string>) => {
    const { headers } = await answered(303, post(`/api/admin/members/${eva.id}/${what}`, admin.cookie, fields))
    return headers.get('location')
  }
  assert.is(
    await to('verified', { verified: '1', alias: 'Eva <b>', q: 'eva', cursor: '' }),
    `/admin?q=eva&hecho=verificado#m-${eva.id}`,
  )
  assert.is(await isVerified(), true)
  assert.is(await to('verified', { verified: '0' }), `/admin?hecho=sin-verificar#m-${eva.id}`)
  assert.is(await to('word', { content: 'Hola', q: 'a&b' }), `/admin?q=a%26b&hecho=enviado#m-${eva.id}`)
  assert.is(await to('word', { content: ' ' }), `/admin?error=vacio&a=${eva.id}#m-${eva.id}`)
  assert.is(await to('word', { content: 'a'.repeat(301) }), `/admin?error=largo&a=${eva.id}#m-${eva.id}`)
  const page = (await call(server, `/admin?error=largo&a=${eva.id}`, { cookie: admin.cookie })).body
  assert.match(page, 'El mensaje no puede tener más de 300 caracteres.')
})

/** `npm run admin -- …` as npm runs it, over the running server's data. */
async function run(words: string[], settings: Record<string, string> = operatorEnv(server)) {
  const child = spawn(process.execPath, ['scripts/admin.mjs', ...words], {
    cwd: resolve(import.meta.dirname, '../../..'),
    env: serverEnv(settings),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output }
}

api('npm run admin verifies and unverifies members while the server runs', async () => {
  const shown = async () => /Perfil verificado/.test((await call(server, `/usuario/${eva.id}`)).body)
  assert.is(await shown(), false)
  assert.equal(await run(['verify', 'éva', '<B>']), {
    code: 0,
    output: 'perrario · Eva <b> tiene ahora la insignia de verificado.\n',
  })
  assert.is(await shown(), true)
  assert.equal(await run(['unverify', 'Eva <b>']), {
    code: 0,
    output: 'perrario · Eva <b> ya no tiene la insignia de verificado.\n',
  })
  assert.is(await shown(), false)
})

api('npm run admin ends a member’s sessions, or everybody’s, while the server runs', async () => {
  const members = [await signIn(server, 'olga@ejemplo.es'), await signIn(server, 'iris@ejemplo.es')] as const
  const isIn = async ({ cookie }: { cookie: string }) =>
    (await call(server, '/api/session', { cookie })).body.user !== null
  const { alias } = (await call(server, '/api/session', { cookie: members[0].cookie })).body.user
  assert.equal(await run(['sign-out', alias]), { code: 0, output: `perrario · sesiones cerradas de ${alias}: 1.\n` })
  assert.equal([await isIn(members[0]), await isIn(members[1])], [false, true])
  const all = await run(['sign-out-all'])
  assert.is(all.code, 0)
  assert.match(all.output, /^perrario · sesiones cerradas de todo el mundo: [1-9]\d*\.\n$/)
  assert.is(await isIn(members[1]), false)
})

api('npm run admin prints errors and exits with 1', async () => {
  assert.equal(await run(['verify', 'Nadie']), {
    code: 1,
    output: 'perrario · no hay ningún perfil con el alias «Nadie».\n',
  })
  assert.equal(await run(['verify']), {
    code: 2,
    output: 'perrario · falta el alias: npm run admin -- verify <alias>\n',
  })
  const none = await run([])
  assert.is(none.code, 2)
  assert.match(none.output, /^Uso: npm run admin -- <orden>/)
  const unknown = await run(['borrar', 'todo'])
  assert.is(unknown.code, 2)
  assert.match(unknown.output, /^perrario · no existe la orden «borrar»\.\n\nUso:/)
  const help = await run(['help'])
  assert.is(help.code, 0)
  for (const order of ['verify <alias>', 'unverify <alias>', 'help']) assert.match(help.output, order)
  const empty = mkdtempSync(join(tmpdir(), 'perrario-admin-'))
  const nothing = await run(['verify', 'Eva'], { DATA_DIR: empty })
  rmSync(empty, { recursive: true })
  assert.is(nothing.code, 1)
  assert.match(
    nothing.output,
    /^perrario · no hay base de datos en .*: arranca antes el sitio con npm start, o di DATA_DIR\.\n$/,
  )
})

api('without a tab the page opens on the reports while any is open', async () => {
  const [kira] = await seed(server.db, dog({ name: 'Kira' }))
  const boss = await signIn(server, 'jefa@ejemplo.es')
  const noa = await signIn(server, 'noa@ejemplo.es')
  const page = async () => (await call(server, '/admin', { cookie: boss.cookie })).body as string
  assert.match(await page(), 'Administración')
  const isQueue = /href="\/admin\?tab=denuncias" aria-current="page"/
  assert.not.match(await page(), isQueue)
  const json = { kind: 'dog', id: kira.id, reason: 'spam', words: '' }
  assert.is((await call(server, '/api/reports', { method: 'POST', cookie: noa.cookie, json })).status, 201)
  assert.match(await page(), isQueue)
})

api.after(() => server.dispose())
