import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { setLog } from '#server/log/log.ts'
import { openMailQueue } from '#server/mail-queue.ts'
import { assert, suite } from '#tests/support/suites.ts'

// The queue and nodemailer against a mail server that works, except for the domains of some recipients.

/** Recipients at RCPT, by domain. */
const asked: string[] = []
const hasAsked = (domain: string) => asked.filter((address) => address.endsWith(`@${domain}`)).length
const delivered: string[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  closeTimeout: 100,
  onRcptTo({ address }, _session, done) {
    asked.push(address)
    // As while the name servers of the domain do not answer.
    if (/[@.]parado\.example$/.test(address)) return
    done(address.endsWith('@cuelga.example') ? Object.assign(new Error('bye'), { responseCode: 421 }) : null)
  },
  onData(stream, { envelope }, done) {
    stream.resume().on('end', () => {
      delivered.push(...envelope.rcptTo.map(({ address }) => address))
      done()
    })
  },
})
// Connections that the client gives up.
server.on('error', () => {})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
const { port } = server.server.address() as AddressInfo
process.env.SMTP_URL = `smtp://127.0.0.1:${port}?socketTimeout=250`
const { sendMail, checkMailServer } = await import('#server/mail.ts')

const stall = suite('unit/server/mail-stall')
stall.before(() => setLog({ write: () => {}, isSilent: true, isTerminal: false }))
stall.after(async () => {
  setLog(undefined)
  await new Promise<void>((done) => server.close(done))
})

const mailTo = (to: string) => ({ to, subject: 'Hola', text: 'Hola', html: '<p>Hola</p>' })
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((done) => setTimeout(done, 2))
}

for (const domain of ['parado.example', 'cuelga.example'])
  stall(`recipients at ${domain}, of one network, leave the queue available for others`, async () => {
    const mails = openMailQueue({ send: sendMail, check: checkMailServer, retryDelaysMs: [1] })
    const sender = { network: '192.0.2.1', knownMailbox: null }
    for (let n = 0; n < 3; n++) assert.ok(mails.enqueue(mailTo(`x${n}@${domain}`), sender))
    await until(() => {
      assert.ok(mails.isDelivering())
      return mails.size() === 0
    })
    assert.is(hasAsked(domain), 6)
    assert.ok(mails.isDelivering())
    assert.is(mails.failedInARow(), 3)
  })

stall('a mail of another network does not wait for those at which the server stalls', async () => {
  const mails = openMailQueue({ send: sendMail, check: checkMailServer, retryDelaysMs: [] })
  asked.length = 0
  // Of one /48, each to a domain of its own.
  for (let n = 0; n < 12; n++)
    mails.enqueue(mailTo(`x@n${n}.parado.example`), { network: `2001:db8:7:${n}::/64`, knownMailbox: null })
  mails.enqueue(mailTo('ana@ejemplo.es'), { network: '192.0.2.9', knownMailbox: null })
  await until(() => mails.size() === 0)
  const before = asked.indexOf('ana@ejemplo.es')
  assert.ok(before >= 0 && before < 8, `${before} addresses before hers`)
  assert.equal(delivered, ['ana@ejemplo.es'])
})

stall('a network has two connections at most; a free one goes to the network with the fewest', async () => {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const mails = openMailQueue({
    send: ({ to }) => {
      started.push(to)
      return new Promise((done) => ends.set(to, done))
    },
    check: checkMailServer,
    closeTimeoutMs: 1,
  })
  const add = (name: string, network: string) => mails.enqueue(mailTo(name), { network, knownMailbox: null })
  for (let n = 1; n <= 4; n++) add(`a${n}`, `2001:db8:7:${n}::/64`)
  await until(() => started.length > 0)
  assert.equal(started, ['a1', 'a2'])
  for (let n = 1; n <= 3; n++) add(`b${n}`, '192.0.2.1')
  for (let n = 1; n <= 2; n++) add(`c${n}`, '192.0.2.2')
  await until(() => started.length > 2)
  assert.equal(started.slice(2), ['b1', 'c1', 'b2'])
  add('d1', '192.0.2.3')
  ends.get('b1')!()
  await until(() => started.length > 5)
  ends.get('a1')!()
  await until(() => started.length > 6)
  // b3 and c2 wait too, and no network has fewer connections than a.
  assert.equal(started.slice(5), ['d1', 'a3'])
  await mails.close()
})
