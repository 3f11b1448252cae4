import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { readOutbox } from '#tests/support/outbox.ts'
import { freePort, startServer, type TestServer } from '#tests/support/server.ts'
import { openServerDatabase } from '#tests/support/server-database.ts'
import { answered, assert, assertMatches, call, signInMember, suite, type TestMember } from '#tests/support/suites.ts'

interface Delivery {
  from: string | undefined
  to: string[]
  raw: string
}
const deliveries: Delivery[] = []
/** Connections to the mail server. */
let connections = 0
/** While set, the mail server accepts no recipient and refuses none. */
let isHanging = false
const hanging: (() => void)[] = []
const smtp = suite('api/auth/sign-in-smtp')
let mailServer: SMTPServer
let server: TestServer
let mailServerUrl: string
/** Recipients the mail server turns away. */
const REFUSED = 'rechazado@ejemplo.es'

smtp.before(async () => {
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect(_session, done) {
      connections++
      done()
    },
    onRcptTo({ address }, _session, done) {
      if (isHanging) hanging.push(() => done())
      else done(address === REFUSED ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        deliveries.push({
          from: mailFrom ? mailFrom.address : undefined,
          to: rcptTo.map((r) => r.address),
          raw: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
  })
  // A server that a test ends may leave connections in the middle of a mail.
  mailServer.on('error', () => {})
  const port = await freePort()
  mailServer.listen(port, '127.0.0.1')
  await once(mailServer.server, 'listening')
  mailServerUrl = `smtp://127.0.0.1:${port}`
  server = await startServer({
    SMTP_URL: mailServerUrl,
    SITE_URL: 'https://perrario.example',
    MAIL_FROM: 'El álbum de Perrario <hola@perrario.example>',
  })
})
smtp.after(async () => {
  await server.dispose()
  await new Promise<void>((done) => mailServer.close(done))
})

const ask = (email: string, url = server.url) =>
  fetch(`${url}/api/auth/magic-link`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  })
/** Resolves when the condition holds; what never comes fails by the runner's timeout. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((done) => setTimeout(done, 10))
}
const deliveriesTo = (email: string) => deliveries.filter(({ to }) => to.includes(email))

/** Undoes quoted-printable. */
const plain = (raw: string) =>
  Buffer.from(
    raw
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

smtp('the mail goes to exactly the requested address, and its code signs in', async () => {
  assert.is((await ask('ana@ejemplo.es')).status, 202)
  await until(() => deliveries.length > 0)
  const mail = deliveries[0]!
  assert.equal(mail.to, ['ana@ejemplo.es'])
  assert.is(mail.from, 'hola@perrario.example')
  assert.not.match(mail.raw, /encoding: base64/i)
  const text = plain(mail.raw)
  assert.match(text, /^https:\/\/perrario\.example\/login\/enlace\?token=[\w-]{43}\r?$/m)
  const code = /^(\d{6})\r?$/m.exec(text)![1]
  assert.match(text, '¡Hola!')
  const entered = await fetch(`${server.url}/api/auth/code`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'ana@ejemplo.es', code }),
  })
  assert.is(entered.status, 200)
  assertMatches(entered.headers.getSetCookie()[0]!, /^__Host-perrario=/, /; Secure/i)
})

smtp('with a mail server nothing remains in the outbox or the console', async () => {
  await ask('bea@ejemplo.es')
  await until(() => deliveriesTo('bea@ejemplo.es').length > 0)
  assert.equal(readOutbox(server.dataDir), [])
  assert.not.match(server.output(), 'token=')
})

smtp('the response does not wait for the mail', async () => {
  isHanging = true
  assert.is((await ask('carla@ejemplo.es')).status, 202)
  await until(() => hanging.length > 0)
  assert.equal(deliveriesTo('carla@ejemplo.es'), [])
  isHanging = false
  for (const release of hanging) release()
  await until(() => deliveriesTo('carla@ejemplo.es').length > 0)
})

smtp('a mailbox beyond its limit is sent no mail, and the response says so', async () => {
  for (let i = 1; i <= 5; i++) {
    assert.is((await ask('dora@ejemplo.es')).status, 202)
    await until(() => deliveriesTo('dora@ejemplo.es').length === i)
  }
  const beyond = await answered(202, ask('dora@ejemplo.es'))
  assert.match(((await beyond.json()) as { notice: string }).notice, 'El último vale hasta las')
  // A later mail goes out after it.
  assert.is((await ask('elsa@ejemplo.es')).status, 202)
  await until(() => deliveriesTo('elsa@ejemplo.es').length > 0)
  assert.is(deliveriesTo('dora@ejemplo.es').length, 5)
})

smtp('an address that the mail server refuses is not logged and delays no other mail', async () => {
  await using another = await startServer({ SMTP_URL: mailServerUrl, ADMIN_EMAIL: 'jefa@ejemplo.es' })
  const admin = await signInMember(another, 'jefa@ejemplo.es')
  const adminPage = async () => (await fetch(`${another.url}/admin`, { headers: { Cookie: admin.cookie } })).text()
  for (let i = 0; i < 3; i++) assert.is((await ask(REFUSED, another.url)).status, 202)
  await until(() => (another.output().match(/un mensaje no se pudo enviar: EENVELOPE RCPT TO 550/g) ?? []).length === 3)
  // Until one goes out the admin is told: it may be every address.
  assert.match(await adminPage(), 'Los últimos 3 correos no se han podido enviar.')
  assert.is((await ask('flora@ejemplo.es', another.url)).status, 202)
  await until(() => deliveriesTo('flora@ejemplo.es').length > 0)
  assert.not.match(another.output(), /@ejemplo|token=/)
  while ((await adminPage()).includes('no se han podido enviar')) await new Promise((done) => setTimeout(done, 10))
})

smtp('one network takes a quarter of the queue, and a few of its accounts shut out nobody', async () => {
  await using crowded = await startServer({ SMTP_URL: mailServerUrl, TRUST_PROXY: '1' })
  let network = 0
  /** From another /64 of one /48 each time. */
  const askFrom = (email: string, cookie = '', site = '2001:db8:7') =>
    call(crowded, '/api/auth/magic-link', {
      method: 'POST',
      cookie,
      json: { email },
      headers: { 'X-Forwarded-For': `${site}:${(++network).toString(16)}::1` },
    })
  const members: TestMember[] = []
  for (let n = 0; n < 21; n++) members.push(await signInMember(crowded, `vecina${n}@ejemplo.es`))
  const [first, last] = [members[0]!, members[20]!]
  const before = connections
  for (let n = 1; n <= 8; n++) {
    const { status, body } = await askFrom(first.email, first.cookie)
    assert.equal([status, body.sent, 'notice' in body], [202, true, n > 5])
    // Beyond the five mails of a device there is none, and none takes a place.
    await until(() => deliveriesTo(first.email).length === Math.min(n, 5))
  }
  assert.is((await askFrom('nueva@ejemplo.es')).status, 202)
  await until(() => deliveriesTo('nueva@ejemplo.es').length > 0)
  assert.is(connections, before + 6)
  for (const [i, { email, cookie }] of members.slice(1, 20).entries())
    for (let n = i === 0 ? 2 : 1; n <= 5; n++) assert.is((await askFrom(email, cookie)).status, 202, `${email} ${n}`)
  // A hundred mails: what is left is for known devices, one for each mailbox.
  for (const refused of [await askFrom('otra@ejemplo.es'), await askFrom(first.email, first.cookie)])
    assert.equal(
      [refused.status, refused.body.detail, refused.headers.get('retry-after')],
      [429, 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.', '60'],
    )
  assert.is((await askFrom(last.email, last.cookie)).status, 202)
  assert.is((await askFrom(last.email, last.cookie)).status, 429)
  assert.is((await askFrom('otra@ejemplo.es', '', '2001:db8:8')).status, 202)
})

smtp('while the mail server is down every request receives the specified message', async () => {
  const lonely = await startServer({
    SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
    ADMIN_EMAIL: 'jefa@ejemplo.es',
  })
  const admin = await signInMember(lonely, 'jefa@ejemplo.es')
  const db = openServerDatabase(lonely)
  try {
    // Two attempts fail before requests hear of it.
    assert.is((await ask('una@ejemplo.es', lonely.url)).status, 202)
    await ask('otra@ejemplo.es', lonely.url)
    await until(() => lonely.output().includes('el correo no sale: ESOCKET CONN'))
    const answer = await answered(502, ask('ana@ejemplo.es', lonely.url))
    assert.is(((await answer.json()) as { detail: string }).detail, 'Error al enviar el enlace. Inténtalo de nuevo.')
    const adminPage = await fetch(`${lonely.url}/admin`, { headers: { Cookie: admin.cookie } })
    assert.match(await adminPage.text(), 'El correo no sale y nadie puede entrar por email.')
    // Nothing counted for the mailbox: no limit of it is looked at.
    const tokens = await db.selectFrom('sign_in_tokens').select('email').where('email', '=', 'ana@ejemplo.es').execute()
    assert.equal(tokens, [])
    assert.is((await fetch(`${lonely.url}/healthz`)).status, 200)
    // Queued mails, which wait for their next try, do not hold up the stop.
    assert.is(await lonely.stop(), 0)
  } finally {
    await db.destroy()
    await lonely.dispose()
  }
})
