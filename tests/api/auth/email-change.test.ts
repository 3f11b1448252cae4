import { lastMailTo, readOutbox } from '#tests/support/outbox.ts'
import { signIn } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'
import { type Answer, assert, assertMatches, call, contentOf, detailOf, serverSuite } from '#tests/support/suites.ts'

// Adding, changing and undoing a mail address, and recovery codes, as programs and as pages without script do it.

const changes = serverSuite('api/auth/email-change')

const post = (server: TestServer, path: string, cookie: string, json: object) =>
  call(server, path, { method: 'POST', cookie, json })
const postForm = (server: TestServer, path: string, cookie: string, fields: Record<string, string>) =>
  call(server, path, { method: 'POST', cookie, fields })
const locationOf = ({ status, headers }: Answer) => [status, headers.get('location')]
const emailOf = async (server: TestServer, cookie: string) =>
  (await call(server, '/api/session', { cookie })).body.user?.email

changes('the new address gets a code, and the old one a link that undoes the change', async ({ server }) => {
  const { cookie } = await signIn(server, 'ana@ejemplo.es')
  const asked = await post(server, '/api/account/email', cookie, { email: 'Nueva@Ejemplo.es' })
  assert.equal(contentOf(asked), [202, { sent: true }])
  const mail = lastMailTo(server.dataDir, 'nueva@ejemplo.es')
  assert.is(mail.link, '', 'the code is typed where its member is signed in')
  assert.match(mail.text, 'Con este código confirmas que esta dirección es tuya')
  const confirmed = await post(server, '/api/account/email/code', cookie, { code: mail.code })
  assert.equal(contentOf(confirmed), [200, { email: 'nueva@ejemplo.es' }])
  assert.is(await emailOf(server, cookie), 'nueva@ejemplo.es')
  const again = await post(server, '/api/account/email/code', cookie, { code: mail.code })
  assert.equal(detailOf(again), [409, 'No hay ninguna dirección por confirmar. Escribe primero tu nuevo email.'])
  const told = lastMailTo(server.dataDir, 'ana@ejemplo.es')
  assert.match(told.text, 'tienes 7 días para deshacerlo')
  assert.not.match(told.text, 'nueva@ejemplo.es', 'who reads the old mailbox learns no address')
  const { pathname, searchParams } = new URL(told.link)
  assert.is(pathname, '/deshacer')
  const page = await call(server, pathname + new URL(told.link).search)
  assert.equal([page.status, await emailOf(server, cookie)], [200, 'nueva@ejemplo.es'], 'looking undoes nothing')
  assert.match(page.body, 'Deshacer el cambio')
  const token = searchParams.get('token')!
  assert.equal(locationOf(await postForm(server, '/api/account/undo', '', { token })), [303, '/deshacer?hecho=si'])
  assert.is(await emailOf(server, cookie), undefined, 'every session ends')
  assert.is(await emailOf(server, (await signIn(server, 'ana@ejemplo.es')).cookie), 'ana@ejemplo.es')
  const used = await post(server, '/api/account/undo', '', { token })
  assert.equal(detailOf(used), [404, 'Este enlace no es válido o ya se ha usado.'])
  assert.equal(
    locationOf(await postForm(server, '/api/account/undo', '', { token })),
    [303, `/deshacer?token=${token}`],
    'whose page says why',
  )
})

changes('only the mailbox learns that an address has an account', async ({ server }) => {
  await signIn(server, 'eva@ejemplo.es')
  const { cookie } = await signIn(server, 'luis@ejemplo.es')
  const asked = await post(server, '/api/account/email', cookie, { email: 'eva@ejemplo.es' })
  assert.equal(contentOf(asked), [202, { sent: true }])
  const { text, code } = lastMailTo(server.dataDir, 'eva@ejemplo.es')
  assert.match(text, 'con ella ya entras en la tuya')
  assert.is(code, '')
})

changes('a member asks for at most ten mails an hour', async ({ server }) => {
  const { cookie } = await signIn(server, 'mucha@ejemplo.es')
  const before = readOutbox(server.dataDir).length
  const statuses = []
  for (let i = 0; i < 11; i++)
    statuses.push((await post(server, '/api/account/email', cookie, { email: `n${i}@ejemplo.es` })).status)
  assert.equal(statuses, [...Array.from({ length: 10 }, () => 202), 429])
  assert.is(readOutbox(server.dataDir).length - before, 10)
})

changes('without script the page changes the address by forms alone', async ({ server }) => {
  const { cookie } = await signIn(server, 'llana@ejemplo.es')
  const page = async (path: string) => (await call(server, path, { cookie })).body as string
  assert.match(await page('/perfil/cuenta'), 'Cambiar de email')
  const bad = await postForm(server, '/api/account/email', cookie, { email: 'llana@ejemplo.es' })
  assert.equal(locationOf(bad), [303, '/perfil/cuenta?error=email#entrada'])
  const flash = bad.headers.getSetCookie()[0]!.split(';')[0]!
  const refused = (await call(server, '/perfil/cuenta?error=email', { cookie: `${cookie}; ${flash}` })).body as string
  assert.match(refused, 'Ese ya es tu email.')
  const asked = await postForm(server, '/api/account/email', cookie, { email: 'otra@ejemplo.es' })
  assert.equal(locationOf(asked), [303, '/perfil/cuenta?hecho=email-enviado#entrada'])
  assert.match(await page('/perfil/cuenta?hecho=email-enviado'), 'Confirmar el email')
  const { code } = lastMailTo(server.dataDir, 'otra@ejemplo.es')
  const confirmed = await postForm(server, '/api/account/email/code', cookie, { code })
  assert.equal(locationOf(confirmed), [303, '/perfil/cuenta?hecho=email-cambiado#entrada'])
  const done = await page('/perfil/cuenta?hecho=email-cambiado')
  assertMatches(done, 'Listo: desde ahora entras con el email nuevo.', 'otra@ejemplo.es')
})

changes('recovery codes are shown once, and each signs in once', async ({ server }) => {
  const { cookie, id } = await signIn(server, 'copia@ejemplo.es')
  const shown = await postForm(server, '/perfil/seguridad', cookie, { x: '1' })
  assert.is(shown.headers.get('cache-control'), 'no-store')
  const made = [...(shown.body as string).matchAll(/<li>((?:\w{4}-){3}\w{4})<\/li>/g)].map(([, code]) => code!)
  assert.is(made.length, 10)
  assert.not.match((await call(server, '/perfil/seguridad', { cookie })).body, made[0]!)
  const enter = (code: string) => post(server, '/api/auth/recovery', '', { code })
  const entered = await enter(made[0]!.toUpperCase())
  assert.equal([entered.status, entered.body.user.id], [200, id])
  const again = await enter(made[0]!)
  assert.equal(
    [again.status, again.body.detail, again.headers.getSetCookie()],
    [422, 'Este código ya se ha usado. Usa otro de tu lista.', []],
  )
  const session = entered.headers.getSetCookie()[0]!.split(';')[0]!
  assert.is((await call(server, '/api/account/export', { cookie: session })).status, 200, 'it is a fresh proof')
  assert.equal(locationOf(await postForm(server, '/api/auth/recovery', '', { code: made[1]! })), [303, '/perfil'])
  assert.equal(locationOf(await postForm(server, '/api/auth/recovery', '', { code: 'x' })), [303, '/login/recuperar'])
  const renewed = await post(server, '/api/account/recovery-codes', cookie, {})
  assert.equal([renewed.status, renewed.body.codes.length], [201, 10])
  assert.is((await enter(made[2]!)).status, 422, 'earlier ones are void')
})

changes('who asks for an address learns nothing of it: only its mailbox is told', async ({ server }) => {
  const { cookie } = await signIn(server, 'mallory@ejemplo.es')
  await signIn(server, 'hay-cuenta@ejemplo.es')
  const { cookie: moved } = await signIn(server, 'antes@ejemplo.es')
  await post(server, '/api/account/email', moved, { email: 'ahora@ejemplo.es' })
  const { code } = lastMailTo(server.dataDir, 'ahora@ejemplo.es')
  await post(server, '/api/account/email/code', moved, { code })
  const mailed = {
    'nadie@ejemplo.es': 'Con este código confirmas',
    'hay-cuenta@ejemplo.es': 'con ella ya entras en la tuya',
    'ahora@ejemplo.es': 'con ella ya entras en la tuya',
    'antes@ejemplo.es': 'hasta hace poco era de otra',
  }
  for (const [email, text] of Object.entries(mailed)) {
    assert.equal(contentOf(await post(server, '/api/account/email', cookie, { email })), [202, { sent: true }], email)
    assert.match(lastMailTo(server.dataDir, email).text, text, email)
  }
})
