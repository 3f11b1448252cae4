import { signInMember, type TestMember } from '#tests/support/members.ts'
import { answered, assert, assertProblem, call, detailOf, serverSuite, type TestServer } from '#tests/support/suites.ts'

let server: TestServer
let ana: TestMember
let luis: TestMember

const api = serverSuite('api/account/profile-calls')
api.before(async (t) => {
  ;({ server } = t)
  ana = await signInMember(server, 'ana@ejemplo.es')
  luis = await signInMember(server, 'luis@ejemplo.es')
})

const put = (json: unknown, cookie: string | undefined = ana.cookie, headers = {}) =>
  call(server, '/api/profile', { method: 'PUT', cookie, json, headers })
const check = (alias: string, cookie?: string) =>
  call(server, `/api/profile/alias?${new URLSearchParams({ alias })}`, { cookie })
const post = (fields: Record<string, string>, cookie: string | undefined = ana.cookie, headers = {}) =>
  call(server, '/api/profile', { method: 'POST', cookie, fields, headers })

api('PUT changes the member’s alias and emoji', async () => {
  const { body } = await answered(200, put({ alias: ' Ana  María ', emoji: '🦊' }))
  assert.equal(body, { profile: { id: ana.id, alias: 'Ana María', emoji: '🦊', verified: false } })
  const { body: session } = await call(server, '/api/session', { cookie: ana.cookie })
  assert.equal([session.user.alias, session.user.emoji], ['Ana María', '🦊'])
})

api('PUT refuses invalid values with a message for each field', async () => {
  const wrong = async (json: unknown, errors: Record<string, string>) => {
    const answer = await put(json)
    assertProblem(answer, 422, Object.values(errors)[0]!)
    assert.equal(answer.body.errors, errors)
  }
  await wrong({ alias: '  ', emoji: '🦊' }, { alias: 'El alias no puede estar vacío' })
  await wrong({ alias: 'a'.repeat(21), emoji: '🦊' }, { alias: 'El alias no puede tener más de 20 caracteres.' })
  await wrong(
    { alias: 'An\uE000a', emoji: '🦊' },
    { alias: 'El alias tiene caracteres invisibles. Bórralo y escríbelo de nuevo.' },
  )
  await wrong({ alias: 'Ana', emoji: '🦊🦊' }, { emoji: 'Tiene que ser un solo emoji.' })
  await wrong({ alias: 'Ana' }, { emoji: 'Elige un emoji.' })
  await wrong({}, { alias: 'El alias no puede estar vacío', emoji: 'Elige un emoji.' })
  await wrong({ alias: luis.alias.toUpperCase(), emoji: '🦊' }, { alias: 'Este alias ya está en uso.' })
  assertProblem(await put(undefined), 415, 'Se esperaba application/json.')
  assert.is((await put({ alias: 'a'.repeat(70_000), emoji: '🦊' })).status, 413)
})

api('PUT requires a session and its own origin', async () => {
  assertProblem(await put({ alias: 'Eva', emoji: '🐶' }, ''), 401, 'Inicia sesión para continuar.')
  assertProblem(await put({ alias: 'Eva', emoji: '🐶' }, 'perrario=caducada'), 401, 'Inicia sesión para continuar.')
  const headers = { Origin: 'https://malo.example' }
  assertProblem(await put({ alias: 'Eva', emoji: '🐶' }, ana.cookie, headers), 403, 'La petición viene de otro sitio.')
  assertProblem(await post({ alias: 'Eva', emoji: '🐶' }, ana.cookie, headers), 403, 'La petición viene de otro sitio.')
})

api('of two members who take one alias at once, one receives 200 and the other 422', async () => {
  const answers = await Promise.all([
    put({ alias: 'Trufa', emoji: '🐶' }, ana.cookie),
    put({ alias: 'TRUFA', emoji: '🐶' }, luis.cookie),
  ])
  assert.equal(answers.map(({ status }) => status).sort(), [200, 422])
  await put({ alias: 'Luis', emoji: '🐶' }, luis.cookie)
  await put({ alias: 'Ana', emoji: '🐶' }, ana.cookie)
})

api('GET alias returns whether it is available, for visitors too', async () => {
  assert.equal((await check('Eva', ana.cookie)).body, { available: true, alias: 'Eva' })
  assert.equal((await check('ána', ana.cookie)).body, { available: true, alias: 'ána' })
  const taken = { available: false, alias: 'Ana', detail: 'Este alias ya está en uso.' }
  assert.equal((await check(' Ana ', luis.cookie)).body, taken)
  assert.equal((await check('Ana')).body, taken)
  assert.equal((await check('')).body, { available: false, alias: '', detail: 'El alias no puede estar vacío' })
  assert.equal(detailOf(await call(server, '/api/profile/alias')), [200, 'El alias no puede estar vacío'])
  assert.match((await check('Eva')).headers.get('cache-control') ?? '', /no-store/)
})

api('a member who saves without pause is limited with Retry-After', async () => {
  const eva = await signInMember(server, 'eva@ejemplo.es')
  for (let i = 0; i < 30; i++) assert.is((await put({}, eva.cookie)).status, 422)
  const answer = await put({ alias: 'Eva', emoji: '🐶' }, eva.cookie)
  assertProblem(answer, 429, 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.')
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
})
