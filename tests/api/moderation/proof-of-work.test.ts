import { type Answer, call, type Call, formOf } from '#tests/support/api.ts'
import { proofOf } from '#tests/support/moderation/proofs.ts'
import { lastMailTo, readOutbox } from '#tests/support/outbox.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { answered, assert, assertMatches, signIn, startServer, suite } from '#tests/support/suites.ts'

// What a network that misbehaved is asked for. Localhost offers passkeys.
const server = await startServer({ TRUST_PROXY: '1', SITE_URL: 'http://localhost', VISITOR_DOGS_PER_DAY: '1' })
const ana = await signIn(server, 'ana@ejemplo.es')
const jpeg = new Blob([await photo()], { type: 'image/jpeg' })

const proofs = suite('api/moderation/proof-of-work')
proofs.after(() => server.dispose())

const DETAIL =
  'Desde tu conexión llegan muchas peticiones automáticas, así que antes comprobamos que no eres un programa. Hace falta JavaScript y tarda unos segundos; sin él, vuelve a intentarlo dentro de un rato.'

const callFrom = (ip: string, path: string, { headers = {}, ...options }: Call = {}) =>
  call(server, path, { ...options, headers: { 'X-Forwarded-For': ip, ...headers } })
const withProof = (proof?: string) => (proof === undefined ? {} : { headers: { 'Proof-Of-Work': proof } })
const askMail = (ip: string, email: string, proof?: string) =>
  callFrom(ip, '/api/auth/magic-link', { method: 'POST', json: { email }, ...withProof(proof) })
const askPasskey = (ip: string, purpose: string, proof?: string) =>
  callFrom(ip, '/api/auth/passkeys/options', { method: 'POST', json: { for: purpose }, ...withProof(proof) })
const addDog = (ip: string, fields: Parameters<typeof formOf>[0] = {}, options: Call = {}) =>
  callFrom(ip, '/api/dogs', {
    method: 'POST',
    form: formOf({ name: 'Toby', breed: 'Beagle', images: jpeg, ...fields }),
    ...options,
  })
const mails = () => readOutbox(server.dataDir).length
const countDogs = async () => (await callFrom('203.0.113.200', '/api/dogs?limit=1')).body.stats.dogs

/** Fills in what nobody sees, as programs do. */
async function misbehave(ip: string) {
  for (let i = 0; i < 3; i++)
    await callFrom(ip, '/api/auth/magic-link', { method: 'POST', json: { email: 'robot@ejemplo.es', hueso: 'x' } })
}
const challengeFor = async (ip: string, action: string) => {
  const { status, body } = await callFrom(ip, `/api/proof-of-work?for=${action}`)
  assert.is(status, 200, JSON.stringify(body))
  return body
}
const prove = async (ip: string, action: string) => proofOf(await challengeFor(ip, action))

function assertAsked({ status, body, headers }: Answer, action: string) {
  assert.equal([status, body.status, body.detail], [429, 429, DETAIL], JSON.stringify(body))
  assert.match(headers.get('content-type')!, 'application/problem+json')
  const seconds = Number(headers.get('retry-after'))
  assert.ok(seconds > 0 && seconds <= 1800, String(seconds))
  assert.equal(body.proofOfWork, { challenge: `/api/proof-of-work?for=${action}`, header: 'Proof-Of-Work' })
}

proofs('a network that behaves is asked for nothing, also after two filled honeypots', async () => {
  const ip = '192.0.2.1'
  for (let i = 0; i < 2; i++) assert.is((await addDog(ip, { hueso: 'x' })).status, 422)
  assert.is((await askMail(ip, 'libre@ejemplo.es')).status, 202)
  assert.is((await askPasskey(ip, 'register')).status, 200)
  assert.is((await addDog(ip)).status, 201)
})

proofs('a network that misbehaves is asked by sign-up and anonymous adding, and by nothing else', async () => {
  const ip = '192.0.2.2'
  await misbehave(ip)
  const before = [mails(), await countDogs()]
  assertAsked(await askMail(ip, 'nueva@ejemplo.es'), 'sign-in')
  assertAsked(await askPasskey(ip, 'register'), 'passkey')
  assertAsked(await addDog(ip), 'dog')
  assert.equal([mails(), await countDogs()], before)
  assert.is((await askPasskey(ip, 'sign-in')).status, 200)
  assert.is((await askPasskey(ip, 'register', undefined)).status, 429)
  assert.is((await addDog(ip, {}, { cookie: ana.cookie })).status, 201, 'a member’s dog')
  assert.is((await callFrom(ip, '/login')).status, 200)
  assert.is((await askMail('192.0.2.3', 'vecina@ejemplo.es')).status, 202, 'another network')
})

proofs('forms that are filled in too fast, and refused limits, make a network suspect too', async () => {
  const ip = '2001:db8:7:1::1'
  for (let i = 0; i < 6; i++) {
    const { status, body } = await addDog(ip, { open_for_ms: '0' })
    assert.equal([status, body.proofOfWork], [429, undefined])
  }
  assertAsked(await addDog('2001:db8:7:2::1'), 'dog')
  const other = '192.0.2.4'
  assert.is((await addDog(other)).status, 201)
  for (let i = 0; i < 6; i++) assert.match((await addDog(other)).body.detail, 'ya se han añadido muchos perros hoy')
  assertAsked(await askMail(other, 'nueva@ejemplo.es'), 'sign-in')
})

proofs('who solves the challenge is answered, once for each proof', async () => {
  const ip = '192.0.2.5'
  await misbehave(ip)
  const proof = await prove(ip, 'sign-in')
  assert.is((await askMail(ip, 'humana@ejemplo.es', proof)).status, 202)
  assert.match(lastMailTo(server.dataDir, 'humana@ejemplo.es').code, /^\d{6}$/)
  assertAsked(await askMail(ip, 'otra@ejemplo.es', proof), 'sign-in')
  const shared = await prove(ip, 'sign-in')
  const statuses = await Promise.all(['a', 'b', 'c'].map((name) => askMail(ip, `${name}@ejemplo.es`, shared)))
  assert.equal(statuses.map(({ status }) => status).toSorted(), [202, 429, 429])
  assert.ok((await answered(200, askPasskey(ip, 'register', await prove(ip, 'passkey')))).body.options.challenge)
})

proofs('a proof of another network or for something else, and a forged one, are worth nothing', async () => {
  const [ip, neighbour] = ['192.0.2.6', '192.0.2.7']
  await misbehave(ip)
  await misbehave(neighbour)
  const proof = await prove(ip, 'sign-in')
  assertAsked(await askMail(neighbour, 'ladrona@ejemplo.es', proof), 'sign-in')
  assertAsked(await askPasskey(ip, 'register', proof), 'passkey')
  const forged = JSON.parse(Buffer.from(proof, 'base64').toString())
  forged.challenge.parameters.expiresAt += 3600
  assertAsked(await askMail(ip, 'x@ejemplo.es', Buffer.from(JSON.stringify(forged)).toString('base64')), 'sign-in')
  for (const other of ['', 'x', 'bnVsbA==', 'A'.repeat(6000)])
    assertAsked(await askMail(ip, 'x@ejemplo.es', other), 'sign-in')
  assert.is((await askMail(ip, 'duenya@ejemplo.es', proof)).status, 202, 'refusals have not used it up')
})

proofs('the limits hold for who proves as for who need not', async () => {
  const ip = '192.0.2.8'
  await misbehave(ip)
  const add = async () => addDog(ip, {}, withProof(await prove(ip, 'dog')))
  assert.is((await add()).status, 201)
  const { status, body } = await add()
  assert.equal(
    [status, body.detail, body.proofOfWork],
    [429, 'Desde tu conexión ya se han añadido muchos perros hoy. Entra con tu cuenta para añadir más.', undefined],
  )
})

proofs('a device that signed in before has nothing to prove', async () => {
  const ip = '192.0.2.9'
  const email = 'conocida@ejemplo.es'
  assert.is((await askMail(ip, email)).status, 202)
  const { headers } = await callFrom(ip, '/api/auth/code', {
    method: 'POST',
    json: { email, code: lastMailTo(server.dataDir, email).code },
  })
  const device = headers.getSetCookie().find((cookie) => cookie.startsWith('perrario-aparato='))!
  await misbehave(ip)
  const cookie = device.split(';')[0]!
  assert.is((await callFrom(ip, '/api/auth/magic-link', { method: 'POST', json: { email }, cookie })).status, 202)
  assertAsked(await askMail(ip, email), 'sign-in')
})

proofs('without script the form is answered 429, as its page with the sentence', async () => {
  const ip = '192.0.2.10'
  await misbehave(ip)
  const before = mails()
  const response = await fetch(`${server.url}/api/auth/magic-link`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'X-Forwarded-For': ip },
    body: new URLSearchParams({ email: 'ana.gil@ejemplo.es' }),
  })
  assert.is(response.status, 429)
  assert.ok(Number(response.headers.get('retry-after')) > 0)
  assert.match(response.headers.get('content-type')!, 'text/html')
  assert.match(response.headers.get('cache-control')!, 'no-store')
  assert.match(response.headers.get('content-security-policy')!, "default-src 'none'")
  assertMatches(await response.text(), DETAIL, 'value="ana.gil@ejemplo.es"', 'Entra y sigue tu álbum')
  assert.is(mails(), before)
})

proofs('a page that is asked for it shows again what was written', async () => {
  const ip = '192.0.2.11'
  await misbehave(ip)
  const form = new FormData()
  for (const [name, value] of Object.entries({ zone: 'Getafe', coat: 'Canela y blanco' })) form.set(name, value)
  const { body } = await answered(429, callFrom(ip, '/encontrados', { method: 'POST', form }))
  for (const typed of ['Getafe', 'Canela y blanco']) assert.match(body, `value="${typed}"`)
})

proofs('challenges are of one kind of action, for whoever asks, and limited', async () => {
  const ip = '192.0.2.11'
  const { parameters, signature } = await challengeFor(ip, 'dog')
  assert.equal(
    [parameters.algorithm, parameters.cost, parameters.keyPrefix.length, signature.length],
    ['PBKDF2/SHA-256', 5000, 32, 64],
  )
  for (const query of ['', '?for=', '?for=otra'])
    assert.is((await callFrom(ip, `/api/proof-of-work${query}`)).status, 422)
  const statuses: number[] = []
  for (let i = 0; i < 65; i++) statuses.push((await callFrom(ip, '/api/proof-of-work?for=dog')).status)
  assert.equal(statuses.filter((status) => status === 200).length, 59)
  const refused = await callFrom(ip, '/api/proof-of-work?for=dog')
  assert.equal([refused.status, refused.body.proofOfWork], [429, undefined])
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  await challengeFor('192.0.2.12', 'dog')
})
