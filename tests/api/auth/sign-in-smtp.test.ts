import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readOutbox } from '#tests/support/outbox.ts'
import { freePort, startServer, type TestServer } from '#tests/support/server.ts'

interface Delivery {
  from: string | undefined
  to: string[]
  raw: string
}
const deliveries: Delivery[] = []
const smtp = suite('sign-in mail by SMTP')
let mailServer: SMTPServer
let server: TestServer
/** Recipients the mail server turns away. */
const REFUSED = 'rechazado@ejemplo.es'

smtp.before(async () => {
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => done(address === REFUSED ? new Error('550 no such user') : null),
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
  const port = await freePort()
  mailServer.listen(port, '127.0.0.1')
  await once(mailServer.server, 'listening')
  server = await startServer({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    SITE_URL: 'https://perrario.example',
    MAIL_FROM: 'El álbum de Perrario <hola@perrario.example>',
  })
})
smtp.after(async () => {
  await server.dispose()
  await new Promise<void>((done) => mailServer.close(done))
})

const ask = (email: string) =>
  fetch(`${server.url}/api/auth/magic-link`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  })
/** Undoes quoted-printable. */
const plain = (raw: string) =>
  Buffer.from(
    raw
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

smtp('the mail reaches exactly the address that asked, and its code signs in', async () => {
  assert.is((await ask('ana@ejemplo.es')).status, 202)
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
  const cookie = entered.headers.getSetCookie()[0]!
  assert.match(cookie, /^__Host-perrario=/)
  assert.match(cookie, /; Secure/i)
})

smtp('with a mail server nothing is left in the outbox or the console', async () => {
  await ask('bea@ejemplo.es')
  assert.equal(readOutbox(server.dataDir), [])
  assert.not.match(server.output(), 'token=')
})

smtp('a mail server that refuses leads to the sentence of the specification', async () => {
  const response = await ask(REFUSED)
  assert.is(response.status, 502)
  assert.is(((await response.json()) as { detail: string }).detail, 'Error al enviar el enlace. Inténtalo de nuevo.')
})

smtp('a mail server that is gone as well, and the site lives on', async () => {
  const lonely = await startServer({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })
  try {
    const response = await fetch(`${lonely.url}/api/auth/magic-link`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ana@ejemplo.es' }),
    })
    assert.is(response.status, 502)
    assert.is((await fetch(`${lonely.url}/healthz`)).status, 200)
  } finally {
    await lonely.dispose()
  }
})

smtp.run()
